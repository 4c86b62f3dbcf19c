import { skontoOffers, type Skonto } from '@waybill/contract/skonto/skonto'
import type { PaperWrite } from '@waybill/contract/email/paper-template'
import type { VariableKey } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import { counted, filled, textsOf } from '../../kit/texts/texts.ts'
import { formatCents, formatDate, formatNumber, formatRate, isGiven, LOCALES, town } from './document-words.ts'
import { facturXFile, withFacturXMetadata } from './factur-x.document.ts'
import { letterheadOf, qrPicture, renderLetter, type Writer } from './letter.document.ts'
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
  }[]
  vatGroups: { vatBp: number; vatCategory: VatCategory; netCents: number; vatCents: number }[]
  amountCents: number
  vatCents: number
  totalCents: number
  /** in the document's language, e.g. the sentence on reverse charge */
  notes: string[]
  currency: 'EUR'
  /** what the department says below the lines, as it was when the paper was fixed; `values`: those of no field above */
  ownText?: (PaperWrite & { values: PaperValues }) | null
  correctionOf?: { number: string; invoiceDate: string | null; reason?: string | null } | null
  /** of companies in Poland: where KSeF shows the invoice, its number there, and the VAT in grosz */
  ksefMark?: {
    url: string
    /** null: it went without */
    number: string | null
    vat: { grosz: number; rate: string; tableNumber: string; day: string } | null
  }
}

const TEXTS = textsOf('invoice-document')
const LETTER = textsOf('letter')
const INVOICE = textsOf('invoice')

const groupIban = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

/** More order numbers than this would push the information block into the text; they go below the heading. */
const MAX_ORDERS_IN_BLOCK = 3

const skontoOf = ({ skonto = [], invoiceDate, totalCents }: InvoiceDocumentData) =>
  invoiceDate === null ? [] : skontoOffers(skonto, invoiceDate, totalCents)

/** What the template sets: texts in the document's language, nothing to compute. */
function pageOf(data: InvoiceDocumentData, language: Language, qr: string | null) {
  const labels = { ...LETTER[language], ...TEXTS[language] }
  const kinds = INVOICE[language].kinds
  const { columns, sumColumns } = labels
  const money = (cents: number) => formatCents(cents, language)
  const date = (value: string | null) => value && formatDate(value, language)
  const { seller, buyer, correctionOf } = data
  const isCredit = data.totalCents < 0
  const isOneDay = data.servicePeriodFrom === data.servicePeriodTo || !data.servicePeriodTo || !data.servicePeriodFrom
  const period = isOneDay
    ? date(data.servicePeriodFrom ?? data.servicePeriodTo)
    : `${date(data.servicePeriodFrom)} – ${date(data.servicePeriodTo)}`
  const orderLabel = counted(language, TEXTS[language], 'orders', data.orderNumbers.length)
  const orders = data.orderNumbers.join(', ')
  const hasOrdersInBlock = data.orderNumbers.length <= MAX_ORDERS_IN_BLOCK
  const kind = correctionOf ? kinds.correction : kinds.invoice
  const reference = data.number ? `${kind} ${data.number}` : `${kind} – ${kinds.draft} ${data.innerNumber}`
  const abroad =
    buyer.country && buyer.country !== seller.country ? buyer.country.toLocaleUpperCase(LOCALES[language]) : null
  const rate = (vatBp: number, category: VatCategory) =>
    [formatRate(vatBp, language), category === 'S' ? null : labels.categories[category]].filter(Boolean).join(' · ')

  return {
    reference,
    heading: reference,
    watermark: data.number ? null : kinds.draft,
    ...letterheadOf(seller),
    address: [buyer.title, buyer.address, town(buyer), abroad],
    facts: (
      [
        [labels.number, data.number],
        [labels.invoiceDate, date(data.invoiceDate)],
        [labels.dueDate, isCredit ? null : date(data.dueDate)],
        [isOneDay ? labels.serviceDate : labels.servicePeriod, period],
        [orderLabel, hasOrdersInBlock ? orders : null],
        [labels.customerOrderNumber, data.customerOrderNumber],
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
      correctionOf?.reason && `${labels.reason}: ${correctionOf.reason}`,
      !hasOrdersInBlock && `${orderLabel}: ${orders}`,
    ].filter(Boolean),
    columns: [columns.position, columns.text, columns.quantity, columns.unitPrice, columns.vat, columns.net],
    lines: data.lines.map((line, index) => ({
      position: String(index + 1),
      text: line.text,
      quantity: formatNumber(line.quantity, language),
      unitPrice: money(line.unitPriceCents),
      vat: formatRate(line.vatBp, language),
      net: money(line.netCents),
    })),
    sumColumns: [sumColumns.rate, sumColumns.net, sumColumns.vat, sumColumns.gross],
    vatGroups: data.vatGroups.map((group) => [
      rate(group.vatBp, group.vatCategory),
      money(group.netCents),
      money(group.vatCents),
      money(group.netCents + group.vatCents),
    ]),
    // One group says the sums already.
    sums:
      data.vatGroups.length === 1
        ? null
        : [labels.sum, money(data.amountCents), money(data.vatCents), money(data.totalCents)],
    total: { label: isCredit ? labels.credit : labels.total, amount: `${money(data.totalCents)} ${data.currency}` },
    notes: [...(data.ksefMark?.vat ? [vatInZloty(data.ksefMark.vat, language)] : []), ...data.notes],
    ksef: data.ksefMark && qr ? { qr, label: data.ksefMark.number ?? labels.withoutKsef } : null,
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
    footer: [
      [seller.title, seller.address, town(seller), seller.country],
      [
        seller.phone && `${labels.phone} ${seller.phone}`,
        seller.email && `${labels.email} ${seller.email}`,
        seller.vatNumber && `${labels.vatNumber} ${formatVatNumber(seller.vatNumber)}`,
      ],
      [seller.bankName, seller.iban && `IBAN ${groupIban(seller.iban)}`, seller.bic && `BIC ${seller.bic}`],
    ],
    pageOf: labels.pageOf,
  }
}

/** VAT is due in złoty, however it was billed. */
const vatInZloty = (
  { grosz, rate, tableNumber, day }: NonNullable<NonNullable<InvoiceDocumentData['ksefMark']>['vat']>,
  language: Language,
): string =>
  filled(TEXTS[language].vatInZloty, {
    amount: formatCents(grosz, language),
    rate: language === 'en' ? rate : rate.replace('.', ','),
    table: tableNumber,
    date: formatDate(day, language),
  })

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
): Promise<Buffer> {
  const qr = data.ksefMark ? await qrPicture(data.ksefMark.url) : null
  const page = pageOf(data, language, qr)
  if (facturX === undefined) return renderLetter(pdf, 'invoice', page, language, { createdAt })
  const attachments = [facturXFile(facturX)]
  return withFacturXMetadata(await renderLetter(pdf, 'invoice', page, language, { createdAt, attachments }))
}
