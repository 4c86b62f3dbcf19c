import * as api from '@waybill/contract/public/driver-link'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { findDriverLink } from './find-driver-link.ts'
import { pageOf } from './link-page.ts'
import { renewDriverLink, revokeDriverLink, showDriverLink } from './staff-driver-link.ts'
import { renewTruckLink, revokeTruckLink, showTruckLink } from './staff-truck-link.ts'
import { takePicture } from './take-picture.ts'
import { takeReport } from './take-report.ts'

export function bindDriverLinkRoutes(host: Host): void {
  bindEndpoint(host, api.getDriverPage, async (ctx, { params, request }) =>
    pageOf(ctx, await findDriverLink(ctx, params.token, request.ip)),
  )
  bindEndpoint(
    host,
    api.tellReport,
    async (ctx, { params, body, request }) =>
      takeReport(ctx, await findDriverLink(ctx, params.token, request.ip), body),
    // What was counted stays counted although a report is refused, and no key of a repeat is kept beside a token: the
    // telephone's own is.
    { ownTransaction: true },
  )
  bindEndpoint(host, api.tellPicture, async (ctx, { params, request }) =>
    takePicture(ctx, await findDriverLink(ctx, params.token, request.ip), request),
  )
  bindEndpoint(host, api.getRouteDriverLink, (ctx, { params }) => showDriverLink(ctx, params.id))
  bindEndpoint(host, api.renewRouteDriverLink, (ctx, { params, version, body }) =>
    renewDriverLink(ctx, params.id, version, body.linkId),
  )
  bindEndpoint(host, api.revokeRouteDriverLink, async (ctx, { params, version }) => {
    await revokeDriverLink(ctx, params.id, version)
    return {}
  })
  bindEndpoint(host, api.getTruckLink, (ctx, { params }) => showTruckLink(ctx, params.id, params.day))
  bindEndpoint(host, api.renewTruckLink, (ctx, { params, body }) =>
    renewTruckLink(ctx, params.id, params.day, body.linkId),
  )
  bindEndpoint(host, api.revokeTruckLink, async (ctx, { params }) => {
    await revokeTruckLink(ctx, params.id, params.day)
    return {}
  })
}
