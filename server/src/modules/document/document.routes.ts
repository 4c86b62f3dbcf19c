import {
  acceptDocument as accept,
  changeDocument as change,
  getDocumentFile,
  listDocuments as list,
  refuseDocument as refuse,
  removeDocument as remove,
  undoDocumentCheck as undo,
  uploadDocument as upload,
} from '@waybill/contract/document'
import { getEInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { changeDocument } from './change-document.ts'
import { acceptDocument, refuseDocument, undoCheck } from './check-document.ts'
import { listDocuments, ownerIn } from './document.query.ts'
import { removeDocument, sendDocument } from './document.service.ts'
import { showEInvoice } from './show-e-invoice.ts'
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
  bindEndpoint(host, getEInvoice, (ctx, { params }) => showEInvoice(ctx, params.id))
  bindEndpoint(host, change, (ctx, { params, version, body }) => changeDocument(ctx, params.id, version, body))
  bindEndpoint(host, accept, (ctx, { params, version, body }) =>
    acceptDocument(ctx, params.id, version, body.locationIds),
  )
  bindEndpoint(host, refuse, (ctx, { params, version, body }) => refuseDocument(ctx, params.id, version, body.reason))
  bindEndpoint(host, undo, (ctx, { params, version }) => undoCheck(ctx, params.id, version))
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
