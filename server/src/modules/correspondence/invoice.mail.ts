import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { mailBody, type MailBlock } from '../../kit/mail/mail-html.ts'
import type { MailSource } from './invoice-mail.query.ts'

interface Words {
  subject: string
  correctionSubject: string
  orders: (numbers: string, count: number) => string
  more: (count: number) => string
  yourReference: string
  greeting: string
  intro: (orders: string) => string
  correctionIntro: (number: string, date: string | null) => string
  reason: string
  service: string
  net: string
  vat: string
  total: string
  period: string
  days: (days: number) => string
  pay: string
  closing: string
}

// The customer's language decides (domain, Emails and documents).
const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: 'Invoice',
    correctionSubject: 'Invoice correction',
    orders: (numbers, count) => `${count > 1 ? 'orders' : 'order'} ${numbers}`,
    more: (count) => ` and ${count} more`,
    yourReference: 'your reference',
    greeting: 'Dear Sir or Madam,',
    intro: (orders) =>
      orders ? `Please find attached our invoice for ${orders}.` : 'Please find attached our invoice.',
    correctionIntro: (number, date) =>
      `Please find attached the correction of our invoice ${number}${date ? ` of ${date}` : ''}.`,
    reason: 'Reason',
    service: 'Service period',
    net: 'Net amount',
    vat: 'VAT',
    total: 'Total amount',
    period: 'Payment term',
    days: (days) => (days === 1 ? '1 day from the invoice date' : `${days} days from the invoice date`),
    pay: 'Please state the invoice number with your payment.',
    closing: 'Kind regards',
  },
  de: {
    subject: 'Rechnung',
    correctionSubject: 'Rechnungskorrektur',
    orders: (numbers, count) => `${count > 1 ? 'den Aufträgen' : 'Auftrag'} ${numbers}`,
    more: (count) => ` und ${count} ${count > 1 ? 'weiteren' : 'weiterem'}`,
    yourReference: 'Ihre Referenz',
    greeting: 'Sehr geehrte Damen und Herren,',
    intro: (orders) =>
      orders ? `anbei erhalten Sie unsere Rechnung zu ${orders}.` : 'anbei erhalten Sie unsere Rechnung.',
    correctionIntro: (number, date) =>
      `anbei erhalten Sie die Korrektur zu unserer Rechnung ${number}${date ? ` vom ${date}` : ''}.`,
    reason: 'Grund',
    service: 'Leistungszeitraum',
    net: 'Nettobetrag',
    vat: 'Umsatzsteuer',
    total: 'Gesamtbetrag',
    period: 'Zahlungsziel',
    days: (days) => (days === 1 ? '1 Tag ab Rechnungsdatum' : `${days} Tage ab Rechnungsdatum`),
    pay: 'Bitte geben Sie bei der Zahlung die Rechnungsnummer an.',
    closing: 'Mit freundlichen Grüßen',
  },
  pl: {
    subject: 'Faktura',
    correctionSubject: 'Faktura korygująca',
    orders: (numbers, count) => `${count > 1 ? 'zleceń' : 'zlecenia'} ${numbers}`,
    more: (count) => ` oraz ${count} ${count === 1 ? 'kolejnego' : 'kolejnych'}`,
    yourReference: 'Państwa numer',
    greeting: 'Szanowni Państwo,',
    intro: (orders) =>
      orders ? `w załączeniu przesyłamy fakturę dotyczącą ${orders}.` : 'w załączeniu przesyłamy fakturę.',
    correctionIntro: (number, date) =>
      `w załączeniu przesyłamy korektę do faktury nr ${number}${date ? ` z dnia ${date}` : ''}.`,
    reason: 'Przyczyna korekty',
    service: 'Okres usługi',
    net: 'Kwota netto',
    vat: 'VAT',
    total: 'Kwota brutto',
    period: 'Termin płatności',
    days: (days) => (days === 1 ? '1 dzień od daty wystawienia' : `${days} dni od daty wystawienia`),
    pay: 'W tytule przelewu prosimy podać numer faktury.',
    closing: 'Z poważaniem',
  },
}

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

const named = (numbers: readonly string[], { more }: Words): string =>
  numbers.length <= MAX_NAMED
    ? numbers.join(', ')
    : `${numbers.slice(0, MAX_NAMED).join(', ')}${more(numbers.length - MAX_NAMED)}`

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

/** Subject and body of the mail that carries an invoice, or its correction; before sending it names the orders alone, for there is no number yet. */
export function invoiceMail(
  invoice: MailedInvoice,
  { customerOrderNumbers, correctionOf }: Pick<MailSource, 'customerOrderNumbers' | 'correctionOf'>,
): { subject: string; html: string } {
  const language = invoice.language as Language
  const words = WORDS[language]
  const orders =
    invoice.orders.length === 0
      ? ''
      : words.orders(
          named(
            invoice.orders.map((order) => order.title),
            words,
          ),
          invoice.orders.length,
        )
  const reference =
    customerOrderNumbers.length === 0 ? '' : `${words.yourReference} ${named(customerOrderNumbers, words)}`
  const kind = correctionOf ? words.correctionSubject : words.subject
  const subject = [
    [kind, invoice.number].filter(Boolean).join(' '),
    orders && invoice.orders.length > 0
      ? named(
          invoice.orders.map((order) => order.title),
          words,
        )
      : '',
    reference,
  ]
    .filter(Boolean)
    .join(' – ')
  const about = [orders, reference && `(${reference})`].filter(Boolean).join(' ')
  const intro = correctionOf
    ? words.correctionIntro(correctionOf.number, correctionOf.invoiceDate && day(correctionOf.invoiceDate, language))
    : words.intro(about)
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
      ? [[words.period, words.days(invoice.paymentPeriodDays)] as const]
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
