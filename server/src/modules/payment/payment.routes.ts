import * as api from '@waybill/contract/payment/payment'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { bookPayment, noteRefund, useCredit } from './book-payment.ts'
import { invoicePayments, openInvoicesOf } from './payment.query.ts'
import { reversePayment } from './reverse-payment.ts'

export function bindPaymentRoutes(host: Host): void {
  bindEndpoint(host, api.getInvoicePayments, (ctx, { params }) => invoicePayments(ctx, params.id))
  bindEndpoint(host, api.listOpenInvoices, (ctx, { query }) => openInvoicesOf(ctx, query))
  bindEndpoint(host, api.bookPayment, (ctx, { body }) => bookPayment(ctx, body))
  bindEndpoint(host, api.useCredit, (ctx, { body }) => useCredit(ctx, body))
  bindEndpoint(host, api.noteRefund, (ctx, { body }) => noteRefund(ctx, body))
  bindEndpoint(host, api.reversePayment, (ctx, { params, body }) => reversePayment(ctx, params.id, body.reason))
}
