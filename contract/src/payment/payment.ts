import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, localDate, optionalText, reference, text } from '../kit/fields.ts'
import { can } from '../permissions.ts'

const PAYMENT_ACCESS = can('INVOICES_PROCESSING')

/**
 * `payment`: money came; `credit`: what stood on the customer's account was used for invoices; `refund`: money went
 * back; `correction`: a correction was set off; `claim`: what stood on the account was used for claims of late payment;
 * `write_off`: a small rest was given up; `credit_write_off`: a small credit was, which nobody asks back.
 */
export const PAYMENT_KINDS = [
  'payment',
  'credit',
  'refund',
  'correction',
  'claim',
  'write_off',
  'credit_write_off',
] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/**
 * `status`: by marking the invoice as paid; `earlier`: from before payments were kept; `statement`: an entry of a bank
 * statement that a person has confirmed.
 */
export const PAYMENT_SOURCES = ['hand', 'status', 'earlier', 'correction', 'statement'] as const
export type PaymentSource = (typeof PAYMENT_SOURCES)[number]

/**
 * A correction is set off for good, and a claim is taken back where it was booked; whatever else was booked can be
 * reversed once, and a reversal cannot.
 */
export const mayReverse = (payment: { kind: PaymentKind; reversesId: number | null; isReversed: boolean }): boolean =>
  payment.kind !== 'correction' && payment.kind !== 'claim' && payment.reversesId === null && !payment.isReversed

/** The most of an invoice or of a credit that is written off; for more it is corrected, or paid back (decision 131). */
export const MOST_WRITTEN_OFF_CENTS = 500

/** Whether what is open of an invoice is a small rest: something came, and little is missing. */
export const isSmallRest = ({ openCents, totalCents }: { openCents: number; totalCents: number }): boolean =>
  openCents > 0 && openCents <= MOST_WRITTEN_OFF_CENTS && openCents < totalCents

/** Whether what is on a customer's account is so little that it can be booked out (decision 150). */
export const isSmallCredit = (creditCents: number): boolean => creditCents > 0 && creditCents <= MOST_WRITTEN_OFF_CENTS

/** A payment pays no more invoices, and the window shows no more. */
export const MOST_SHARES = 500

const cents = z.number().int()
const positive = z.number().int().min(1).max(1_000_000_000_000)

const SkontoOffer = z.object({ percentBp: cents, amountCents: cents, until: z.string() })

const booked = {
  id,
  kind: z.enum(PAYMENT_KINDS),
  source: z.enum(PAYMENT_SOURCES),
  valueDate: z.string(),
  payer: z.string().nullable(),
  reference: z.string().nullable(),
  /** the correction that was set off */
  correction: reference.nullable(),
  reversesId: id.nullable(),
  isReversed: z.boolean(),
  /** of a reversal */
  reason: z.string().nullable(),
  createdAt: z.string(),
  createdBy: reference.nullable(),
}

/** A booking as a whole. Its amount is the sum of its shares and of what is on the account. */
export const Payment = z.object({
  ...booked,
  company: reference,
  customer: reference,
  amountCents: cents,
  shares: z.array(z.object({ invoice: reference, amountCents: cents, skontoCents: cents })),
  /** what came onto the customer's account by it, or left it */
  accountCents: cents,
})
export type Payment = z.output<typeof Payment>

/** What was booked on one invoice, with its amount of it. */
const BookedOnInvoice = z.object({ ...booked, amountCents: cents, skontoCents: cents, wholeCents: cents })
export type BookedOnInvoice = z.output<typeof BookedOnInvoice>

export const InvoicePayments = z.object({
  invoiceId: id,
  company: reference,
  customer: reference,
  totalCents: cents,
  paidCents: cents,
  skontoCents: cents,
  correctedCents: cents,
  openCents: cents,
  /** on the customer's account with this company */
  creditCents: cents,
  offers: z.array(SkontoOffer),
  dispute: z.object({ reason: z.string(), at: z.string(), by: reference.nullable() }).nullable(),
  items: z.array(BookedOnInvoice),
  /** small credits of this customer that were booked out and can come back, the newest first */
  creditsGivenUp: z.array(z.object({ id, valueDate: z.string(), amountCents: cents, createdBy: reference.nullable() })),
})
export type InvoicePayments = z.output<typeof InvoicePayments>

const byId = z.strictObject({ id: idText })

export const getInvoicePayments = endpoint({
  method: 'GET',
  path: '/invoices/:id/payments',
  access: PAYMENT_ACCESS,
  summary: 'What was paid of a sent invoice, and what is open',
  params: byId,
  reply: InvoicePayments,
})

export const OpenInvoice = z.object({
  id,
  number: z.string(),
  invoiceDate: z.string(),
  dueDate: z.string().nullable(),
  isOverdue: z.boolean(),
  isDisputed: z.boolean(),
  totalCents: cents,
  openCents: cents,
  offers: z.array(SkontoOffer),
})
export type OpenInvoice = z.output<typeof OpenInvoice>

/** The oldest due first, `MOST_SHARES` at most. */
export const listOpenInvoices = endpoint({
  method: 'GET',
  path: '/payments/open-invoices',
  access: PAYMENT_ACCESS,
  summary: 'Invoices of a customer that a payment can be shared out over',
  query: z.strictObject({ companyId: idText, customerId: idText }),
  reply: z.object({ items: z.array(OpenInvoice), creditCents: cents }),
})

const share = { invoiceId: id, amountCents: positive }

/**
 * Books a payment; what its shares leave is on the customer's account. A share without `skontoCents` takes the Skonto
 * that makes it full where the value date lets it; with it, a person has decided. What a share still lacks can be
 * written off with it. Errors: at `shares.<n>.…` `unknown_reference`, `duplicate_key`, `exceeds_open`,
 * `skonto_too_much`, `rest_changed`, `rest_too_large`; at `shares` `exceeds_payment`; at `valueDate` `in_the_future`.
 */
export const bookPayment = endpoint({
  method: 'POST',
  path: '/payments',
  access: PAYMENT_ACCESS,
  summary: 'Book a payment of a customer',
  body: z.strictObject({
    companyId: id,
    customerId: id,
    valueDate: localDate,
    amountCents: positive,
    payer: optionalText(140),
    reference: optionalText(500),
    shares: z
      .array(
        z.strictObject({
          ...share,
          skontoCents: z.number().int().min(0).max(1_000_000_000_000).nullable().default(null),
          /** of an invoice that this pays all but that: the whole of what is then open, as it was seen */
          writeOffCents: z.number().int().min(0).max(1_000_000_000_000).default(0),
        }),
      )
      .max(MOST_SHARES),
  }),
  reply: Payment,
  status: 201,
})

/** Errors: those of `bookPayment`, `credit_too_small` at `shares`. */
export const useCredit = endpoint({
  method: 'POST',
  path: '/payments/credit',
  access: PAYMENT_ACCESS,
  summary: 'Use what is on a customer’s account for invoices',
  body: z.strictObject({
    companyId: id,
    customerId: id,
    shares: z.array(z.strictObject(share)).min(1).max(MOST_SHARES),
  }),
  reply: Payment,
  status: 201,
})

/**
 * Gives up the small rests of invoices that were paid all but that; each share is the whole of what is open. Errors: at
 * `shares.<n>.…` `unknown_reference`, `duplicate_key`, `rest_changed` where another amount is open than was seen,
 * `rest_too_large`.
 */
export const writeOff = endpoint({
  method: 'POST',
  path: '/payments/write-off',
  access: PAYMENT_ACCESS,
  summary: 'Write off the small rests of invoices',
  body: z.strictObject({
    companyId: id,
    customerId: id,
    shares: z.array(z.strictObject(share)).min(1).max(MOST_SHARES),
  }),
  reply: Payment,
  status: 201,
})

/**
 * Books out what is on a customer's account with one of our companies, where it is that little: all of it, as it was
 * seen. No money moves. Errors: at `amountCents` `credit_changed` where another amount is there, `credit_too_large`; at
 * `companyId` and `customerId` `unknown_reference`.
 */
export const writeOffCredit = endpoint({
  method: 'POST',
  path: '/payments/write-off-credit',
  access: PAYMENT_ACCESS,
  summary: 'Book a small credit of a customer out',
  body: z.strictObject({ companyId: id, customerId: id, amountCents: positive }),
  reply: Payment,
  status: 201,
})

/** The money is sent elsewhere; this says that it was. Errors: `credit_too_small` at `amountCents`. */
export const noteRefund = endpoint({
  method: 'POST',
  path: '/payments/refund',
  access: PAYMENT_ACCESS,
  summary: 'Note that what was on a customer’s account was paid back',
  body: z.strictObject({
    companyId: id,
    customerId: id,
    valueDate: localDate,
    amountCents: positive,
    reference: optionalText(500),
  }),
  reply: Payment,
  status: 201,
})

/**
 * Takes a booking back as a whole by a row of its own; invoices that were full by it are sent again. What was on the
 * account must still be there. A booking never changes and is reversed once: there is no version to send. Errors:
 * `conflict` where it is reversed already, a reversal or a correction; with `reason` `credit_used` where the account
 * does not have it any more.
 */
export const reversePayment = endpoint({
  method: 'POST',
  path: '/payments/:id/reverse',
  access: PAYMENT_ACCESS,
  summary: 'Reverse a payment',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: Payment,
  status: 201,
})
