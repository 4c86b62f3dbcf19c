import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, localDate, reference, text, timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS, listBase, pageOf, queryBoolean, queryEnum, queryIds, queryRange } from '../kit/paging.ts'
import { can } from '../permissions.ts'

const RUN_ACCESS = can('INVOICES_PROCESSING')

/** `made`: the file is there, `confirmed`: the bank has paid it, `voided`: it was given up before that. */
export const PAYMENT_FILE_STATUSES = ['made', 'confirmed', 'voided'] as const
export type PaymentFileStatus = (typeof PAYMENT_FILE_STATUSES)[number]

/** What of a status can still be done with a run. */
export const mayConfirmRun = (status: PaymentFileStatus): boolean => status === 'made'
/** Once the bank has paid, a payment comes back by itself: it is returned, and the run is never void. */
export const mayVoidRun = (status: PaymentFileStatus): boolean => status === 'made'
export const mayReturnPayment = (status: PaymentFileStatus): boolean => status !== 'voided'
/** Before the bank has paid, a run is voided instead. */
export const mayTakeReturnBack = (status: PaymentFileStatus): boolean => status === 'confirmed'

/** A file lists no more invoices. */
export const MOST_INVOICES_IN_RUN = 2000
/** A payment day lies no further ahead: banks keep orders no longer, and a slip of the year is seen. */
export const LAST_PAYMENT_DAY = 90

/**
 * Why an approved or unchecked invoice is not paid, those that a person can mend by a telephone call first. Each is the
 * code of a field error too, with its words in three languages.
 */
export const LEFT_OUT_REASONS = [
  'iban_unconfirmed',
  'iban_unknown',
  'iban_missing',
  'bic_needed',
  'address_needed',
  'outside_sepa',
  'currency',
  'pay_carrier_inactive',
  'pay_not_approved',
  'in_payment_run',
  'credit_balance',
  'pay_amount_zero',
  'pay_amount_too_big',
  'pay_other_company',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

const cents = z.number().int()

/** An account of ours that payments can leave from. */
export const DebtorBank = z.object({
  id,
  company: reference,
  bankName: z.string().nullable(),
  countryCode: z.string(),
  ibanTail: z.string(),
  /** by a second person: payments leave from no other */
  isConfirmed: z.boolean(),
})
export type DebtorBank = z.output<typeof DebtorBank>

const ProposedInvoice = z.object({
  id,
  number: z.string(),
  carrierCompany: reference,
  orders: z.array(reference),
  dueDate: z.string().nullable(),
  isLate: z.boolean(),
  /** null: the invoice names no account */
  ibanCountryCode: z.string().nullable(),
  ibanTail: z.string().nullable(),
  /** negative: a credit note, which is set off */
  totalCents: cents,
  currency: z.string(),
})
export type ProposedInvoice = z.output<typeof ProposedInvoice>

const LeftOut = ProposedInvoice.extend({
  reason: z.enum(LEFT_OUT_REASONS),
  /** the run that it is in */
  paymentFile: reference.nullable(),
})
export type LeftOut = z.output<typeof LeftOut>

/** Invoices and credit notes of one carrier that come to the same, and can be closed without a payment. */
const SetOff = z.object({
  carrierCompany: reference,
  invoices: z.array(reference.extend({ totalCents: cents })),
  /** of the invoices; the credit notes come to the same */
  totalCents: cents,
})
export type SetOff = z.output<typeof SetOff>

/** More invoices than these are not set off at once. */
export const MOST_SET_OFF = 200

export const listDebtorBanks = endpoint({
  method: 'GET',
  path: '/payment-files/debtor-banks',
  access: RUN_ACCESS,
  summary: 'Our accounts that carriers can be paid from',
  reply: z.object({ items: z.array(DebtorBank) }),
})

/**
 * What could be paid from an account: carriers' invoices of its company that are approved and due until a day, and
 * those left out, each with its reason; what is due later is only counted, but for credit notes, which are set off at
 * once. `items` and `leftOut` are 4,000 at most.
 */
export const getPaymentProposal = endpoint({
  method: 'GET',
  path: '/payment-files/proposal',
  access: RUN_ACCESS,
  summary: 'What can be paid to carriers, and what cannot, with the reason',
  query: z.strictObject({ companyId: idText.optional(), debtorBankId: idText, dueUntil: localDate }),
  reply: z.object({
    items: z.array(ProposedInvoice),
    leftOut: z.array(LeftOut),
    /** of what is left out */
    setOffs: z.array(SetOff),
    later: z.object({ count: cents, totalCents: cents }),
    /** the first day on which the bank could pay */
    firstDay: z.string(),
  }),
})
export type PaymentProposal = z.output<(typeof getPaymentProposal)['reply']>

const person = reference.nullable()

const PaymentFileRow = z.object({
  id,
  version: cents,
  number: z.string(),
  status: z.enum(PAYMENT_FILE_STATUSES),
  company: reference,
  /** what the bank names the file by, in its statements too */
  messageId: z.string(),
  executionDate: z.string(),
  invoiceCount: cents,
  paymentCount: cents,
  totalCents: cents,
  returnedCount: cents,
  returnedCents: cents,
  createdAt: z.string(),
  createdBy: person,
})
export type PaymentFileRow = z.output<typeof PaymentFileRow>

const Payment = z.object({
  id,
  carrierCompany: reference,
  creditorName: z.string(),
  ibanCountryCode: z.string(),
  ibanTail: z.string(),
  amountCents: cents,
  remittance: z.string(),
  invoices: z.array(reference.extend({ amountCents: cents })),
  returnedAt: z.string().nullable(),
  returnedBy: person,
  returnReason: z.string().nullable(),
})
export type Payment = z.output<typeof Payment>

export const PaymentFile = PaymentFileRow.extend({
  debtor: z.object({ title: z.string(), countryCode: z.string(), ibanTail: z.string() }),
  fileName: z.string(),
  sizeBytes: cents,
  /** of the bytes, hex */
  sha256: z.string(),
  confirmedAt: z.string().nullable(),
  confirmedBy: person,
  voidedAt: z.string().nullable(),
  voidedBy: person,
  voidReason: z.string().nullable(),
  /** at the end of its period: since then there is no file, and payments have no names, accounts and words */
  deletedAt: z.string().nullable(),
  /** who made it cannot confirm it */
  needsSecondPerson: z.boolean(),
  payments: z.array(Payment),
})
export type PaymentFile = z.output<typeof PaymentFile>

const { state: _state, ...pages } = listBase
const { page: _page, cursor: _cursor, perPage: _perPage, ...whole } = pages

const narrowing = {
  status: queryEnum(PAYMENT_FILE_STATUSES).optional(),
  /** a payment of it came back */
  returned: queryBoolean.optional(),
  companyId: queryIds.optional(),
  carrierCompanyId: queryIds.optional(),
  createdById: queryIds.optional(),
  executionDate: queryRange.optional(),
  createdAt: queryRange.optional(),
}

/** `q` finds numbers, files, carriers, and what the bank was told: ids and the invoices of the remittance texts. */
export const listPaymentFiles = endpoint({
  method: 'GET',
  path: '/payment-files',
  access: RUN_ACCESS,
  summary: 'Payment runs, the newest first',
  query: z.strictObject({ ...pages, ...narrowing }),
  reply: pageOf(PaymentFileRow),
})

export const exportPaymentFiles = endpoint({
  method: 'GET',
  path: '/payment-files/export',
  access: RUN_ACCESS,
  summary: 'Payment runs as a file, the newest first',
  query: z.strictObject({
    ...whole,
    ...narrowing,
    format: z.enum(EXPORT_FORMATS),
    timeZone: timeZone.default('UTC'),
  }),
  shape: 'file',
})

const byId = z.strictObject({ id: idText })

export const getPaymentFile = endpoint({
  method: 'GET',
  path: '/payment-files/:id',
  access: RUN_ACCESS,
  summary: 'Read: payment run',
  params: byId,
  reply: PaymentFile,
})

/**
 * Makes a run and its file, once and for good. Several invoices of a carrier are one payment with `combine`; credit
 * notes are set off in any case. Errors: at `invoiceIds.<n>` a reason of LEFT_OUT_REASONS, among them `credit_balance`
 * where the carrier would owe us afterwards: its credit notes that are not in the run come to more than the rest of its
 * approved invoices; `credit_too_big` for a credit note that the invoices do not cover; at `debtorBankId`
 * `debtor_unconfirmed`; at `executionDate` `in_the_past`, `target_closed`, `payment_day_far`.
 */
export const createPaymentFile = endpoint({
  method: 'POST',
  path: '/payment-files',
  access: RUN_ACCESS,
  summary: 'Make a payment run and its SEPA file',
  body: z.strictObject({
    invoiceIds: z.array(id).min(1).max(MOST_INVOICES_IN_RUN),
    debtorBankId: id,
    executionDate: localDate,
    combine: z.boolean().default(true),
  }),
  reply: PaymentFile,
  status: 201,
})

/**
 * Closes approved invoices and credit notes of one carrier that come to the same: they are paid, and no money flows
 * (decision 125). Whoever takes one back to *approved* takes all of them back. Errors: at `invoiceIds.<n>`
 * `unknown_reference`, `duplicate_key`, `invalid_value` for an invoice to a customer, `pay_not_approved`,
 * `in_payment_run`, `pay_amount_zero`, `currency`, `pay_other_company` without a company of ours, `set_off_mixed` for
 * one of another carrier or company than the first; `set_off_uneven` at `invoiceIds`.
 */
export const setOffInvoices = endpoint({
  method: 'POST',
  path: '/payment-files/set-off',
  access: RUN_ACCESS,
  summary: 'Set invoices and credit notes of a carrier off against each other, without a payment',
  body: z.strictObject({ invoiceIds: z.array(id).min(2).max(MOST_SET_OFF) }),
  reply: SetOff,
})

/** The bytes as they were made; never made anew. Errors: `file_deleted` at the end of their period. */
export const getPaymentFileContent = endpoint({
  method: 'GET',
  path: '/payment-files/:id/file',
  access: RUN_ACCESS,
  summary: 'The file of a payment run, as it was made',
  params: byId,
  shape: 'file',
})

/** The bank has paid: its invoices become paid, but for those returned. Errors: `run_second_person_needed`. */
export const confirmPaymentFile = endpoint({
  method: 'POST',
  path: '/payment-files/:id/confirm',
  access: RUN_ACCESS,
  inPerson: true,
  summary: 'Confirm that the bank has paid a run',
  params: byId,
  reply: PaymentFile,
  needsVersion: true,
})

/** Gives up a run that the bank has not paid; its invoices are free again. */
export const voidPaymentFile = endpoint({
  method: 'POST',
  path: '/payment-files/:id/void',
  access: RUN_ACCESS,
  summary: 'Void a payment run that was not paid',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: PaymentFile,
  needsVersion: true,
})

/**
 * The bank has sent back, or refused, the payment that holds an invoice: all invoices of it are approved again, and its
 * account must be confirmed anew.
 */
export const returnPayment = endpoint({
  method: 'POST',
  path: '/payment-files/:id/return',
  access: RUN_ACCESS,
  summary: 'Note that a payment of a run came back',
  params: byId,
  body: z.strictObject({ invoiceId: id, reason: text(500) }),
  reply: PaymentFile,
  needsVersion: true,
})

/**
 * A payment of a confirmed run was noted as returned by mistake: the bank has paid it, and its invoices are paid again.
 * The account stays unconfirmed until a second person confirms it. Errors: `conflict`, at `invoiceId` with
 * `in_payment_run` where another run pays one of them by now, `paid_otherwise`, `pay_not_approved`, `pay_changed`, and
 * `returned_by_statement` where the return was booked from a bank statement.
 */
export const takeReturnBack = endpoint({
  method: 'POST',
  path: '/payment-files/:id/take-return-back',
  access: RUN_ACCESS,
  inPerson: true,
  summary: 'Take back that a payment of a run was noted as returned',
  params: byId,
  body: z.strictObject({ invoiceId: id, reason: text(500) }),
  reply: PaymentFile,
  needsVersion: true,
})

/** What a page with the list of runs, and its export, need to know of it. */
export const paymentFileApi = {
  path: 'payment-files',
  list: listPaymentFiles,
  export: exportPaymentFiles,
  sortOf: (): string => '-createdAt',
}
