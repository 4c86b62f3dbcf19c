import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { mailBody, type MailBlock } from '../../kit/mail/mail-html.ts'
import { counted, filled, textsOf } from '../../kit/texts/texts.ts'
import type { MailSource } from './invoice-mail.query.ts'

// The customer's language decides (domain, Emails and documents).
const TEXTS = textsOf('invoice-mail')
const INVOICE = textsOf('invoice')

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', pl: 'pl-PL' }

function money(cents: number, language: Language): string {
  // As text, because large amounts divided by 100 lose cents.
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const amount = `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`
  return new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency: 'EUR', useGrouping: 'always' }).format(
    amount,
  )
}

function day(date: string, language: Language): string {
  const options: Intl.DateTimeFormatOptions =
    language === 'en'
      ? { day: 'numeric', month: 'short', year: 'numeric' }
      : { day: '2-digit', month: '2-digit', year: 'numeric' }
  return new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )
}

const MAX_NAMED = 3

function named(numbers: readonly string[], language: Language): string {
  const first = numbers.slice(0, MAX_NAMED).join(', ')
  const left = numbers.length - MAX_NAMED
  return left > 0 ? `${first} ${counted(language, TEXTS[language], 'more', left)}` : first
}

function correctionIntro({ number, invoiceDate }: NonNullable<MailSource['correctionOf']>, language: Language): string {
  const words = TEXTS[language]
  return invoiceDate
    ? filled(words.correctionIntroDated, { number, date: day(invoiceDate, language) })
    : filled(words.correctionIntro, { number })
}

/** As much of an invoice as its mail speaks of. */
type MailedInvoice = Pick<
  Invoice,
  | 'language'
  | 'number'
  | 'correctionReason'
  | 'servicePeriodFrom'
  | 'servicePeriodTo'
  | 'amountCents'
  | 'vatCents'
  | 'totalCents'
  | 'paymentPeriodDays'
> & {
  orders: readonly { title: string }[]
  seller: { title: string } | null
}

/**
 * Subject and body of the mail that carries an invoice, or its correction; before sending it names the orders alone,
 * for there is no number yet.
 */
export function invoiceMail(
  invoice: MailedInvoice,
  { customerOrderNumbers, correctionOf }: Pick<MailSource, 'customerOrderNumbers' | 'correctionOf'>,
): { subject: string; html: string } {
  const language = invoice.language as Language
  const words = TEXTS[language]
  const numbers = named(
    invoice.orders.map((order) => order.title),
    language,
  )
  const orders = numbers && counted(language, words, 'orders', invoice.orders.length, { numbers })
  const reference =
    customerOrderNumbers.length === 0 ? '' : `${words.yourReference} ${named(customerOrderNumbers, language)}`
  const kind = correctionOf ? INVOICE[language].kinds.correction : INVOICE[language].kinds.invoice
  const subject = [[kind, invoice.number].filter(Boolean).join(' '), numbers, reference].filter(Boolean).join(' – ')
  const about = [orders, reference && `(${reference})`].filter(Boolean).join(' ')
  const intro = correctionOf
    ? correctionIntro(correctionOf, language)
    : filled(about ? words.introOrders : words.intro, { orders: about })
  const { servicePeriodFrom: from, servicePeriodTo: to } = invoice
  const service = [...new Set([from, to].filter((date) => date !== null))]
    .map((date) => day(date, language))
    .join(' – ')
  const rows: (readonly [string, string])[] = [
    ...(service ? [[words.service, service] as const] : []),
    ...(correctionOf && invoice.correctionReason ? [[words.reason, invoice.correctionReason] as const] : []),
    [words.net, money(invoice.amountCents, language)],
    [words.vat, money(invoice.vatCents, language)],
    [words.total, money(invoice.totalCents, language)],
    ...(invoice.totalCents > 0 && invoice.paymentPeriodDays !== null
      ? [[words.period, counted(language, words, 'days', invoice.paymentPeriodDays)] as const]
      : []),
  ]
  const blocks: MailBlock[] = [
    { kind: 'paragraph', text: words.greeting },
    { kind: 'paragraph', text: intro },
    { kind: 'facts', rows },
    ...(invoice.totalCents > 0 ? [{ kind: 'paragraph', text: words.pay } as const] : []),
    { kind: 'paragraph', text: `${words.closing}\n${invoice.seller?.title ?? ''}` },
  ]
  // A reference is typed by people: in a subject it stays one line.
  return { subject: subject.replace(/\s+/g, ' ').slice(0, 250).toWellFormed(), html: mailBody(blocks) }
}
