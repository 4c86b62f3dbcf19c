import * as api from '@waybill/contract/public/tracking-link'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { answerWithFile } from '../document/index.ts'
import { findTrackingLink } from './find-tracking-link.ts'
import { renewTrackingLink, revokeTrackingLink, showTrackingLinks } from './staff-tracking-link.ts'
import { markOf, trackedFile, trackedMap, trackingPage } from './tracking-page.query.ts'

export function bindTrackingLinkRoutes(host: Host): void {
  bindEndpoint(host, api.getTrackingPage, async (ctx, { params, request }) =>
    trackingPage(ctx, await findTrackingLink(ctx, params.token, request.ip)),
  )
  bindEndpoint(host, api.getTrackingMark, async (ctx, { params, request }) => ({
    mark: await markOf(ctx, await findTrackingLink(ctx, params.token, request.ip, 'mark')),
  }))
  bindEndpoint(host, api.getTrackedFile, async (ctx, { params, request, reply }) => {
    const file = await trackedFile(ctx, await findTrackingLink(ctx, params.token, request.ip), params.key)
    answerWithFile(reply, file, await ctx.ports.files.open(file.fileKey))
    return {}
  })
  bindEndpoint(host, api.getTrackedMap, async (ctx, { params, request, reply }) => {
    const svg = Buffer.from(await trackedMap(ctx, await findTrackingLink(ctx, params.token, request.ip)))
    answerWithFile(reply, { title: 'map.svg', contentType: 'image/svg+xml', sizeBytes: svg.length }, svg)
    return {}
  })
  bindEndpoint(host, api.listTrackingLinks, (ctx, { params }) => showTrackingLinks(ctx, params.id))
  bindEndpoint(host, api.renewTrackingLink, (ctx, { params, version, body }) =>
    renewTrackingLink(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.revokeTrackingLink, async (ctx, { params, version }) => {
    await revokeTrackingLink(ctx, params.id, version, params.customerId)
    return {}
  })
}
