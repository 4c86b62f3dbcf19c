import { isXRechnung } from '@waybill/contract/e-invoice/format'
import type { Language } from '@waybill/contract/errors'
import type { EInvoiceContent } from '@waybill/contract/invoice/e-invoice/content'
import { skontoOffers } from '@waybill/contract/skonto/offers'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import type { PdfData } from '../invoice-pdf.builder.ts'
import { dateText, rateText } from '../invoice.rules.ts'
import type { EInvoiceFacts } from './facts.query.ts'

const TEXTS = textsOf('invoice')

const reasonFor = ({ reasons }: EInvoiceFacts, group: { vatBp: number; vatCategory: string }): string | null =>
  reasons.find(({ vatBp, vatCategory }) => vatBp === group.vatBp && vatCategory === group.vatCategory)?.reason ?? null

/** What the PDF shows; its picture is no matter here. */
export type Printed = Omit<PdfData, 'seller'> & { seller: Omit<PdfData['seller'], 'logo'> }

/**
 * Until when it is to be paid, and what may be taken off before. XRechnung gives Skonto a form that programs read, each
 * step on a line that ends (BR-DE-18).
 */
function paymentTermsOf(printed: Printed, format: EInvoiceContent['format'], language: Language): string | null {
  const { dueDate, invoiceDate, skonto = [], totalCents } = printed
  if (dueDate === null) return null
  const payable = filled(TEXTS[language].payableBy, { date: dateText(dueDate, language) })
  if (invoiceDate === null || skonto.length === 0) return payable
  const steps = isXRechnung(format)
    ? skonto.map(({ days, percentBp }) => `#SKONTO#TAGE=${days}#PROZENT=${(percentBp / 100).toFixed(2)}#`)
    : skontoOffers(skonto, invoiceDate, totalCents).map(({ percentBp, until }) =>
        filled(TEXTS[language].skontoBy, { percent: rateText(percentBp, language), date: dateText(until, language) }),
      )
  return [payable, ...steps, ''].join('\n')
}
const opposite = (value: number): number => (value === 0 ? 0 : -value)

/** The same as a credit note, without sign. */
const asCreditNote = (content: EInvoiceContent): EInvoiceContent => ({
  ...content,
  isCreditNote: true,
  lines: content.lines.map((line) => ({
    ...line,
    quantity: opposite(line.quantity),
    netCents: opposite(line.netCents),
  })),
  vatGroups: content.vatGroups.map((group) => ({
    ...group,
    netCents: opposite(group.netCents),
    vatCents: opposite(group.vatCents),
  })),
  amountCents: opposite(content.amountCents),
  vatCents: opposite(content.vatCents),
  totalCents: opposite(content.totalCents),
})

/** What the electronic invoice says: from what is printed, and what was fixed beside it, alone. */
export function contentOf(printed: Printed, facts: EInvoiceFacts, language: Language): EInvoiceContent {
  const { seller, buyer, correctionOf, totalCents } = printed
  // What is paid back is due to nobody.
  const dueDate = totalCents < 0 ? null : printed.dueDate
  const reason = correctionOf?.reason
  const setOff = correctionOf?.isCreditNote ? filled(TEXTS[language].setOff, { number: correctionOf.number }) : null
  const content: EInvoiceContent = {
    format: facts.format,
    number: printed.number ?? printed.innerNumber,
    issueDate: printed.invoiceDate ?? '',
    dueDate,
    currency: printed.currency,
    buyerReference: facts.buyerReference,
    orderReference: printed.customerOrderNumber,
    // A positive amount needs a date or terms (BR-CO-25), one of a credit note too.
    paymentTerms: dueDate === null ? setOff : paymentTermsOf({ ...printed, dueDate }, facts.format, language),
    notes: [...printed.notes, ...(reason ? [reason] : [])],
    correctionOf: correctionOf ? { number: correctionOf.number, issueDate: correctionOf.invoiceDate } : null,
    servicePeriodFrom: printed.servicePeriodFrom,
    servicePeriodTo: printed.servicePeriodTo,
    seller: {
      name: seller.title,
      address: seller.address,
      postal: seller.postal,
      city: seller.city,
      countryCode: facts.sellerCountryCode,
      vatNumber: seller.vatNumber,
      electronic: facts.sellerAddress,
      taxNumber: facts.taxNumber,
      register: facts.register,
      contact: facts.contact,
    },
    buyer: {
      name: buyer.title,
      address: buyer.address,
      postal: buyer.postal,
      city: buyer.city,
      countryCode: facts.buyerCountryCode,
      vatNumber: buyer.vatNumber,
      electronic: facts.buyerAddress,
    },
    iban: seller.iban,
    bic: seller.bic,
    lines: printed.lines,
    vatGroups: printed.vatGroups.map((group) => ({ ...group, reason: reasonFor(facts, group) })),
    amountCents: printed.amountCents,
    vatCents: printed.vatCents,
    totalCents,
  }
  return correctionOf?.isCreditNote ? asCreditNote(content) : content
}
