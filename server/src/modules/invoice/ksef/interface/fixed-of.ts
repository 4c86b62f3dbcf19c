import type { Language } from '@waybill/contract/errors'
import type { Printed } from '../../e-invoice/content.rules.ts'
import type { readInvoice } from '../../invoice.repository.ts'
import type { KsefFacts } from '../ksef-facts.query.ts'
import type { submissionOf } from '../submission.query.ts'

type Invoice = NonNullable<Awaited<ReturnType<typeof readInvoice>>>
type Submission = NonNullable<Awaited<ReturnType<typeof submissionOf>>>

/**
 * What was fixed with the number of an invoice that goes through the interface, as its XML is made from it. A technical
 * correction is a file of its own, and says when it was made.
 */
export function fixedOf(invoice: Invoice, { printed, language, correctsSha256, createdAt }: Submission) {
  const { ksef: facts, ...shown } = printed as unknown as Printed & { ksef: KsefFacts }
  const frozenAt = correctsSha256 === null ? invoice.frozenAt! : createdAt
  return { ...invoice, printed: shown, facts, language: language as Language, frozenAt }
}
