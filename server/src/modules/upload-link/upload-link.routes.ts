import * as api from '@waybill/contract/upload-link'
import { inTransaction, type Ctx } from '../../kit/context/context.ts'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { audit } from '../../kit/records/audit.ts'
import { findLink } from './find-link.ts'
import { receiveFile, removeFile } from './receive-file.ts'
import { renewLink, revokeLink, showLink } from './staff-link.ts'
import { submitProofs, submitUpload } from './submit-upload.ts'
import { noteOpened, type UploadLink } from './upload-link.repository.ts'
import { uploadPage } from './upload-page.query.ts'

/** What was counted stays counted although a call is refused, and no key of a repeat is kept beside a token. */
const own = { ownTransaction: true }

const open = (ctx: Ctx, link: UploadLink): Promise<void> =>
  inTransaction(ctx, async (inner) => {
    if (await noteOpened(inner, link.id))
      await audit(inner, { ownerKind: 'order', ownerId: link.orderId, action: 'uploadLinkOpened' })
  })

export function bindUploadLinkRoutes(host: Host): void {
  bindEndpoint(host, api.getUploadPage, async (ctx, { params, request }) =>
    uploadPage(ctx, await findLink(ctx, params.token, request.ip)),
  )
  bindEndpoint(
    host,
    api.openUploadPage,
    async (ctx, { params, request }) => {
      await open(ctx, await findLink(ctx, params.token, request.ip))
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
