import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { LANGUAGES } from '../errors.ts'
import { email, id, idText, reference, text, timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS } from '../kit/paging.ts'
import { can } from '../permissions.ts'

const OPEN_ITEMS_ACCESS = can('INVOICES_PROCESSING')

/** How late a receivable is, in days after its due date; each bucket ends with this day, the last has no end. */
export const AGES = ['notDue', 'to30', 'to60', 'to90', 'over90'] as const
export type Age = (typeof AGES)[number]
export const LAST_DAY_OF_AGE = { notDue: 0, to30: 30, to60: 60, to90: 90 } as const

/** When a payable is due: late, in this week and the two after it, or later; weeks end on Sunday. */
export const DUE_WEEKS = ['late', 'thisWeek', 'nextWeek', 'weekAfter', 'later'] as const
export type DueWeek = (typeof DUE_WEEKS)[number]

/** More customers or carriers than this are not listed; their sums are counted. */
export const MOST_OPEN_PARTNERS = 2000

const cents = z.number().int()
const agesOf = z.record(z.enum(AGES), cents)
const weeksOf = z.record(z.enum(DUE_WEEKS), cents)

const Receivable = z.object({
  customer: reference,
  ages: agesOf,
  openCents: cents,
  invoiceCount: cents,
  disputedCents: cents,
  /** on the customer's accounts with us: not taken off what is open */
  creditCents: cents,
  /** days since the oldest open due date; null: nothing is late */
  daysLate: cents.nullable(),
  /** which of our companies it owes something */
  companies: z.array(reference),
})
export type Receivable = z.output<typeof Receivable>

const narrowing = { q: text(100).optional() }

/** The largest first. */
export const listReceivables = endpoint({
  method: 'GET',
  path: '/open-items/receivables',
  access: OPEN_ITEMS_ACCESS,
  summary: 'What customers owe, by age',
  query: z.strictObject(narrowing),
  reply: z.object({
    asOf: z.string(),
    total: Receivable.omit({ customer: true, daysLate: true, companies: true }).extend({ customerCount: cents }),
    items: z.array(Receivable),
  }),
})
export type Receivables = z.output<(typeof listReceivables)['reply']>

export const exportReceivables = endpoint({
  method: 'GET',
  path: '/open-items/receivables/export',
  access: OPEN_ITEMS_ACCESS,
  summary: 'What customers owe, invoice by invoice, as a table',
  query: z.strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') }),
  shape: 'file',
})

const Payable = z.object({
  carrierCompany: reference,
  weeks: weeksOf,
  openCents: cents,
  invoiceCount: cents,
  /** one of them is held because something is wrong with it */
  hasProblem: z.boolean(),
  daysLate: cents.nullable(),
})
export type Payable = z.output<typeof Payable>

/** The largest first. */
export const listPayables = endpoint({
  method: 'GET',
  path: '/open-items/payables',
  access: OPEN_ITEMS_ACCESS,
  summary: 'What we owe carriers, by week',
  query: z.strictObject(narrowing),
  reply: z.object({
    asOf: z.string(),
    total: z.object({ weeks: weeksOf, openCents: cents, invoiceCount: cents, carrierCount: cents }),
    items: z.array(Payable),
  }),
})
export type Payables = z.output<(typeof listPayables)['reply']>

const ofAccount = { customerId: idText, companyId: idText }

/** In the customer's language, of one of our companies. */
export const getAccountStatement = endpoint({
  method: 'GET',
  path: '/open-items/statement',
  access: OPEN_ITEMS_ACCESS,
  summary: 'The statement of a customer’s account as PDF',
  query: z.strictObject(ofAccount),
  shape: 'file',
})

/** Nothing is written. Errors: `not_found`, also where no invoice was ever sent to this customer. */
export const previewAccountStatement = endpoint({
  method: 'GET',
  path: '/open-items/statement/mail',
  access: OPEN_ITEMS_ACCESS,
  summary: 'The mail with which a statement of account would be sent',
  query: z.strictObject(ofAccount),
  reply: z.object({
    /** the customer's address for invoices, else that of its first contact; null: neither is known */
    to: z.string().nullable(),
    language: z.enum(LANGUAGES),
    subject: z.string(),
    /** as mail programs show it */
    html: z.string(),
    /** what it says is owed, less the credit; it comes back with the order to send */
    balanceCents: cents,
  }),
})
export type AccountStatementMail = z.output<(typeof previewAccountStatement)['reply']>

/**
 * Sends the statement with its PDF, in the customer's language. The mail belongs to the oldest open invoice. Errors: as
 * its preview; `balance_changed` at `balanceCents` where something else is owed by now.
 */
export const sendAccountStatement = endpoint({
  method: 'POST',
  path: '/open-items/statement',
  access: OPEN_ITEMS_ACCESS,
  summary: 'Send the statement of a customer’s account by mail',
  body: z.strictObject({ customerId: id, companyId: id, to: email, balanceCents: cents }),
  reply: z.object({ emailId: id }),
  status: 201,
  location: null,
})
