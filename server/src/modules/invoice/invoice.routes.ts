import { readEInvoice } from '@waybill/contract/e-invoice/e-invoice'
import {
  approveInvoice as approve,
  getInvoiceCheck,
  holdInvoice as hold,
  listInvoicesToCheck as toCheck,
  undoApproval as undo,
} from '@waybill/contract/invoice/checking'
import { getOutgoingEInvoice, getOutgoingXml } from '@waybill/contract/invoice/e-invoice/sending'
import { listKsefCertificates, putKsefCertificate } from '@waybill/contract/invoice/ksef/certificates'
import { exportNotIssued, getKsefStanding } from '@waybill/contract/invoice/ksef/standing'
import {
  issueKsefOffline,
  putNbpRate,
  sendWithoutKsef,
  submitToKsefAgain,
  typeKsefNumber,
} from '@waybill/contract/invoice/ksef/ksef'
import {
  correctInvoice as correct,
  disputeInvoice as dispute,
  endDispute,
  findCarrierNumber as findNumber,
  getInvoiceDocument,
  getVatProposal,
  invoiceApi,
  listCarrierRoutes as listRoutes,
  listInvoiceOrders,
  makeInvoiceDocument,
  moveInvoice as move,
  sendInvoice as send,
} from '@waybill/contract/invoice/invoice'
import { getSale } from '@waybill/contract/invoice/correction'
import { listWaitingExtras } from '@waybill/contract/invoice/waiting-extras'
import * as monthEnd from '@waybill/contract/invoice/month-end/month-end'
import { bindEndpoint, bindPrepared, bindResource, type Host } from '../../kit/http/routes.ts'
import { listOrdersToInvoice } from '../order/index.ts'
import { findCarrierNumber } from './carrier/find-carrier-number.ts'
import { listCarrierRoutes } from './carrier/carrier-route.query.ts'
import { approveInvoice, undoApproval } from './check/approve-invoice.ts'
import { checkInvoice } from './check/check-invoice.ts'
import { holdInvoice } from './check/hold-invoice.ts'
import { readCurrency } from './check/read-currency.ts'
import { listInvoicesToCheck } from './check/to-check.ts'
import { correctInvoice } from './correct-invoice.ts'
import { showSale } from './correction/sale.query.ts'
import { sendXml, showOutgoing } from './e-invoice/show-e-invoice.ts'
import { invoiceSheet } from './export-invoices.ts'
import { waitingExtras } from './extras/waiting-extras.query.ts'
import { invoiceService } from './invoice.service.ts'
import { makeMissingPaper, withPaper } from './make-paper.ts'
import { invoiceRunView } from './month-end/invoice-run.query.ts'
import {
  hinderedAtMonthEnd,
  sendMonthEndDocument,
  showMonthEnd,
  showMonthEndCustomer,
} from './month-end/show-month-end.ts'
import { startInvoiceRun, stopInvoiceRun } from './month-end/start-invoice-run.ts'
import { disputeInvoice } from './moves/dispute-invoice.ts'
import { keepCertificate, listCertificates } from './ksef/interface/certificates.ts'
import { issueOffline, proveOffline } from './ksef/interface/issue-offline.ts'
import { submitAgain } from './ksef/interface/submit-again.ts'
import { enterNbpRate } from './ksef/nbp/enter-rate.ts'
import { sendNotIssued } from './ksef/standing/export-not-issued.ts'
import { ksefStanding } from './ksef/standing/standing.query.ts'
import { goWithout, typeNumber } from './ksef/type-number.ts'
import { moveInvoice, proveMove } from './moves/move-invoice.ts'
import { proposeVat } from './propose-vat.ts'
import { readForForm } from './read-for-form.ts'
import { sendInvoiceDocument } from './send-document.ts'
import { numberInvoice, proveInvoice } from './send-invoice.ts'

export function bindInvoiceRoutes(host: Host): void {
  bindResource(host, invoiceApi, invoiceService, invoiceSheet)
  bindEndpoint(host, listInvoiceOrders, (ctx, { query }) => listOrdersToInvoice(ctx, query))
  bindEndpoint(host, listRoutes, (ctx, { query }) => listCarrierRoutes(ctx, query))
  bindEndpoint(host, findNumber, (ctx, { query }) => findCarrierNumber(ctx, query))
  bindEndpoint(host, readEInvoice, (ctx, { request }) => readForForm(ctx, request))
  bindPrepared(
    host,
    send,
    (ctx, { params, version }) => proveInvoice(ctx, params.id, version),
    (ctx, { params, version, body }, proved) => numberInvoice(ctx, params.id, version, { proved, mail: body }),
    withPaper,
  )
  bindPrepared(
    host,
    move,
    (ctx, { params, version, body }) => proveMove(ctx, params.id, version, body),
    (ctx, { params, version, body }, proved) => moveInvoice(ctx, params.id, version, body, proved),
    withPaper,
  )
  bindEndpoint(host, correct, (ctx, { params, version, body }) => correctInvoice(ctx, params.id, version, body))
  bindEndpoint(host, listWaitingExtras, (ctx, { params }) => waitingExtras(ctx, params.id))
  bindEndpoint(host, getSale, (ctx, { params }) => showSale(ctx, params.id))
  bindEndpoint(host, dispute, (ctx, { params, version, body }) => disputeInvoice(ctx, params.id, version, body.reason))
  bindEndpoint(host, endDispute, (ctx, { params, version }) => disputeInvoice(ctx, params.id, version, null))
  bindEndpoint(host, getInvoiceDocument, async (ctx, { params, reply }) => {
    await sendInvoiceDocument(ctx, params.id, reply)
    return {}
  })
  bindEndpoint(host, getOutgoingEInvoice, (ctx, { params }) => showOutgoing(ctx, params.id))
  bindEndpoint(host, getOutgoingXml, async (ctx, { params, reply }) => {
    await sendXml(ctx, params.id, reply)
    return {}
  })
  bindEndpoint(host, makeInvoiceDocument, (ctx, { params }) => makeMissingPaper(ctx, params.id), {
    ownTransaction: true,
  })
  bindPrepared(
    host,
    typeKsefNumber,
    () => Promise.resolve(null),
    (ctx, { params, version, body }) => typeNumber(ctx, params.id, version, body.number),
    withPaper,
  )
  bindPrepared(
    host,
    sendWithoutKsef,
    () => Promise.resolve(null),
    (ctx, { params, version, body }) => goWithout(ctx, params.id, version, body.reason),
    withPaper,
  )
  bindPrepared(
    host,
    issueKsefOffline,
    (ctx, { params }) => proveOffline(ctx, params.id),
    (ctx, { params, version }) => issueOffline(ctx, params.id, version),
    withPaper,
  )
  bindEndpoint(host, submitToKsefAgain, (ctx, { params, version }) => submitAgain(ctx, params.id, version))
  bindEndpoint(host, getKsefStanding, (ctx) => ksefStanding(ctx))
  bindEndpoint(host, exportNotIssued, async (ctx, { query, reply }) => {
    await sendNotIssued(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, listKsefCertificates, (ctx, { params }) => listCertificates(ctx, params.id))
  bindEndpoint(host, putKsefCertificate, (ctx, { params: { id: companyId, kind }, body }) =>
    keepCertificate(ctx, { companyId, kind }, body),
  )
  bindEndpoint(host, putNbpRate, (ctx, { params, body }) => enterNbpRate(ctx, { ...params, ...body }))
  bindEndpoint(host, toCheck, (ctx, { query }) => listInvoicesToCheck(ctx, query))
  bindEndpoint(host, getInvoiceCheck, async (ctx, { params }) => {
    await readCurrency(ctx, params.id)
    return checkInvoice(ctx, params.id)
  })
  bindPrepared(
    host,
    approve,
    (ctx, { params }) => readCurrency(ctx, params.id),
    (ctx, { params, version, body: { answers, reason, seen } }) =>
      approveInvoice(ctx, params.id, version, { difference: answers.amount, reason, seen }),
  )
  bindEndpoint(host, undo, (ctx, { params, version }) => undoApproval(ctx, params.id, version))
  bindEndpoint(host, hold, (ctx, { params, version, body }) => holdInvoice(ctx, params.id, version, body))
  bindEndpoint(host, getVatProposal, (ctx, { query }) => proposeVat(ctx, query))
  bindEndpoint(host, monthEnd.getMonthEnd, (ctx, { query }) => showMonthEnd(ctx, query))
  bindEndpoint(host, monthEnd.listMonthEndHindered, (ctx, { query }) => hinderedAtMonthEnd(ctx, query))
  bindEndpoint(host, monthEnd.getMonthEndCustomer, (ctx, { params, query }) =>
    showMonthEndCustomer(ctx, params.id, query),
  )
  bindEndpoint(host, monthEnd.getMonthEndDocument, async (ctx, { params, query, reply }) => {
    await sendMonthEndDocument(ctx, params.id, query, reply)
    return {}
  })
  bindEndpoint(host, monthEnd.startInvoiceRun, (ctx, { body }) => startInvoiceRun(ctx, body))
  bindEndpoint(host, monthEnd.getInvoiceRun, (ctx, { params }) => invoiceRunView(ctx, params.id))
  bindEndpoint(host, monthEnd.stopInvoiceRun, (ctx, { params }) => stopInvoiceRun(ctx, params.id))
}
