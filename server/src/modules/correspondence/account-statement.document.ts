import type { Language } from '@waybill/contract/errors'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { formatCents, formatDate, groupIban, isGiven, LOCALES, town } from './document-words.ts'
import type { InvoiceDocumentData } from './invoice.document.ts'
import { footerOf, letterheadOf, renderLetter } from './letter.document.ts'

/** What a customer owes one of our companies on a day. */
export interface AccountStatementData {
  seller: InvoiceDocumentData['seller']
  buyer: InvoiceDocumentData['buyer']
  /** dates are YYYY-MM-DD */
  asOf: string
  items: {
    number: string
    invoiceDate: string
    dueDate: string | null
    /** null: not late */
    daysLate: number | null
    totalCents: number
    openCents: number
  }[]
  /** on the customer's account */
  creditCents: number
  /** of late payment, open beside the invoices */
  claims: { number: string; feeCents: number; interestCents: number }[]
}

const TEXTS = textsOf('account-statement')
const LETTER = textsOf('letter')

function pageOf({ seller, buyer, asOf, items, creditCents, claims }: AccountStatementData, language: Language) {
  const labels = { ...LETTER[language], ...TEXTS[language] }
  const money = (cents: number) => `${formatCents(cents, language)} EUR`
  const date = (value: string) => formatDate(value, language)
  const openCents = items.reduce((sum, item) => sum + item.openCents, 0)
  const lateCents = items.reduce((sum, item) => sum + (item.daysLate === null ? 0 : item.openCents), 0)
  const { columns } = labels
  return {
    reference: labels.title,
    heading: labels.title,
    watermark: null,
    ...letterheadOf(seller),
    address: [
      buyer.title,
      buyer.address,
      town(buyer),
      buyer.country && buyer.country !== seller.country ? buyer.country.toLocaleUpperCase(LOCALES[language]) : null,
    ],
    facts: ([[labels.asOf, date(asOf)]] as const).filter(isGiven),
    subheadings: [],
    intro: filled(labels.intro, { date: date(asOf) }),
    columns: [columns.number, columns.invoiceDate, columns.due, columns.late, columns.total, columns.open],
    items: items.map((item) => ({
      number: item.number,
      invoiceDate: date(item.invoiceDate),
      dueDate: item.dueDate === null ? '–' : date(item.dueDate),
      late: item.daysLate === null ? '–' : String(item.daysLate),
      total: formatCents(item.totalCents, language),
      open: formatCents(item.openCents, language),
    })),
    sums: [
      [labels.openSum, money(openCents)],
      ...(lateCents === 0 ? [] : [[labels.lateSum, money(lateCents)]]),
      ...(creditCents === 0 ? [] : [[labels.credit, money(-creditCents)]]),
    ],
    total: { label: labels.balance, amount: money(openCents - creditCents) },
    claims:
      claims.length === 0
        ? null
        : {
            title: labels.claims.title,
            amount: labels.claims.amount,
            items: claims.flatMap(({ number, feeCents, interestCents }) => [
              ...(feeCents === 0 ? [] : [[filled(labels.claims.fee, { number }), formatCents(feeCents, language)]]),
              ...(interestCents === 0
                ? []
                : [[filled(labels.claims.interest, { number }), formatCents(interestCents, language)]]),
            ]),
            sum: labels.claims.sum,
            total: money(claims.reduce((sum, one) => sum + one.feeCents + one.interestCents, 0)),
            noVat: labels.claims.noVat,
          },
    outro: labels.outro,
    bank: (
      [
        [labels.accountHolder, seller.iban && seller.title],
        ['IBAN', seller.iban && groupIban(seller.iban)],
        ['BIC', seller.iban && seller.bic],
      ] as const
    ).filter(isGiven),
    footer: footerOf(seller, seller, language),
    pageOf: labels.pageOf,
  }
}

/** The statement of a customer's account; see `renderLetter`. */
export const renderAccountStatement = (
  pdf: PdfRenderer,
  data: AccountStatementData,
  language: Language,
): Promise<Buffer> => renderLetter(pdf, 'account-statement', pageOf(data, language), language)
