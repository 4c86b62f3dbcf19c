export { sentFiles } from './e-invoice/artifact.query.ts'
import { sql } from 'kysely'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import type { Ctx } from '../../kit/context/context.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView } from './invoice.query.ts'
import { refreshSearchKeys } from './invoice.repository.ts'

export { checkInvoice } from './check/check-invoice.ts'
export { invoicedRoute, type InvoicedRoute } from './check/driven-route.query.ts'
/** What a carrier sends later ends the problem with its invoice. */
export { takeCorrected, type ProblemMail } from './check/hold-invoice.ts'
export { billingCustomer, partiesNow, proposalFor, sellingCompany } from './billing.query.ts'
export { invoiceRunOwner } from './month-end/invoice-run.policy.ts'
export { sendInvoiceRun, wakeInvoiceRuns } from './month-end/send-invoice-run.ts'
export { invoiceOwner } from './invoice.policy.ts'
export { goesAsXml } from './e-invoice/facts.query.ts'
export { correctionLooks } from './correction/printed-correction.query.ts'
export { fileNameOf, xmlNameOf } from './invoice.rules.ts'
/** What the page of a carrier's link takes off the agreed sum. */
export { invoicedBefore } from './carrier/carrier-route.query.ts'
export { moveDueDates } from './carrier/move-due-dates.ts'
export { ksefKeyContext } from './ksef/interface/certificates.ts'
export { submitKsefJob, wakeKsef } from './ksef/interface/submit-to-ksef.ts'
export { fetchNbpRates } from './ksef/nbp/fetch-rates.ts'
export { createNbp } from './ksef/nbp/nbp.ts'
export { createKsef } from './ksef/interface/ksef-interface.ts'
export { billedProofs } from './pods/billed-proofs.query.ts'
export { drawPodsJob, scheduleDrawing } from './pods/draw-pods.ts'
export { makePaperJob, wakePapers } from './make-paper.ts'
export type { InvoiceMail } from './send-invoice.ts'

/** One invoice as the caller may see it, for mails. Errors: `not_found`. */
export const loadInvoice = (ctx: Ctx, id: number): Promise<Invoice> => invoiceView(ctx, visibleInvoices(ctx), id)

/** Reaction to `customer.changed`: the search finds invoices by the new title at once. */
export const refreshInvoicesOfCustomer = (ctx: Ctx, { customerId }: { customerId: number }): Promise<void> =>
  refreshSearchKeys(ctx, sql`invoice."billingCustomerId" = ${customerId}`)

/** What creating and sending come to, for who writes many invoices at once. */
export { customerDraft, type Draft } from './invoice.builder.ts'
export { correctionDraft } from './correct-invoice.ts'
export { printedCorrection } from './correction/printed-correction.query.ts'
export { billedBefore } from './correction/sale.query.ts'
export { pdfDataOf } from './invoice-pdf.builder.ts'
export { ksefFactsFor, type KsefFacts } from './ksef/ksef-facts.query.ts'
export { markOf as ksefMarkOf, xmlOf as ksefXmlOf } from './ksef/make-ksef-xml.ts'
export { innerNumber, refreshSearchKeys } from './invoice.repository.ts'
/** Writing a carrier's invoice, for who takes it in from outside. */
export { invoiceService } from './invoice.service.ts'
/** What payments of customers do with the invoices that they pay. */
export { settleInvoices } from './moves/settle-invoice.ts'
/** What a payment run does with the invoices that it holds. */
export { moveInvoicesTogether } from './moves/move-invoices.ts'
