import type { PaperWrite } from '@waybill/contract/email/paper-template'
import type { Language } from '@waybill/contract/errors'
import type { DueReminder, ReminderItem } from '@waybill/contract/reminder/reminder'
import type { PdfRenderer } from '../../../kit/pdf/pdf.ts'
import { pdfName } from '../../../kit/pdf/pdf-name.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import { formatCents, formatDate, formatDay, formatRate, groupIban, isGiven, LOCALES, town } from '../document-words.ts'
import type { InvoiceDocumentData } from '../invoice.document.ts'
import { footerOf, letterheadOf, renderLetter } from '../letter.document.ts'
import { besides, type OwnBlock } from '../own-text/own-text.document.ts'

/** What one of our companies reminds a customer of. */
export interface ReminderLetterData {
  seller: InvoiceDocumentData['seller']
  buyer: InvoiceDocumentData['buyer']
  /** dates are YYYY-MM-DD */
  asOf: string
  payUntil: string
  /** the highest of its items: whose words are printed */
  level: number
  items: readonly ReminderItem[]
  openCents: number
  feeCents: number
  interestCents: number
  totalCents: number
  /** of the department; null: our text alone */
  own: { mode: PaperWrite['mode']; blocks: OwnBlock[] } | null
}

const TEXTS = textsOf('reminder-letter')
const LETTER = textsOf('letter')

const titleOf = (level: number, language: Language): string => TEXTS[language].titles[`${level}` as '1']

/** The name of its file: what it is, of the gravest invoice, to whom. */
export const letterName = ({ level, language, items, customer }: DueReminder): string =>
  pdfName(titleOf(level, language as Language), items[0]!.invoice.title, customer.title)

function claimsOf(items: readonly ReminderItem[], language: Language): [label: string, amount: string][] {
  const { claims } = TEXTS[language]
  return items.flatMap(({ invoice, feeCents, interestCents, daysLate, rateBp }) => {
    const number = invoice.title
    const interest = { number, days: String(daysLate), rate: formatRate(rateBp ?? 0, language) }
    return [
      ...(feeCents === 0 ? [] : [[filled(claims.fee, { number }), feeCents] as const]),
      ...(interestCents === 0 ? [] : [[filled(claims.interest, interest), interestCents] as const]),
    ].map(([label, cents]): [string, string] => [label, formatCents(cents, language)])
  })
}

function pageOf(data: ReminderLetterData, language: Language) {
  const { seller, buyer, asOf, payUntil, level, items, openCents, feeCents, interestCents, totalCents, own } = data
  const labels = { ...LETTER[language], ...TEXTS[language] }
  const money = (cents: number) => `${formatCents(cents, language)} EUR`
  const date = (value: string) => formatDate(value, language)
  const heading = titleOf(level, language)
  const { columns } = labels
  const claims = claimsOf(items, language)
  return {
    reference: heading,
    heading,
    watermark: null,
    ...letterheadOf(seller),
    address: [
      buyer.title,
      buyer.address,
      town(buyer),
      buyer.country && buyer.country !== seller.country ? buyer.country.toLocaleUpperCase(LOCALES[language]) : null,
    ],
    facts: [
      [labels.date, date(asOf)],
      [labels.payUntil, date(payUntil)],
    ],
    subheadings: [],
    intro: besides(own, [filled(labels.intro[`${level}` as '1'], { date: formatDay(payUntil, language) })]),
    columns: [columns.number, columns.invoiceDate, columns.due, columns.late, columns.level, columns.open],
    items: items.map((item) => ({
      number: item.invoice.title,
      invoiceDate: date(item.invoiceDate),
      dueDate: date(item.dueDate),
      late: String(item.daysLate),
      level: String(item.level),
      open: formatCents(item.openCents, language),
    })),
    claims: claims.length === 0 ? null : { head: [labels.claims.title, labels.claims.amount], rows: claims },
    sums:
      claims.length === 0
        ? []
        : [
            [labels.openSum, money(openCents)],
            ...(feeCents === 0 ? [] : [[labels.feeSum, money(feeCents)]]),
            ...(interestCents === 0 ? [] : [[labels.interestSum, money(interestCents)]]),
          ],
    total: { label: labels.total, amount: money(totalCents) },
    // What the law asks for stays beside any text of a department's.
    outro: [...(claims.length === 0 ? [] : [labels.noVat]), ...besides(own, [labels.outro])],
    bank: (
      [
        [labels.accountHolder, seller.iban && seller.title],
        ['IBAN', seller.iban && groupIban(seller.iban)],
        ['BIC', seller.iban && seller.bic],
      ] as const
    ).filter(isGiven),
    ownText: own?.blocks ?? [],
    footer: footerOf(seller, seller, language),
    pageOf: labels.pageOf,
  }
}

/** The letter of a payment reminder; see `renderLetter`. */
export const renderReminder = (pdf: PdfRenderer, data: ReminderLetterData, language: Language): Promise<Buffer> =>
  renderLetter(pdf, 'reminder', pageOf(data, language), language)
