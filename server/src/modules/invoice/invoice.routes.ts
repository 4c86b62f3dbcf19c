import {
  correctInvoice as correct,
  getInvoiceDocument,
  getVatProposal,
  invoiceApi,
  listInvoiceOrders,
  moveInvoice as move,
  sendInvoice as send,
} from '@waybill/contract/invoice/invoice'
import { bindEndpoint, bindResource, type Host } from '../../kit/http/routes.ts'
import { listOrdersToInvoice } from '../order/index.ts'
import { correctInvoice } from './correct-invoice.ts'
import { invoiceSheet } from './export-invoices.ts'
import { invoiceService } from './invoice.service.ts'
import { moveInvoice } from './move-invoice.ts'
import { proposeVat } from './propose-vat.ts'
import { sendInvoiceDocument } from './send-document.ts'
import { sendInvoice } from './send-invoice.ts'

export function bindInvoiceRoutes(host: Host): void {
  bindResource(host, invoiceApi, invoiceService, invoiceSheet)
  bindEndpoint(host, listInvoiceOrders, (ctx, { query }) => listOrdersToInvoice(ctx, query))
  bindEndpoint(host, send, (ctx, { params, version, body }) => sendInvoice(ctx, params.id, version, body))
  bindEndpoint(host, move, (ctx, { params, version, body }) => moveInvoice(ctx, params.id, version, body))
  bindEndpoint(host, correct, (ctx, { params, version, body }) => correctInvoice(ctx, params.id, version, body))
  bindEndpoint(host, getInvoiceDocument, async (ctx, { params, reply }) => {
    await sendInvoiceDocument(ctx, params.id, reply)
    return {}
  })
  bindEndpoint(host, getVatProposal, (ctx, { query }) => proposeVat(ctx, query))
}
