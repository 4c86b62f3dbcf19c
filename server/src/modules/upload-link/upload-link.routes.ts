import * as api from '@waybill/contract/public/upload-link'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { findLink } from './find-link.ts'
import { openLink } from './open-link.ts'
import { receiveFile, removeFile } from './receive-file.ts'
import { renewLink, revokeLink, showLink } from './staff-link.ts'
import { submitProofs, submitUpload } from './submit-upload.ts'
import { uploadPage } from './upload-page.query.ts'

/** What was counted stays counted although a call is refused, and no key of a repeat is kept beside a token. */
const own = { ownTransaction: true }

export function bindUploadLinkRoutes(host: Host): void {
  bindEndpoint(host, api.getUploadPage, async (ctx, { params, request }) =>
    uploadPage(ctx, await findLink(ctx, params.token, request.ip)),
  )
  bindEndpoint(
    host,
    api.openUploadPage,
    async (ctx, { params, request }) => {
      await openLink(ctx, await findLink(ctx, params.token, request.ip))
      return {}
    },
    own,
  )
  bindEndpoint(host, api.uploadLinkFile, async (ctx, { params, request }) =>
    receiveFile(ctx, await findLink(ctx, params.token, request.ip), request),
  )
  bindEndpoint(
    host,
    api.removeLinkFile,
    async (ctx, { params, request }) => {
      await removeFile(ctx, await findLink(ctx, params.token, request.ip), params.id)
      return {}
    },
    own,
  )
  bindEndpoint(
    host,
    api.submitUpload,
    async (ctx, { params, body, request }) =>
      submitUpload(ctx, await findLink(ctx, params.token, request.ip), body, request.headers['idempotency-key']),
    own,
  )
  bindEndpoint(
    host,
    api.submitProofs,
    async (ctx, { params, request }) =>
      submitProofs(ctx, await findLink(ctx, params.token, request.ip), request.headers['idempotency-key']),
    own,
  )
  bindEndpoint(host, api.getRouteUploadLink, (ctx, { params }) => showLink(ctx, params.id))
  bindEndpoint(host, api.renewRouteUploadLink, (ctx, { params, version, body }) =>
    renewLink(ctx, params.id, version, body.linkId),
  )
  bindEndpoint(host, api.revokeRouteUploadLink, async (ctx, { params, version }) => {
    await revokeLink(ctx, params.id, version)
    return {}
  })
}
