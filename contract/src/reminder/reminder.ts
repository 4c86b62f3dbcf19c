import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, text } from '../kit/fields.ts'
import { can } from '../permissions.ts'

const REMINDER_ACCESS = can('INVOICES_PROCESSING')

/** A reminder is about no more invoices; the others follow with the next one. */
export const MOST_REMINDED = 30

/** More reminders than these are not listed; they come once some of these are sent. */
export const MOST_DUE_REMINDERS = 500

/**
 * Why an invoice that would be reminded is left out: the customer does not agree with it, gets no reminders, or wants
 * none by mail; what it owes stands on its account with us already, or is a small rest, which is written off; there is
 * no PDF to send along; or somebody has sent the reminder, and it is held until the customer has an address.
 */
export const LEFT_OUT_OF_REMINDERS = [
  'disputed',
  'remindersOff',
  'preference',
  'credit',
  'rest',
  'noPaper',
  'held',
] as const
export type LeftOutOfReminders = (typeof LEFT_OUT_OF_REMINDERS)[number]

const cents = z.number().int()

const ReminderItem = z.object({
  invoice: reference,
  level: cents,
  invoiceDate: z.string(),
  dueDate: z.string(),
  daysLate: cents,
  openCents: cents,
  /** the flat sum, once for an invoice, whatever reminder claims it */
  feeCents: cents,
  interestCents: cents,
  /** hundredths of a percent on the day of the reminder; null: no interest */
  rateBp: cents.nullable(),
})
export type ReminderItem = z.output<typeof ReminderItem>

const sums = {
  /** the highest of its invoices: its text is sent */
  level: cents,
  payUntil: z.string(),
  openCents: cents,
  feeCents: cents,
  interestCents: cents,
  /** all of it: what is asked for */
  totalCents: cents,
}

const DueReminder = z.object({
  company: reference,
  customer: reference,
  /** null: there is no address, and it is held until there is one */
  to: z.string().nullable(),
  language: z.string(),
  ...sums,
  /** the highest level first, then the oldest */
  items: z.array(ReminderItem),
  /** the base rate is older than this half-year */
  isRateOld: z.boolean(),
})
export type DueReminder = z.output<typeof DueReminder>

/** One for each customer and company of ours, the gravest first. */
export const listDueReminders = endpoint({
  method: 'GET',
  path: '/reminders/due',
  access: REMINDER_ACCESS,
  summary: 'The reminders that are due today, and what is left out with its reason',
  query: z.strictObject({ q: text(100).optional() }),
  reply: z.object({
    asOf: z.string(),
    items: z.array(DueReminder),
    leftOut: z.array(
      z.object({
        company: reference,
        customer: reference,
        reason: z.enum(LEFT_OUT_OF_REMINDERS),
        /** of a dispute, as it was entered */
        detail: z.string().nullable(),
        /** of one that is held: its mail */
        mailId: id.nullable(),
        openCents: cents,
        invoices: z.array(reference.extend({ openCents: cents })),
      }),
    ),
  }),
})
export type DueReminders = z.output<(typeof listDueReminders)['reply']>

const whose = {
  companyId: id,
  customerId: id,
  /** those of the proposal, or some of them */
  invoiceIds: z.array(id).min(1).max(MOST_REMINDED),
}

/** Nothing is written. Errors: `reminder_changed` at `invoiceIds`. */
export const previewReminder = endpoint({
  method: 'POST',
  path: '/reminders/preview',
  access: REMINDER_ACCESS,
  summary: 'A reminder as it would be sent',
  body: z.strictObject(whose),
  reply: z.object({
    ...DueReminder.shape,
    subject: z.string(),
    html: z.string(),
    /** the letter first; null: it becomes a file when it is sent */
    attachments: z.array(z.object({ documentId: id.nullable(), title: z.string() })),
    /** what its text needs and nobody knows: it cannot be sent */
    holes: z.array(z.string()),
  }),
})
export type ReminderPreview = z.output<(typeof previewReminder)['reply']>

/** Nothing is written. Errors: `reminder_changed` at `invoiceIds`. */
export const previewReminderLetter = endpoint({
  method: 'POST',
  path: '/reminders/letter',
  access: REMINDER_ACCESS,
  summary: 'The letter that would go with a reminder',
  body: z.strictObject(whose),
  reply: z.object({
    /** the name of its file */
    title: z.string(),
    /** in base64 */
    pdf: z.string(),
  }),
})
export type ReminderLetter = z.output<(typeof previewReminderLetter)['reply']>

/**
 * Sends one mail to a customer about its late invoices, by one of our companies; where the customer has no address it
 * is held, counts as no level, and leaves with what is due then once there is one (decision 146). Errors:
 * `reminder_changed` at `invoiceIds` where another sum is due than was seen, also for the second of two people who
 * press at once; `value_missing` at `invoiceIds` where the text has a hole.
 */
export const sendReminder = endpoint({
  method: 'POST',
  path: '/reminders',
  access: REMINDER_ACCESS,
  summary: 'Send a payment reminder',
  body: z.strictObject({ ...whose, totalCents: cents }),
  reply: z.object({
    /** null: it is held */
    id: id.nullable(),
    /** the mail that is held */
    heldMailId: id.nullable(),
    company: reference,
    customer: reference,
    ...sums,
    items: z.array(ReminderItem),
  }),
  status: 201,
  location: null,
})
export type SentReminder = z.output<(typeof sendReminder)['reply']>

/** The oldest first. */
export const listInvoiceReminders = endpoint({
  method: 'GET',
  path: '/invoices/:id/reminders',
  access: REMINDER_ACCESS,
  summary: 'The reminders of an invoice',
  params: z.strictObject({ id: idText }),
  reply: z.object({
    items: z.array(
      z.object({
        id,
        level: cents,
        at: z.string(),
        by: reference.nullable(),
        payUntil: z.string(),
        daysLate: cents,
        openCents: cents,
        feeCents: cents,
        interestCents: cents,
        /** the invoice whose mails hold this one */
        mailed: reference,
      }),
    ),
  }),
})
export type InvoiceReminders = z.output<(typeof listInvoiceReminders)['reply']>
