import {
  changeDocument as change,
  getDocumentFile,
  listDocuments as list,
  removeDocument as remove,
  uploadDocument as upload,
} from '@waybill/contract/document'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { changeDocument } from './change-document.ts'
import { listDocuments, ownerIn } from './document.query.ts'
import { removeDocument, sendDocument } from './document.service.ts'
import { uploadDocument } from './upload-document.ts'

export function bindDocumentRoutes(host: Host): void {
  bindEndpoint(host, list, (ctx, { query }) => {
    const { page, cursor, perPage, ...owner } = query
    return listDocuments(ctx, ownerIn(owner), { page, cursor, perPage })
  })
  bindEndpoint(host, upload, (ctx, { request }) => uploadDocument(ctx, request))
  bindEndpoint(host, getDocumentFile, async (ctx, { params, reply }) => {
    await sendDocument(ctx, params.id, reply)
    return {}
  })
  bindEndpoint(host, change, (ctx, { params, version, body }) => changeDocument(ctx, params.id, version, body))
  // Its own transaction: the bytes go only after the row is gone for good.
  bindEndpoint(
    host,
    remove,
    async (ctx, { params }) => {
      await removeDocument(ctx, params.id)
      return {}
    },
    { ownTransaction: true },
  )
}
