import { skontoOffers } from '@waybill/contract/skonto/offers'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import type { PaperWrite } from '@waybill/contract/email/paper-template'
import type { VariableKey } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import { counted, filled, textsOf } from '../../kit/texts/texts.ts'
import {
  formatCents,
  formatDate,
  formatNumber,
  formatRate,
  groupIban,
  invoiceKind,
  isGiven,
  LOCALES,
  town,
} from './document-words.ts'
import { facturXFile, withFacturXMetadata } from './factur-x.document.ts'
import { footerOf, letterheadOf, qrPicture, renderLetter, type Writer } from './letter.document.ts'
import { besides, ownBlocks, type PaperValues } from './own-text/own-text.document.ts'

/** What an invoice says: the snapshot kept with it, not the records of today (domain, Invoices). */
export interface InvoiceDocumentData {
  seller: Writer & {
    /** name of the country in the document's language */
    country: string | null
    vatNumber: string | null
    iban: string | null
    bic: string | null
    bankName: string | null
  }
  buyer: {
    title: string
    address: string | null
    postal: string | null
    city: string | null
    country: string | null
    vatNumber: string | null
  }
  /** null = not sent yet: the document is a draft */
  number: string | null
  innerNumber: string
  /** dates are YYYY-MM-DD */
  invoiceDate: string | null
  dueDate: string | null
  /** what may be taken off for paying early; papers fixed before there was this have none */
  skonto?: Skonto
  servicePeriodFrom: string | null
  servicePeriodTo: string | null
  orderNumbers: string[]
  customerOrderNumber: string | null
  lines: {
    text: string
    quantity: number
    unitPriceCents: number
    vatBp: number
    vatCategory: VatCategory
    netCents: number
    /** the order of ours that it bills; papers fixed before there was this do not say it */
    orderNumber?: string | null
    /** where several orders are billed: the last day of its own; papers fixed before there was this do not say it */
    serviceDate?: string | null
  }[]
  /** of a combined invoice: its orders, each with its lines (by their index) and what these say below its head */
  sections?: {
    number: string
    customerOrderNumber: string | null
    from: SectionPlace
    to: SectionPlace
    /** YYYY-MM-DD */
    loadingDate: string | null
    unloadingDate: string | null
    lines: { index: number; text: string }[]
  }[]
  /** proofs of delivery that are set behind the pages, each as a page of its own; their pictures are given beside */
  pods?: {
    documentId: number
    fileKey: string
    /** of the picture, in hex; papers fixed before proofs were drawn do not say it */
    sha256?: string
    title: string
    orderNumber: string
    /** of a proof with several pages */
    page?: { number: number; of: number }
  }[]
  vatGroups: { vatBp: number; vatCategory: VatCategory; netCents: number; vatCents: number }[]
  amountCents: number
  vatCents: number
  totalCents: number
  /** in the document's language, e.g. the sentence on reverse charge */
  notes: string[]
  /** what the transports emitted, for a customer that wants to know */
  emission?: PrintedEmission
  currency: 'EUR'
  /** what the department says below the lines, as it was when the paper was fixed; `values`: those of no field above */
  ownText?: (PaperWrite & { values: PaperValues }) | null
  correctionOf?: CorrectionDocumentData | null
  /** of companies in Poland: where KSeF shows the invoice, its number there, and the VAT in grosz */
  ksefMark?: {
    url: string
    /** null: it went without, or KSeF does not have it yet */
    number: string | null
    /** code II of one that was given out while KSeF was away */
    certificateUrl?: string
    vat: { grosz: number; parts: ZlotyPart[] } | null
  }
}

/** Grams of CO₂e, of the transports of which all is known that it takes. */
interface PrintedEmission {
  grams: number
  transports: number
  complete: number
}

/** What of the VAT became złoty by one rate. */
interface ZlotyPart {
  grosz: number
  rate: string
  tableNumber: string
  day: string
}

interface Priced {
  quantity: number
  unitPriceCents: number
  netCents: number
}

/** What a correction says of its original; papers fixed before decision 084 have the first three alone. */
interface CorrectionDocumentData {
  number: string
  /** of a company in Poland: the original's number in KSeF; null where it has none there */
  ksefNumber?: string | null
  invoiceDate: string | null
  reason?: string | null
  /** takes the original back as a whole, with the corrections before it */
  isFull?: boolean
  /** amounts without sign are given back */
  isCreditNote?: boolean
  /** what was invoiced and what it should be stand line by line */
  isCompared?: boolean
  /** total of the original with the corrections before this one, and with it */
  beforeCents?: number
  afterCents?: number
  groups?: {
    vatBp: number
    vatCategory: VatCategory
    before: { netCents: number; vatCents: number }
    after: { netCents: number; vatCents: number }
  }[]
  /** beside the lines, in their order; null of what is added */
  changes?: {
    text: string
    vatBp: number
    vatCategory: VatCategory
    netCents: number
    before: Priced | null
    after: Priced | null
  }[]
}

interface SectionPlace {
  city: string | null
  countryCode: string | null
}

const TEXTS = textsOf('invoice-document')
const LETTER = textsOf('letter')
const INVOICE = textsOf('invoice')

/** More order numbers than this would push the information block into the text; they go below the heading. */
const MAX_ORDERS_IN_BLOCK = 3

const skontoOf = ({ skonto = [], invoiceDate, totalCents }: InvoiceDocumentData) =>
  invoiceDate === null ? [] : skontoOffers(skonto, invoiceDate, totalCents)

const opposite = (value: number): number => (value === 0 ? 0 : -value)
const unsignedGroup = <Group extends { netCents: number; vatCents: number }>(group: Group): Group => ({
  ...group,
  netCents: opposite(group.netCents),
  vatCents: opposite(group.vatCents),
})

/** A credit note says without sign what is given back. */
function asShown(data: InvoiceDocumentData): InvoiceDocumentData {
  if (!data.correctionOf?.isCreditNote) return data
  return {
    ...data,
    lines: data.lines.map((line) => ({
      ...line,
      quantity: opposite(line.quantity),
      netCents: opposite(line.netCents),
    })),
    vatGroups: data.vatGroups.map(unsignedGroup),
    amountCents: opposite(data.amountCents),
    vatCents: opposite(data.vatCents),
    totalCents: opposite(data.totalCents),
  }
}

type Labels = (typeof LETTER)[Language] & (typeof TEXTS)[Language]
interface LineRow {
  position: string
  text: string
  quantity: string
  unitPrice: string
  vat: string
  net: string
  tone: 'plain' | 'soft' | 'strong'
}

/** One line of the table; of a correction with what it was and is to be, in rows or in a sentence. */
function rowsOf(
  { lines, correctionOf }: InvoiceDocumentData,
  { index, position, text }: { index: number; position: string; text: string },
  labels: Labels,
  language: Language,
): LineRow[] {
  const money = (cents: number) => formatCents(cents, language)
  const figures = ({ quantity, unitPriceCents, netCents }: Priced) => ({
    quantity: formatNumber(quantity, language),
    unitPrice: money(unitPriceCents),
    net: money(netCents),
  })
  const short = (line: Priced) => `${formatNumber(line.quantity, language)} × ${money(line.unitPriceCents)}`
  const line = lines[index]!
  const vat = formatRate(line.vatBp, language)
  const { before, after } = correctionOf?.changes?.[index] ?? { before: null, after: null }
  const plain = { position, text, vat, tone: 'plain' as const }
  if (before === null || after === null) return [{ ...plain, ...figures(line) }]
  if (!correctionOf?.isCompared) {
    const was = filled(labels.changed, { before: short(before), after: short(after) })
    return [{ ...plain, ...figures(line), text: correctionOf?.isFull ? text : `${text}\n${was}` }]
  }
  const none = { position: '', quantity: '', unitPrice: '', vat: '', net: '' }
  return [
    { ...none, position, text, tone: 'plain' },
    { ...none, ...figures(before), text: labels.before, vat, tone: 'soft' },
    { ...none, ...figures(after), text: labels.after, vat, tone: 'soft' },
    { ...none, text: labels.difference, net: money(line.netCents), tone: 'strong' },
  ]
}

/** The lines, of a combined invoice by order below a head each; lines of no order stand behind them. */
function tableOf(data: InvoiceDocumentData, labels: Labels, language: Language) {
  const money = (cents: number) => formatCents(cents, language)
  let count = 0
  const rowOf = (index: number, text: string): LineRow[] =>
    rowsOf(data, { index, position: String((count += 1)), text }, labels, language)
  const place = ({ city, countryCode }: SectionPlace) =>
    city === null ? countryCode : countryCode === null ? city : `${city} (${countryCode})`
  const groups = (data.sections ?? []).map((section) => {
    const days = [...new Set([section.loadingDate, section.unloadingDate])].flatMap((day) =>
      day === null ? [] : formatDate(day, language),
    )
    return {
      title: filled(labels.sectionOrder, { number: section.number }),
      reference:
        section.customerOrderNumber && filled(labels.sectionReference, { number: section.customerOrderNumber }),
      way: [[place(section.from), place(section.to)].filter(Boolean).join(' – '), days.join(' – ')]
        .filter(Boolean)
        .join(', '),
      net: money(section.lines.reduce((sum, { index }) => sum + data.lines[index]!.netCents, 0)),
      rows: section.lines.flatMap(({ index, text }) => rowOf(index, text)),
    }
  })
  const placed = new Set((data.sections ?? []).flatMap(({ lines }) => lines.map(({ index }) => index)))
  const rest = data.lines.flatMap(({ text }, index) => (placed.has(index) ? [] : rowOf(index, text)))
  return { sections: groups, lines: rest }
}

/** The VAT groups; of a correction that is compared each with what it was and is to be. */
function groupRows(data: InvoiceDocumentData, labels: Labels, language: Language): string[][] {
  const { correctionOf } = data
  const money = (cents: number) => formatCents(cents, language)
  const row = (label: string, { netCents, vatCents }: { netCents: number; vatCents: number }) => [
    label,
    money(netCents),
    money(vatCents),
    money(netCents + vatCents),
  ]
  return data.vatGroups.flatMap((group) => {
    const { vatBp, vatCategory } = group
    const category = vatCategory === 'S' ? null : labels.categories[vatCategory]
    const rate = [formatRate(vatBp, language), category].filter(Boolean).join(' · ')
    const compared = correctionOf?.isCompared
      ? correctionOf.groups?.find((one) => one.vatBp === vatBp && one.vatCategory === vatCategory)
      : undefined
    if (compared === undefined) return [row(rate, group)]
    return [
      row(`${rate}, ${labels.before}`, compared.before),
      row(`${rate}, ${labels.after}`, compared.after),
      row(`${rate}, ${labels.difference}`, group),
    ]
  })
}

/** What the paper is called. */
const kindOf = ({ correctionOf = null, sections }: InvoiceDocumentData, language: Language): string =>
  invoiceKind({ correction: correctionOf, isCombined: sections !== undefined }, language)

// The words below both codes are the ministry's, in whatever language the invoice is (ksef-docs, kody-qr.md).
const OFFLINE = 'OFFLINE'
const CERTIFICATE = 'CERTYFIKAT'

/** The codes of KSeF, each with what stands beside it. */
function codesOf(
  mark: InvoiceDocumentData['ksefMark'],
  codes: { qr: string; certificate: string | null } | null,
  labels: Labels,
) {
  if (!mark || codes === null) return null
  const { qr, certificate } = codes
  const label = mark.number ?? (certificate === null ? labels.withoutKsef : OFFLINE)
  return { qr, label, certificate: certificate && { qr: certificate, label: CERTIFICATE } }
}

/** What the template sets: texts in the document's language, nothing to compute. */
function pageOf(
  given: InvoiceDocumentData,
  language: Language,
  codes: { qr: string; certificate: string | null } | null,
) {
  const data = asShown(given)
  const labels = { ...LETTER[language], ...TEXTS[language] }
  const kinds = INVOICE[language].kinds
  const { columns, sumColumns } = labels
  const money = (cents: number) => formatCents(cents, language)
  const date = (value: string | null) => value && formatDate(value, language)
  const { seller, buyer, correctionOf } = data
  const isCredit = given.totalCents < 0
  const isOneDay = data.servicePeriodFrom === data.servicePeriodTo || !data.servicePeriodTo || !data.servicePeriodFrom
  const period = isOneDay
    ? date(data.servicePeriodFrom ?? data.servicePeriodTo)
    : `${date(data.servicePeriodFrom)} – ${date(data.servicePeriodTo)}`
  const orderLabel = counted(language, TEXTS[language], 'orders', data.orderNumbers.length)
  const orders = data.orderNumbers.join(', ')
  const hasOrdersInBlock = data.orderNumbers.length <= MAX_ORDERS_IN_BLOCK
  // With sections each order stands at the head of its own.
  const isCombined = data.sections !== undefined
  const kind = kindOf(data, language)
  const reference = data.number ? `${kind} ${data.number}` : `${kind} – ${kinds.draft} ${data.innerNumber}`
  const abroad =
    buyer.country && buyer.country !== seller.country ? buyer.country.toLocaleUpperCase(LOCALES[language]) : null
  const { beforeCents, afterCents } = correctionOf ?? {}
  const total = (cents: number) => `${money(cents)} ${data.currency}`
  const changedTotal =
    beforeCents === undefined || afterCents === undefined
      ? []
      : [filled(labels.changedTotal, { before: total(beforeCents), after: total(afterCents) })]

  return {
    reference,
    heading: reference,
    watermark: data.number ? null : kinds.draft,
    ...letterheadOf(seller),
    address: [buyer.title, buyer.address, town(buyer), abroad],
    facts: (
      [
        [correctionOf ? labels.correctionNumber : labels.number, data.number],
        [correctionOf ? labels.correctionDate : labels.invoiceDate, date(data.invoiceDate)],
        [labels.dueDate, isCredit ? null : date(data.dueDate)],
        [isOneDay ? labels.serviceDate : labels.servicePeriod, period],
        [orderLabel, hasOrdersInBlock && !isCombined ? orders : null],
        [labels.customerOrderNumber, isCombined ? null : data.customerOrderNumber],
        [labels.buyerVatNumber, formatVatNumber(buyer.vatNumber)],
        [labels.innerNumber, data.innerNumber],
      ] as const
    ).filter(isGiven),
    subheadings: [
      correctionOf &&
        filled(correctionOf.invoiceDate ? labels.correctionOfDated : labels.correctionOf, {
          number: correctionOf.number,
          date: date(correctionOf.invoiceDate) ?? '',
        }),
      correctionOf?.ksefNumber && `${labels.originalKsefNumber}: ${correctionOf.ksefNumber}`,
      correctionOf?.reason && `${labels.reason}: ${correctionOf.reason}`,
      !hasOrdersInBlock && !isCombined && `${orderLabel}: ${orders}`,
    ].filter(Boolean),
    columns: [columns.position, columns.text, columns.quantity, columns.unitPrice, columns.vat, columns.net],
    ...tableOf(data, labels, language),
    sumColumns: [sumColumns.rate, sumColumns.net, sumColumns.vat, sumColumns.gross],
    vatGroups: groupRows(data, labels, language),
    // One group says the sums already.
    sums:
      data.vatGroups.length === 1
        ? null
        : [labels.sum, money(data.amountCents), money(data.vatCents), money(data.totalCents)],
    total: {
      label: isCredit ? (correctionOf?.isCreditNote ? labels.inYourFavour : labels.credit) : labels.total,
      amount: `${money(data.totalCents)} ${data.currency}`,
    },
    notes: [
      ...(data.ksefMark?.vat ? [vatInZloty(data.ksefMark.vat, language)] : []),
      ...data.notes,
      ...(data.emission ? [emissionText(data.emission, language)] : []),
      ...changedTotal,
    ],
    ksef: codesOf(data.ksefMark, codes, labels),
    payment: besides(
      data.ownText,
      isCredit
        ? [labels.willBeCredited]
        : data.totalCents === 0
          ? []
          : [
              data.dueDate && filled(labels.payBy, { date: date(data.dueDate)! }),
              ...skontoOf(data).map(({ percentBp, amountCents, until }) =>
                filled(labels.skonto, {
                  percent: formatRate(percentBp, language),
                  date: date(until)!,
                  amount: `${money(amountCents)} ${data.currency}`,
                  rest: `${money(data.totalCents - amountCents)} ${data.currency}`,
                }),
              ),
              data.number && seller.iban && labels.payTo,
            ].filter(Boolean),
    ),
    ownText: data.ownText ? ownBlocks(data.ownText.body, invoiceValues(data, language)) : [],
    bank:
      isCredit || data.totalCents === 0 || !seller.iban
        ? []
        : (
            [
              [labels.accountHolder, seller.title],
              ['IBAN', groupIban(seller.iban)],
              ['BIC', seller.bic],
              [labels.bank, seller.bankName],
              [labels.paymentReference, data.number],
            ] as const
          ).filter(isGiven),
    footer: footerOf(seller, seller, language),
    pageOf: labels.pageOf,
    pods: (data.pods ?? []).map(({ orderNumber, page }) => {
      const caption = filled(labels.podOf, { number: orderNumber })
      return page ? `${caption} (${page.number}/${page.of})` : caption
    }),
  }
}

const GRAMS_PER_KG = 1000

/** What the transports emitted, in kilograms, the tenths of small figures too. */
function emissionText({ grams, transports, complete }: PrintedEmission, language: Language): string {
  const { one, several, part } = TEXTS[language].emission
  const kg = grams / GRAMS_PER_KG
  return filled(complete < transports ? part : transports === 1 ? one : several, {
    kg: formatNumber(kg < 100 ? Math.round(kg * 10) / 10 : Math.round(kg), language),
    count: formatNumber(transports, language),
    complete: formatNumber(complete, language),
  })
}

/** VAT is due in złoty, however it was billed; with the rate, or where tax points have several, each. */
function vatInZloty(
  { grosz, parts }: NonNullable<NonNullable<InvoiceDocumentData['ksefMark']>['vat']>,
  language: Language,
): string {
  const { vatInZloty: whole, vatInZlotyParts: sum, zlotyPart } = TEXTS[language]
  const valuesOf = (part: ZlotyPart) => ({
    amount: formatCents(part.grosz, language),
    rate: language === 'en' ? part.rate : part.rate.replace('.', ','),
    table: part.tableNumber,
    date: formatDate(part.day, language),
  })
  return parts.length === 1
    ? filled(whole, valuesOf(parts[0]!))
    : filled(sum, {
        amount: formatCents(grosz, language),
        parts: parts.map((part) => filled(zlotyPart, valuesOf(part))).join('; '),
      })
}

const DAY_MS = 86_400_000

/** What the text of a department may say on an invoice: what the paper shows, and what was fixed beside it. */
export function invoiceValues(data: InvoiceDocumentData, language: Language): PaperValues {
  const { seller, buyer, correctionOf, invoiceDate, dueDate } = data
  const money = (cents: number) => `${formatCents(cents, language)} ${data.currency}`
  const date = (value: string | null) => value && formatDate(value, language)
  const address = (firm: { address: string | null; postal: string | null; city: string | null }) =>
    [firm.address, town(firm)].filter(Boolean).join(', ')
  const values: Partial<Record<VariableKey, string | null>> = {
    ...data.ownText?.values,
    'customer.title': buyer.title,
    'customer.address': address(buyer),
    'customer.city': buyer.city,
    'customer.country': buyer.country,
    'customer.vatNumber': formatVatNumber(buyer.vatNumber),
    'order.customerOrderNumber': data.customerOrderNumber,
    'order.reference': data.customerOrderNumber ?? data.orderNumbers.join(', '),
    'invoice.kind': kindOf(data, language),
    'invoice.number': data.number,
    'invoice.date': date(invoiceDate),
    'invoice.dueDate': date(dueDate),
    'invoice.paymentDays':
      invoiceDate && dueDate && String(Math.round((Date.parse(dueDate) - Date.parse(invoiceDate)) / DAY_MS)),
    'invoice.net': money(data.amountCents),
    'invoice.vat': money(data.vatCents),
    'invoice.total': money(data.totalCents),
    'invoice.service': [...new Set([data.servicePeriodFrom, data.servicePeriodTo])]
      .flatMap((day) => date(day) ?? [])
      .join(' – '),
    'invoice.orders': data.orderNumbers.join(', '),
    'invoice.customerOrderNumbers': data.customerOrderNumber,
    'invoice.reason': correctionOf?.reason ?? null,
    'invoice.originalNumber': correctionOf?.number ?? null,
    'invoice.originalDate': date(correctionOf?.invoiceDate ?? null),
    'company.title': seller.title,
    'company.address': address(seller),
    'company.phone': seller.phone,
    'company.email': seller.email,
    'company.vatNumber': formatVatNumber(seller.vatNumber),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as PaperValues
}

/**
 * The invoice, a draft while it has no number; see `renderLetter`. With an XML it is a ZUGFeRD file, which says the
 * same to people and programs.
 */
export async function renderInvoice(
  pdf: PdfRenderer,
  data: InvoiceDocumentData,
  language: Language,
  createdAt?: Date,
  facturX?: Uint8Array,
  pictures: readonly Uint8Array[] = [],
): Promise<Buffer> {
  const { url, certificateUrl } = data.ksefMark ?? {}
  const codes = url
    ? { qr: await qrPicture(url), certificate: certificateUrl ? await qrPicture(certificateUrl) : null }
    : null
  const page = pageOf(data, language, codes)
  if (facturX === undefined) return renderLetter(pdf, 'invoice', page, language, { createdAt, pictures })
  const attachments = [facturXFile(facturX)]
  return withFacturXMetadata(await renderLetter(pdf, 'invoice', page, language, { createdAt, attachments, pictures }))
}
