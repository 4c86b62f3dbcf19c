import * as api from '@waybill/contract/payment-file/payment-file'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { exportList } from '../../kit/tables/export-list.ts'
import { createPaymentFile } from './create-payment-file.ts'
import { listDebtorBanks } from './debtor-bank.query.ts'
import { paymentFileSheet } from './export-payment-files.ts'
import { listRuns, runView } from './payment-file.query.ts'
import { proposePayments } from './propose-payments.ts'
import { sendPaymentFile } from './send-payment-file.ts'
import { setOffInvoices } from './set-off.ts'
import { confirmPaymentFile, returnPayment, voidPaymentFile } from './settle-payment-file.ts'
import { takeReturnBack } from './take-return-back.ts'

export function bindPaymentFileRoutes(host: Host): void {
  bindEndpoint(host, api.listDebtorBanks, async (ctx) => ({ items: await listDebtorBanks(ctx) }))
  bindEndpoint(host, api.getPaymentProposal, (ctx, { query }) => proposePayments(ctx, query))
  bindEndpoint(host, api.listPaymentFiles, (ctx, { query }) => listRuns(ctx, query))
  bindEndpoint(host, api.exportPaymentFiles, async (ctx, { query, reply }) => {
    await exportList(ctx, api.paymentFileApi, listRuns, paymentFileSheet, query, reply)
    return {}
  })
  bindEndpoint(host, api.getPaymentFile, (ctx, { params }) => runView(ctx, params.id))
  bindEndpoint(host, api.createPaymentFile, (ctx, { body }) => createPaymentFile(ctx, body))
  bindEndpoint(host, api.setOffInvoices, (ctx, { body }) => setOffInvoices(ctx, body.invoiceIds))
  bindEndpoint(host, api.getPaymentFileContent, async (ctx, { params, reply }) => {
    await sendPaymentFile(ctx, params.id, reply)
    return {}
  })
  bindEndpoint(host, api.confirmPaymentFile, (ctx, { params, version }) => confirmPaymentFile(ctx, params.id, version))
  bindEndpoint(host, api.voidPaymentFile, (ctx, { params, version, body }) =>
    voidPaymentFile(ctx, params.id, version, body.reason),
  )
  bindEndpoint(host, api.returnPayment, (ctx, { params, version, body }) =>
    returnPayment(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.takeReturnBack, (ctx, { params, version, body }) =>
    takeReturnBack(ctx, params.id, version, body),
  )
}
