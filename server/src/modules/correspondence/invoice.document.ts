import type { Language } from '@waybill/contract/errors'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import { formatCents, formatDate, formatNumber, formatRate, isGiven, LOCALES, town } from './document-words.ts'
import { LETTER_LABELS, letterheadOf, renderLetter, type Writer } from './letter.document.ts'

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
  correctionOf?: { number: string; invoiceDate: string | null; reason?: string | null } | null
}

interface Labels {
  invoice: string
  correction: string
  correctionOf: (number: string, date: string | null) => string
  reason: string
  draft: string
  number: string
  innerNumber: string
  invoiceDate: string
  dueDate: string
  serviceDate: string
  servicePeriod: string
  orders: [one: string, several: string]
  customerOrderNumber: string
  buyerVatNumber: string
  columns: [position: string, text: string, quantity: string, unitPrice: string, vat: string, net: string]
  sumColumns: [rate: string, net: string, vat: string, gross: string]
  sum: string
  total: string
  credit: string
  categories: Record<VatCategory, string | null>
  payBy: (date: string) => string
  payTo: string
  willBeCredited: string
  accountHolder: string
  bank: string
  paymentReference: string
}

const LABELS: Record<Language, Labels> = {
  en: {
    invoice: 'Invoice',
    correction: 'Invoice correction',
    correctionOf: (number, date) => `Correction of invoice ${number}${date ? ` of ${date}` : ''}`,
    reason: 'Reason',
    draft: 'Draft',
    number: 'Invoice number',
    innerNumber: 'Internal number',
    invoiceDate: 'Invoice date',
    dueDate: 'Due date',
    serviceDate: 'Date of service',
    servicePeriod: 'Service period',
    orders: ['Our order', 'Our orders'],
    customerOrderNumber: 'Your order number',
    buyerVatNumber: 'Your VAT number',
    columns: ['No.', 'Description', 'Quantity', 'Unit price EUR', 'VAT', 'Net EUR'],
    sumColumns: ['VAT rate', 'Net EUR', 'VAT EUR', 'Gross EUR'],
    sum: 'Sum',
    total: 'Total amount',
    credit: 'Credit amount',
    categories: { S: null, Z: 'zero rated', E: 'exempt', AE: 'reverse charge', O: 'outside the scope of VAT' },
    payBy: (date) => `Payable without deduction by ${date}.`,
    payTo: 'Please pay to the following account, stating the payment reference.',
    willBeCredited: 'The amount will be credited to you.',
    accountHolder: 'Account holder',
    bank: 'Bank',
    paymentReference: 'Payment reference',
  },
  de: {
    invoice: 'Rechnung',
    correction: 'Rechnungskorrektur',
    correctionOf: (number, date) => `Korrektur zur Rechnung ${number}${date ? ` vom ${date}` : ''}`,
    reason: 'Grund',
    draft: 'Entwurf',
    number: 'Rechnungsnummer',
    innerNumber: 'Interne Nummer',
    invoiceDate: 'Rechnungsdatum',
    dueDate: 'Fällig am',
    serviceDate: 'Leistungsdatum',
    servicePeriod: 'Leistungszeitraum',
    orders: ['Unser Auftrag', 'Unsere Aufträge'],
    customerOrderNumber: 'Ihre Auftragsnummer',
    buyerVatNumber: 'Ihre USt-IdNr.',
    columns: ['Pos.', 'Bezeichnung', 'Menge', 'Einzelpreis EUR', 'USt.', 'Netto EUR'],
    sumColumns: ['Steuersatz', 'Netto EUR', 'USt. EUR', 'Brutto EUR'],
    sum: 'Summe',
    total: 'Gesamtbetrag',
    credit: 'Gutschriftsbetrag',
    categories: { S: null, Z: 'Nullsatz', E: 'steuerfrei', AE: 'Reverse-Charge', O: 'nicht steuerbar' },
    payBy: (date) => `Zahlbar ohne Abzug bis zum ${date}.`,
    payTo: 'Bitte überweisen Sie unter Angabe des Verwendungszwecks auf das folgende Konto.',
    willBeCredited: 'Der Betrag wird Ihnen gutgeschrieben.',
    accountHolder: 'Kontoinhaber',
    bank: 'Bank',
    paymentReference: 'Verwendungszweck',
  },
  pl: {
    invoice: 'Faktura',
    correction: 'Faktura korygująca',
    correctionOf: (number, date) => `Korekta do faktury nr ${number}${date ? ` z dnia ${date}` : ''}`,
    reason: 'Przyczyna korekty',
    draft: 'Szkic',
    number: 'Numer faktury',
    innerNumber: 'Numer wewnętrzny',
    invoiceDate: 'Data wystawienia',
    dueDate: 'Termin płatności',
    serviceDate: 'Data usługi',
    servicePeriod: 'Okres usługi',
    orders: ['Nasze zlecenie', 'Nasze zlecenia'],
    customerOrderNumber: 'Państwa zlecenie',
    buyerVatNumber: 'NIP/VAT UE nabywcy',
    columns: ['Lp.', 'Nazwa usługi', 'Ilość', 'Cena jedn. netto EUR', 'VAT', 'Wartość netto EUR'],
    sumColumns: ['Stawka VAT', 'Netto EUR', 'VAT EUR', 'Brutto EUR'],
    sum: 'Razem',
    total: 'Do zapłaty',
    credit: 'Do zwrotu',
    categories: { S: null, Z: 'stawka zerowa', E: 'zwolnione z VAT', AE: 'odwrotne obciążenie', O: 'nie podlega VAT' },
    payBy: (date) => `Termin płatności: ${date}, bez potrąceń.`,
    payTo: 'Prosimy o przelew na poniższy rachunek z podaniem tytułu płatności.',
    willBeCredited: 'Kwota zostanie zwrócona na Państwa rzecz.',
    accountHolder: 'Odbiorca',
    bank: 'Bank',
    paymentReference: 'Tytuł płatności',
  },
}

const groupIban = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

/** More order numbers than this would push the information block into the text; they go below the heading. */
const MAX_ORDERS_IN_BLOCK = 3

/** What the template sets: texts in the document's language, nothing to compute. */
function pageOf(data: InvoiceDocumentData, language: Language) {
  const labels = { ...LETTER_LABELS[language], ...LABELS[language] }
  const money = (cents: number) => formatCents(cents, language)
  const date = (value: string | null) => value && formatDate(value, language)
  const { seller, buyer, correctionOf } = data
  const isCredit = data.totalCents < 0
  const isOneDay = data.servicePeriodFrom === data.servicePeriodTo || !data.servicePeriodTo || !data.servicePeriodFrom
  const period = isOneDay
    ? date(data.servicePeriodFrom ?? data.servicePeriodTo)
    : `${date(data.servicePeriodFrom)} – ${date(data.servicePeriodTo)}`
  const orderLabel = labels.orders[data.orderNumbers.length > 1 ? 1 : 0]
  const orders = data.orderNumbers.join(', ')
  const hasOrdersInBlock = data.orderNumbers.length <= MAX_ORDERS_IN_BLOCK
  const kind = correctionOf ? labels.correction : labels.invoice
  const reference = data.number ? `${kind} ${data.number}` : `${kind} – ${labels.draft} ${data.innerNumber}`
  const abroad =
    buyer.country && buyer.country !== seller.country ? buyer.country.toLocaleUpperCase(LOCALES[language]) : null
  const rate = (vatBp: number, category: VatCategory) =>
    [formatRate(vatBp, language), labels.categories[category]].filter(Boolean).join(' · ')

  return {
    reference,
    heading: reference,
    watermark: data.number ? null : labels.draft,
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
        [labels.buyerVatNumber, buyer.vatNumber],
        [labels.innerNumber, data.innerNumber],
      ] as const
    ).filter(isGiven),
    subheadings: [
      correctionOf && labels.correctionOf(correctionOf.number, date(correctionOf.invoiceDate)),
      correctionOf?.reason && `${labels.reason}: ${correctionOf.reason}`,
      !hasOrdersInBlock && `${orderLabel}: ${orders}`,
    ].filter(Boolean),
    columns: labels.columns,
    lines: data.lines.map((line, index) => ({
      position: String(index + 1),
      text: line.text,
      quantity: formatNumber(line.quantity, language),
      unitPrice: money(line.unitPriceCents),
      vat: formatRate(line.vatBp, language),
      net: money(line.netCents),
    })),
    sumColumns: labels.sumColumns,
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
    notes: data.notes,
    payment: isCredit
      ? [labels.willBeCredited]
      : data.totalCents === 0
        ? []
        : [data.dueDate && labels.payBy(date(data.dueDate)!), data.number && seller.iban && labels.payTo].filter(
            Boolean,
          ),
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
        seller.vatNumber && `${labels.vatNumber} ${seller.vatNumber}`,
      ],
      [seller.bankName, seller.iban && `IBAN ${groupIban(seller.iban)}`, seller.bic && `BIC ${seller.bic}`],
    ],
    pageOf: labels.pageOf,
  }
}

/** The invoice, a draft while it has no number; see `renderLetter`. */
export const renderInvoice = (pdf: PdfRenderer, data: InvoiceDocumentData, language: Language): Promise<Buffer> =>
  renderLetter(pdf, 'invoice', pageOf(data, language), language)
