import type { FastifyReply } from 'fastify'
import type { OutgoingEInvoice } from '@waybill/contract/invoice/e-invoice/sending'
import { isSendable } from '@waybill/contract/invoice/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { sendDocument } from '../../document/index.ts'
import { partiesNow } from '../billing.query.ts'
import { pdfDataOf } from '../invoice-pdf.builder.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import { readInvoice } from '../invoice.repository.ts'
import { artifactsOf, fixedFacts } from './artifact.query.ts'
import { submissionOf } from '../ksef/submission.query.ts'
import { showDraft, showNumbered } from '../ksef/show-ksef.ts'
import { routingOf } from './facts.query.ts'
import { factsFor, findingsOf } from './prove-e-invoice.ts'

const NOTHING = {
  address: { scheme: null, value: null },
  buyerReference: null,
  findings: [],
  xml: null,
  pdf: null,
  ksef: null,
}

/**
 * How a customer's invoice goes out: of a sent one what was fixed and made, of a draft what customer and company say
 * now, and what of it hinders sending. Errors: `not_found`.
 */
export async function showOutgoing(ctx: Ctx, id: number): Promise<OutgoingEInvoice> {
  const view = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (view.entityType !== 'customer') throw new AppError('not_found')
  if (view.number !== null) {
    const ksef = await showNumbered(ctx, view)
    if (ksef !== null) return { ...NOTHING, ...ksef, format: 'ksef', pdf: (await artifactsOf(ctx, id)).pdf }
    const facts = await fixedFacts(ctx, id)
    return {
      ...NOTHING,
      ...(await artifactsOf(ctx, id)),
      format: facts?.format ?? 'pdf',
      ...(facts && { address: facts.buyerAddress, buyerReference: facts.buyerReference }),
    }
  }
  const { companyId, billingCustomerId } = view
  if (companyId === null || billingCustomerId === null) return { ...NOTHING, format: 'pdf' }
  const ksef = await showDraft(ctx, view)
  if (ksef !== null) return { ...NOTHING, ...ksef, format: 'ksef' }
  const { format, buyerAddress, buyerReference } = await routingOf(ctx, { companyId, billingCustomerId })
  const draft = { ...NOTHING, format, address: buyerAddress, buyerReference }
  const invoice = (await readInvoice(ctx, id))!
  if (format === 'pdf' || !isSendable(view.entityType, view.status)) return draft
  const shown = { ...invoice, ...(await partiesNow(ctx, view)), ...AS_IF_SENT }
  const eInvoice = await factsFor(ctx, shown)
  const found = eInvoice && (await findingsOf(ctx, invoice, { printed: await pdfDataOf(ctx, shown), eInvoice }))
  return {
    ...draft,
    findings: (found ?? []).map(({ rule, message, record, recordId, path }) => ({
      rule,
      message,
      record,
      recordId,
      path,
    })),
  }
}

// What sending gives is not what hinders it.
const AS_IF_SENT = { number: '1', invoiceDate: '2000-01-01', dueDate: '2000-01-01' }

/** Answers with the XML as it was sent. Errors: `not_found`, `paper_missing` while it is not made. */
export async function sendXml(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const { paper, entityType } = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (entityType !== 'customer') throw new AppError('not_found')
  const submission = await submissionOf(ctx, id)
  if (submission !== null) {
    if (submission.documentId === null) throw new AppError('paper_missing')
    return sendDocument(ctx, submission.documentId, reply)
  }
  if (paper === null) throw new AppError('not_found')
  if ((await fixedFacts(ctx, id)) === null) throw new AppError('not_found')
  if (paper !== 'made') throw new AppError('paper_missing')
  const { xml } = await artifactsOf(ctx, id)
  if (xml === null) throw new AppError('not_found')
  return sendDocument(ctx, xml.documentId, reply)
}
