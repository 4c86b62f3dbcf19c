import type { Language } from '@waybill/contract/errors'
import { FINDING_TEXTS } from '@waybill/contract/invoice/e-invoice/finding-texts'
import { eInvoiceFindings, type EInvoiceFinding } from '@waybill/contract/invoice/e-invoice/rules'
import type { Ctx } from '../../../kit/context/context.ts'
import type { FieldFault } from '../../../kit/context/errors.ts'
import { parseEInvoice } from '../../e-invoice/index.ts'
import type { PrintedInvoice } from '../invoice-pdf.builder.ts'
import { contentOf, type Printed } from './content.rules.ts'
import { routingOf, type EInvoiceFacts } from './facts.query.ts'
import { writeCii } from './write-cii.rules.ts'
import { writeUbl } from './write-ubl.rules.ts'

interface Parties {
  companyId: number | null
  billingCustomerId: number | null
}

/**
 * What an electronic invoice says beside its PDF, as customer and company say it now: a correction keeps the parties
 * of its original, and goes the way that the customer wants today. Null where the PDF alone is the invoice.
 */
export async function factsFor(
  ctx: Ctx,
  {
    companyId,
    billingCustomerId,
    seller,
    buyer,
    vatGroups,
  }: Parties & Pick<PrintedInvoice, 'seller' | 'buyer' | 'vatGroups'>,
): Promise<EInvoiceFacts | null> {
  const {
    format,
    hasBillingAddress: _billing,
    ...routing
  } = await routingOf(ctx, {
    companyId: companyId!,
    billingCustomerId: billingCustomerId!,
  })
  if (format === 'pdf') return null
  return {
    ...routing,
    format,
    sellerCountryCode: seller.countryCode,
    buyerCountryCode: buyer.countryCode,
    reasons: vatGroups.map(({ vatBp, vatCategory, note }) => ({ vatBp, vatCategory, reason: note })),
  }
}

interface ProvedContent {
  printed: Printed
  eInvoice: EInvoiceFacts
}

/** A finding with the field of the form in which it is mended. */
export interface LedFinding extends EInvoiceFinding {
  message: string
  recordId: number | null
}

const OF_ADDRESS = ['title', 'city', 'postal', 'countryId']

/** What hinders an electronic invoice, in the caller's language; none where it may go. */
export async function findingsOf(
  ctx: Ctx,
  invoice: Parties & { language: Language },
  { printed, eInvoice }: ProvedContent,
): Promise<LedFinding[]> {
  const findings = eInvoiceFindings(contentOf(printed, eInvoice, invoice.language))
  if (findings.length === 0) return []
  const { companyId, billingCustomerId } = invoice
  const { hasBillingAddress } = await routingOf(ctx, { companyId: companyId!, billingCustomerId: billingCustomerId! })
  const ids = { invoice: null, company: companyId, customer: billingCustomerId }
  return findings.map((finding) => {
    const { record, path, text } = finding
    const isElsewhere = record === 'customer' && hasBillingAddress && OF_ADDRESS.includes(path)
    return {
      ...finding,
      path: isElsewhere ? `billingAddress.${path}` : path,
      message: FINDING_TEXTS[text][ctx.language],
      recordId: ids[record],
    }
  })
}

/** The same as faults of fields: those of another record begin with its name. */
export const findingFaults = async (
  ctx: Ctx,
  invoice: Parties & { language: Language },
  proved: ProvedContent,
): Promise<FieldFault[]> =>
  (await findingsOf(ctx, invoice, proved)).map(({ record, path, rule, message }) => ({
    path: record === 'invoice' ? path : `${record}.${path}`,
    code: 'e_invoice_rule',
    params: { rule, message },
  }))

/** The XML of an invoice. */
export interface MadeXml {
  bytes: Buffer
  eInvoice: 'cii' | 'ubl' | 'ksef'
  /** the same bytes where the PDF carries them */
  inPdf: Buffer | undefined
}

/** The XML in the format of its facts. */
export function makeXml(printed: Printed, facts: EInvoiceFacts, language: Language): MadeXml {
  const content = contentOf(printed, facts, language)
  const isUbl = facts.format === 'xrechnungUbl'
  const bytes = isUbl ? writeUbl(content) : writeCii(content)
  return { bytes, eInvoice: isUbl ? 'ubl' : 'cii', inPdf: facts.format === 'zugferd' ? bytes : undefined }
}

type Sums = Record<'amountCents' | 'vatCents' | 'totalCents', number>

/**
 * Nothing is made that says another amount than the invoice's row: neither what the PDF is drawn from, nor the XML as
 * it is read back. Rejects where it would.
 */
export async function refuseOtherAmounts(
  { printed, ...row }: Sums & { printed: Sums },
  xml: MadeXml | null,
): Promise<void> {
  const read = xml === null ? null : await parseEInvoice(xml.bytes)
  // A credit note says without sign what the row has below zero.
  const sign = read?.kind === 'creditNote' ? -1 : 1
  const differs =
    (['amountCents', 'vatCents', 'totalCents'] as const).some((name) => printed[name] !== row[name]) ||
    (read !== null &&
      (read.netCents !== sign * row.amountCents ||
        read.vatCents !== sign * row.vatCents ||
        read.totalCents !== sign * row.totalCents ||
        read.payableCents !== sign * row.totalCents ||
        read.warnings.length > 0))
  if (differs) throw new Error('what would be made of the invoice says other amounts than the invoice')
}
