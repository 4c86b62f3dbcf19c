import type { Language } from '@waybill/contract/errors'
import { correctionKind, type CorrectionLooks } from '@waybill/contract/invoice/correction'
import type { Extra } from '@waybill/contract/order/extra'
import type { InvoiceStatus } from '@waybill/contract/invoice/status'
import type { VatGroup } from '@waybill/contract/invoice/totals'
import { VAT_NOTES, type VatCategory, type VatNoteKey } from '@waybill/contract/invoice/vat'
import { dateTimeFormat, numberFormat } from '@waybill/contract/kit/intl'
import { pdfName } from '../../kit/pdf/pdf-name.ts'
import { textsOf } from '../../kit/texts/texts.ts'

const TEXTS = textsOf('invoice')

/** The column that keeps when an invoice last reached a status. */
export const STATUS_COLUMNS = {
  created: 'createdStatusAt',
  sent: 'sentAt',
  received: 'receivedAt',
  approved: 'approvedAt',
  in_progress: 'inProgressAt',
  paid: 'paidAt',
  canceled: 'canceledAt',
} as const satisfies Record<InvoiceStatus, string>

// Exemption and zero rate rest on the seller's law; the other two on the directive alone.
function noteKeyOf(category: VatCategory, sellerCountryCode: string): VatNoteKey | null {
  if (category === 'AE') return 'reverse_charge'
  if (category === 'O') return 'outside_scope'
  if (category === 'E')
    return sellerCountryCode === 'DE' ? 'exempt_de' : sellerCountryCode === 'PL' ? null : 'exempt_eu'
  if (category === 'Z') return sellerCountryCode === 'PL' ? 'zero_pl' : null
  return null
}

/**
 * Each VAT group with the sentence that the invoice must carry for it (domain, Invoices: what was applied is stored
 * with its note).
 */
export const notedGroups = (groups: readonly VatGroup[], sellerCountryCode: string, language: Language) =>
  groups.map((group) => {
    const key = noteKeyOf(group.vatCategory, sellerCountryCode)
    return { ...group, note: key === null ? null : VAT_NOTES[key][language] }
  })

/**
 * True where these groups, taken together, come to nothing at every rate: the corrections have taken the invoice back
 * in full.
 */
export const cancelsOut = (groups: readonly VatGroup[]): boolean =>
  [...netsOf(groups).values()].every((net) => net === 0n)

/**
 * True where the corrections take back more than was invoiced, at any rate: what is left of a rate may not be less
 * than nothing, nor, where the original itself gave something back at it, less than that (domain, Invoices).
 */
export function exceedsOriginal(original: readonly VatGroup[], corrections: readonly VatGroup[]): boolean {
  const billed = netsOf(original)
  return [...netsOf([...original, ...corrections])].some(([rate, left]) => {
    const net = billed.get(rate) ?? 0n
    return left < (net < 0n ? net : 0n)
  })
}

/** The net of all groups by rate and category. */
function netsOf(groups: readonly VatGroup[]): Map<string, bigint> {
  const nets = new Map<string, bigint>()
  for (const { vatBp, vatCategory, netCents } of groups) {
    const key = `${vatBp} ${vatCategory}`
    nets.set(key, (nets.get(key) ?? 0n) + BigInt(netCents))
  }
  return nets
}

interface Journey {
  number: string
  invoiceText: string | null
  fromCity: string | null
  fromCountryCode: string | null
  toCity: string | null
  toCountryCode: string | null
  /** local dates YYYY-MM-DD */
  loadingDate: string | null
  unloadingDate: string | null
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', pl: 'pl-PL' }

/** A date as it stands in a sentence. */
export function dateText(date: string, language: Language): string {
  const options: Intl.DateTimeFormatOptions =
    language === 'en'
      ? { day: 'numeric', month: 'short', year: 'numeric' }
      : { day: '2-digit', month: '2-digit', year: 'numeric' }
  return dateTimeFormat(LOCALES[language], { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}

/** A rate in hundredths of a percent as it stands in a sentence. */
export const rateText = (rateBp: number, language: Language): string =>
  numberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 2 }).format(rateBp / 10_000)

const placeText = (city: string | null, countryCode: string | null): string | null =>
  city === null ? countryCode : countryCode === null ? city : `${city} (${countryCode})`

/** What the carriage itself is called where order, way and dates stand beside it. */
export const transportWord = (language: Language): string => TEXTS[language].transport

/** What the freight line says: the order's own invoice text, else the journey in the customer's language. */
export function freightText(order: Journey, language: Language): string {
  if (order.invoiceText !== null) return order.invoiceText
  const places = [
    placeText(order.fromCity, order.fromCountryCode),
    placeText(order.toCity, order.toCountryCode),
  ].filter((place) => place !== null)
  const dates = [...new Set([order.loadingDate, order.unloadingDate].filter((date) => date !== null))].map((date) =>
    dateText(date, language),
  )
  return [`${TEXTS[language].transport} ${order.number}`, places.join(' – '), dates.join(' – ')]
    .filter(Boolean)
    .join(', ')
}

/** What the line of an extra says: its own text, else its kind and the order; where it is counted, the unit too. */
export function extraText(
  { kind, text, unit }: Pick<Extra, 'kind' | 'text' | 'unit'>,
  orderNumber: string,
  language: Language,
): string {
  const { extras, units } = TEXTS[language]
  const says = text ?? `${extras[kind]} ${orderNumber}`
  return unit === 'flat' ? says : `${says} (${units[unit]})`
}

/** The PDF's file name in the invoice's language; a pattern may put signs into numbers that no file name takes. */
export function fileNameOf(
  {
    number,
    innerNumber,
    correction,
    buyer,
  }: {
    number: string | null
    innerNumber: string
    correction: CorrectionLooks | null | undefined
    buyer: { title: string } | null
  },
  language: Language,
): string {
  const names = TEXTS[language].kinds
  const kind = correction ? names[correctionKind(correction)] : names.invoice
  return pdfName(number === null ? `${names.draft} ${kind}` : kind, number ?? innerNumber, buyer?.title)
}

/** What the XML is called beside its PDF. */
export const xmlNameOf = (pdfTitle: string): string => pdfTitle.replace(/\.pdf$/, '.xml')
