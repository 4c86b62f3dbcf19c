import { LATER_WORDS, type LaterKey } from '@waybill/contract/email/by-hand'
import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { nameParts } from '@waybill/contract/kit/person-name'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { countryName, formatDay, invoiceKind, town } from '../document-words.ts'
import type { InvoiceFacts } from './invoice-facts.query.ts'
import { given, money, ourValues, salutationOf } from './mail-data.mail.ts'
import type { MailData } from './mail-text.mail.ts'

/** As much of an invoice as its mail speaks of. */
type MailedInvoice = Pick<
  Invoice,
  | 'number'
  | 'invoiceDate'
  | 'dueDate'
  | 'correctionReason'
  | 'servicePeriodFrom'
  | 'servicePeriodTo'
  | 'amountCents'
  | 'vatCents'
  | 'totalCents'
  | 'paymentPeriodDays'
> & { orders: readonly { title: string }[] }

/** What an invoice is about to be given, or what stands in its place until then. */
export type LaterValues = Partial<Record<LaterKey, string>>

export interface InvoiceSubject {
  invoice: MailedInvoice
  facts: InvoiceFacts
  language: Language
  /** of one that has no number yet */
  later: LaterValues
}

const LATER_KEYS = Object.keys(LATER_WORDS) as LaterKey[]

/** Who gets money back has nothing to pay until a day. */
const isToPay = ({ totalCents }: Pick<Invoice, 'totalCents'>): boolean => totalCents > 0

/** What an invoice without a number does not know yet, each with what `valueOf` puts there. */
export const laterValues = (
  invoice: Pick<Invoice, 'number' | 'totalCents'>,
  valueOf: (key: LaterKey) => string,
): LaterValues =>
  invoice.number !== null
    ? {}
    : Object.fromEntries(
        LATER_KEYS.filter((key) => key !== 'invoice.dueDate' || isToPay(invoice)).map((key) => [key, valueOf(key)]),
      )

/** The values that an invoice is given as it is sent, in words. */
export const givenValues = (
  { number, invoiceDate, dueDate }: Pick<MailedInvoice, 'number' | 'invoiceDate' | 'dueDate'>,
  language: Language,
): Record<LaterKey, string> => ({
  'invoice.number': number ?? '',
  'invoice.date': invoiceDate === null ? '' : formatDay(invoiceDate, language),
  'invoice.dueDate': dueDate === null ? '' : formatDay(dueDate, language),
})

const MAX_NAMED = 3

/** The first of several numbers, and how many more there are: `A, B, C (+2)`. */
const named = (numbers: readonly string[]): string =>
  [numbers.slice(0, MAX_NAMED).join(', '), numbers.length > MAX_NAMED ? `(+${numbers.length - MAX_NAMED})` : '']
    .filter(Boolean)
    .join(' ')

const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Where the mail of an invoice goes: the customer's address for invoices, else its first person with one. */
export function invoiceReceiver({ invoiceEmail, contacts }: InvoiceFacts) {
  const email = invoiceEmail ?? contacts[0]?.email ?? null
  const contact = email === null ? null : (contacts.find((one) => sameAddress(one.email, email)) ?? null)
  return { email, contact }
}

function invoiceValues({ invoice, facts, language, later }: InvoiceSubject): MailData['values'] {
  const { original, correction, customerOrderNumbers } = facts
  const { servicePeriodFrom: from, servicePeriodTo: to } = invoice
  const service = [...new Set([from, to].filter((date) => date !== null))]
  const known = givenValues(invoice, language)
  return given({
    'invoice.kind': invoiceKind({ correction, isCombined: invoice.orders.length > 1 }, language),
    'invoice.number': known['invoice.number'],
    'invoice.date': known['invoice.date'],
    'invoice.dueDate': isToPay(invoice) ? known['invoice.dueDate'] : null,
    ...later,
    'invoice.paymentDays':
      isToPay(invoice) && invoice.paymentPeriodDays !== null ? String(invoice.paymentPeriodDays) : null,
    'invoice.net': money(invoice.amountCents, language),
    'invoice.vat': money(invoice.vatCents, language),
    'invoice.total': money(invoice.totalCents, language),
    'invoice.service': service.map((date) => formatDay(date, language)).join(' – '),
    'invoice.orders': named(invoice.orders.map(({ title }) => title)),
    'invoice.customerOrderNumbers': named(customerOrderNumbers),
    'invoice.reason': invoice.correctionReason,
    'invoice.originalNumber': original?.number,
    'invoice.originalDate': original?.invoiceDate ? formatDay(original.invoiceDate, language) : null,
  })
}

function buyerValues({ facts, language }: InvoiceSubject): MailData['values'] {
  const { buyer } = facts
  const { contact } = invoiceReceiver(facts)
  return given({
    'customer.title': buyer.title,
    'customer.address': [buyer.address, town(buyer)].filter(Boolean).join(', '),
    'customer.city': buyer.city,
    'customer.country': countryName(buyer.countryCode, language),
    'customer.vatNumber': formatVatNumber(buyer.vatNumber),
    'contact.salutation': salutationOf(contact, language),
    'contact.fullName': contact?.fullName,
    'contact.lastName': contact && (contact.lastName ?? nameParts(contact.fullName).lastName),
    'contact.phone': contact?.phone,
    'contact.email': contact?.email,
  })
}

/** Everything that the mail of an invoice may say, in its language. */
export function invoiceMailData(subject: InvoiceSubject): MailData {
  const { facts } = subject
  const values = { ...ourValues(facts), ...buyerValues(subject), ...invoiceValues(subject) }
  return {
    values,
    stops: [],
    cargo: [],
    cargoTotals: null,
    signature: {
      caseWorker: values['caseWorker.name'],
      phone: values['caseWorker.phone'] ?? values['department.phone'] ?? values['company.phone'],
      email: values['caseWorker.email'] ?? values['department.email'] ?? values['company.email'],
      department: [values['company.title'], values['department.title']].filter(Boolean).join(', '),
      company: values['company.address'],
    },
    links: {},
    logoOf: facts.logo === null ? null : facts.us.title,
  }
}
