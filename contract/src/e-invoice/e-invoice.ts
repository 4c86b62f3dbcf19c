import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idText, reference } from '../kit/fields.ts'
import { can } from '../permissions.ts'

/**
 * How an electronic invoice came: UBL 2.1 or CII D16B as XML, a PDF with CII or UBL in it (ZUGFeRD, Factur-X), or the
 * XML of the Polish KSeF (FA(2), FA(3)).
 */
export const E_INVOICE_FORMATS = ['ubl', 'cii', 'zugferd', 'ksef'] as const
export type EInvoiceFormat = (typeof E_INVOICE_FORMATS)[number]

/** `creditNote`: amounts without sign are owed to the buyer (UNTDID 1001: 381); `correction`: they bear their sign. */
export const E_INVOICE_KINDS = ['invoice', 'creditNote', 'correction'] as const
export type EInvoiceKind = (typeof E_INVOICE_KINDS)[number]

/**
 * What is odd about an electronic invoice that can be read all the same: sums that break a rule of EN 16931 (6.4.2), an
 * amount with more than two decimals, lines beyond those that are shown.
 */
export const E_INVOICE_WARNINGS = [
  'BR-CO-10',
  'BR-CO-11',
  'BR-CO-12',
  'BR-CO-13',
  'BR-CO-14',
  'BR-CO-15',
  'BR-CO-16',
  'BR-CO-17',
  'prepaid',
  'rounded',
  'lines_cut',
] as const
export type EInvoiceWarning = (typeof E_INVOICE_WARNINGS)[number]

const cents = z.number().int()

const party = z.object({
  name: z.string().nullable(),
  /** with the letters of its country, without blanks */
  vatNumber: z.string().nullable(),
  address: z.string().nullable(),
  postal: z.string().nullable(),
  city: z.string().nullable(),
  countryCode: z.string().nullable(),
})

/** An electronic invoice as it can be read. Amounts are cents of `currency`; dates are local. */
export const EInvoice = z.object({
  format: z.enum(E_INVOICE_FORMATS),
  /** as the invoice names it: the specification that it follows, or the form of KSeF */
  profile: z.string().nullable(),
  kind: z.enum(E_INVOICE_KINDS),
  number: z.string(),
  issueDate: z.string(),
  dueDate: z.string().nullable(),
  servicePeriodFrom: z.string().nullable(),
  servicePeriodTo: z.string().nullable(),
  /** ISO 4217 */
  currency: z.string(),
  netCents: cents,
  vatCents: cents,
  totalCents: cents,
  /** what is left to pay after prepayments */
  payableCents: cents,
  vatGroups: z.array(
    z.object({
      /** UNTDID 5305, of KSeF the rate in its own words (`np I`, `oo`) */
      category: z.string(),
      /** hundredths of a percent; null where the invoice names no rate */
      vatBp: z.number().int().nullable(),
      netCents: cents,
      vatCents: cents,
      reason: z.string().nullable(),
    }),
  ),
  iban: z.string().nullable(),
  seller: party,
  buyer: party,
  buyerReference: z.string().nullable(),
  orderReference: z.string().nullable(),
  lines: z.array(
    z.object({
      number: z.string().nullable(),
      text: z.string(),
      quantity: z.number().nullable(),
      unit: z.string().nullable(),
      unitPrice: z.number().nullable(),
      netCents: cents.nullable(),
      vatBp: z.number().int().nullable(),
    }),
  ),
  notes: z.array(z.string()),
  paymentTerms: z.string().nullable(),
  /** files inside the invoice, which are not shown */
  attachmentCount: z.number().int(),
  warnings: z.array(z.enum(E_INVOICE_WARNINGS)),
})
export type EInvoice = z.output<typeof EInvoice>

/**
 * What a stored electronic invoice says; by the rule of its file. Errors: `not_found` where
 * the file is none.
 */
export const getEInvoice = endpoint({
  method: 'GET',
  path: '/documents/:id/e-invoice',
  access: 'signedIn',
  summary: 'The electronic invoice that a file is, to be read',
  params: z.strictObject({ id: idText }),
  reply: EInvoice,
})

/** Header values of a carrier's invoice; what the invoice does not say, or not in euros, is null. */
const headerValues = z.object({
  number: z.string().nullable(),
  amountCents: cents.nullable(),
  vatBp: z.number().int().nullable(),
  totalCents: cents.nullable(),
  iban: z.string().nullable(),
  documentCreationDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  servicePeriodFrom: z.string().nullable(),
  servicePeriodTo: z.string().nullable(),
})
export type EInvoiceHeader = z.output<typeof headerValues>

/**
 * Reads an electronic invoice of a carrier for the form, and keeps nothing. Errors at `file`: `e_invoice_unknown`,
 * `e_invoice_broken`, `e_invoice_unsafe`, `e_invoice_too_heavy`, `e_invoice_incomplete`; `unavailable` where too many
 * are read at once.
 */
export const readEInvoice = endpoint({
  method: 'POST',
  path: '/invoices/read-e-invoice',
  access: can('INVOICES_PROCESSING'),
  summary: 'Read an electronic invoice for the form of a carrier’s invoice (multipart: file); nothing is kept',
  reply: z.object({
    eInvoice: EInvoice,
    values: headerValues,
    /** the one carrier that has the seller’s VAT number; null where none or several have */
    carrierCompany: reference.nullable(),
  }),
  shape: 'multipart',
  location: null,
})

/** Roundings of what is to be paid are less than this. */
const MOST_ROUNDED_CENTS = 100

/** What is left to pay of an invoice of which part was paid before; null where the whole total is to be paid. */
export function leftToPayOf(invoice: Pick<EInvoice, 'totalCents' | 'payableCents' | 'warnings'>): number | null {
  const lessCents = invoice.totalCents - invoice.payableCents
  if (lessCents <= 0) return null
  return invoice.warnings.includes('prepaid') || lessCents >= MOST_ROUNDED_CENTS ? invoice.payableCents : null
}

const MAX_NUMBER = 100

/**
 * What of an electronic invoice the form of a carrier's invoice takes: amounts in the currency that it says, those of
 * a credit note below zero, also where it writes them so itself; a rate only where there is one.
 */
export function headerOf(invoice: EInvoice): EInvoiceHeader {
  const { vatGroups, kind, netCents, totalCents } = invoice
  const owed = (cents: number) => (kind === 'creditNote' ? 0 - Math.abs(cents) : cents)
  const [group] = vatGroups
  return {
    number: invoice.number.length <= MAX_NUMBER ? invoice.number : null,
    amountCents: owed(netCents),
    vatBp: group && vatGroups.every(({ vatBp }) => vatBp === group.vatBp) ? group.vatBp : null,
    totalCents: owed(totalCents),
    iban: invoice.iban,
    documentCreationDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    servicePeriodFrom: invoice.servicePeriodFrom,
    servicePeriodTo: invoice.servicePeriodTo,
  }
}
