import * as api from '@waybill/contract/bookkeeping/bookkeeping'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { batchOfInvoice, batchView, bookkeepingCompanies, listBatches } from './batch.query.ts'
import { createBatch } from './create-batch.ts'
import { giveAccountNumbers, nextNumber, proposeBatch } from './propose-batch.ts'
import { sendBatchFile, sendBatchTable } from './send-batch.ts'
import { voidBatch } from './void-batch.ts'

export function bindBookkeepingRoutes(host: Host): void {
  bindEndpoint(host, api.listBookkeepingCompanies, async (ctx) => ({ items: await bookkeepingCompanies(ctx) }))
  bindEndpoint(host, api.getBookkeepingProposal, (ctx, { query }) => proposeBatch(ctx, query))
  bindEndpoint(host, api.getNextAccountNumber, (ctx, { query }) => nextNumber(ctx, query.side))
  bindEndpoint(host, api.giveAccountNumbers, (ctx, { body }) => giveAccountNumbers(ctx, body))
  bindEndpoint(host, api.getInvoiceBooking, (ctx, { params }) => batchOfInvoice(ctx, params.id))
  bindEndpoint(host, api.listBatches, (ctx, { query }) => listBatches(ctx, query))
  bindEndpoint(host, api.getBatch, (ctx, { params }) => batchView(ctx, params.id))
  bindEndpoint(host, api.createBatch, (ctx, { body }) => createBatch(ctx, body))
  bindEndpoint(host, api.getBatchFile, async (ctx, { params, reply }) => {
    await sendBatchFile(ctx, params.id, reply)
    return {}
  })
  bindEndpoint(host, api.getBatchTable, async (ctx, { params, query, reply }) => {
    await sendBatchTable(ctx, params.id, query, reply)
    return {}
  })
  bindEndpoint(host, api.voidBatch, (ctx, { params, version, body }) => voidBatch(ctx, params.id, version, body.reason))
}
