import { z } from 'zod'
import { E_INVOICE_FORMATS, headerOf, type EInvoice } from '../e-invoice/e-invoice.ts'
import { fold } from '../kit/text.ts'

/** Which of our companies an invoice should be addressed to. */
interface OurCompany {
  title: string
  vatNumber: string | null
}

const cents = z.number().int().nullable()

/** What the page of an upload link takes from an electronic invoice; what it does not say, or not in euros, is null. */
export const UploadRead = z.object({
  format: z.enum(E_INVOICE_FORMATS),
  /** ISO 4217 */
  currency: z.string(),
  values: z.object({
    invoiceNumber: z.string().nullable(),
    documentCreationDate: z.string().nullable(),
    dueDate: z.string().nullable(),
    amountCents: cents,
    vatBp: cents,
    totalCents: cents,
    iban: z.string().nullable(),
  }),
  /** to whom it is addressed, where that is not us */
  otherBuyer: z.string().nullable(),
})
export type UploadRead = z.output<typeof UploadRead>

/** A credit note, or a correction that only takes away: no invoice that we could pay. */
export const takesAway = ({ kind, totalCents }: Pick<EInvoice, 'kind' | 'totalCents'>): boolean =>
  kind === 'creditNote' || totalCents < 0

// With or without the letters of the country: KSeF writes a NIP alone.
const vatKey = (vatNumber: string | null): string =>
  (vatNumber ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^[A-Z]{2}/, '')

const nameKey = (name: string): string => fold(name).replace(/[^\p{L}\p{N}]/gu, '')

/** Whether an invoice is addressed to the company; by the VAT number, else by the name, else nobody can tell. */
function isFor({ vatNumber, name }: EInvoice['buyer'], company: OurCompany) {
  const [theirs, ours] = [vatKey(vatNumber), vatKey(company.vatNumber)]
  if (theirs !== '' && ours !== '') return theirs === ours
  if (name === null) return true
  const [there, here] = [nameKey(name), nameKey(company.title)]
  return there.includes(here) || here.includes(there)
}

/** What of an electronic invoice the page of an upload link takes over. */
export function uploadReadOf(invoice: EInvoice, company: OurCompany): UploadRead {
  const { number, documentCreationDate, dueDate, amountCents, vatBp, totalCents, iban } = headerOf(invoice)
  const { format, currency, buyer } = invoice
  return {
    format,
    currency,
    values: { invoiceNumber: number, documentCreationDate, dueDate, amountCents, vatBp, totalCents, iban },
    otherBuyer: isFor(buyer, company) ? null : [buyer.name, buyer.vatNumber].filter(Boolean).join(', '),
  }
}
