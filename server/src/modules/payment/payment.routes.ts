import * as api from '@waybill/contract/payment/payment'
import {
  exportReceivables,
  getAccountStatement,
  listPayables,
  listReceivables,
} from '@waybill/contract/payment/open-items'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { bookPayment, noteRefund, useCredit } from './book-payment.ts'
import { answerWithStatement } from './open-items/account-statement.ts'
import { exportOpenItems } from './open-items/export-open-items.ts'
import { payables } from './open-items/payables.query.ts'
import { receivables } from './open-items/receivables.query.ts'
import { invoicePayments, openInvoicesOf } from './payment.query.ts'
import { reversePayment } from './reverse-payment.ts'
import { writeOff, writeOffCredit } from './write-off.ts'

export function bindPaymentRoutes(host: Host): void {
  bindEndpoint(host, api.getInvoicePayments, (ctx, { params }) => invoicePayments(ctx, params.id))
  bindEndpoint(host, api.listOpenInvoices, (ctx, { query }) => openInvoicesOf(ctx, query))
  bindEndpoint(host, api.bookPayment, (ctx, { body }) => bookPayment(ctx, body))
  bindEndpoint(host, api.useCredit, (ctx, { body }) => useCredit(ctx, body))
  bindEndpoint(host, api.writeOff, (ctx, { body }) => writeOff(ctx, body))
  bindEndpoint(host, api.writeOffCredit, (ctx, { body }) => writeOffCredit(ctx, body))
  bindEndpoint(host, api.noteRefund, (ctx, { body }) => noteRefund(ctx, body))
  bindEndpoint(host, api.reversePayment, (ctx, { params, body }) => reversePayment(ctx, params.id, body.reason))
  bindEndpoint(host, listReceivables, (ctx, { query }) => receivables(ctx, query))
  bindEndpoint(host, listPayables, (ctx, { query }) => payables(ctx, query))
  bindEndpoint(host, getAccountStatement, async (ctx, { query, reply }) => {
    await answerWithStatement(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, exportReceivables, async (ctx, { query, reply }) => {
    await exportOpenItems(ctx, query, reply)
    return {}
  })
}
