import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, text } from '../kit/fields.ts'
import { listBase, pageOf, queryIds } from '../kit/paging.ts'
import { can } from '../permissions.ts'

const STATEMENT_ACCESS = can('INVOICES_PROCESSING')

/** So many entries are booked in one transaction at most. */
export const MOST_BOOKED_AT_ONCE = 200
/** An entry pays no more invoices. */
const MOST_SHARES_OF_ENTRY = 500

/** `set_aside`: nothing of it is booked, with the reason of who said so. */
export const ENTRY_STATUSES = ['open', 'booked', 'set_aside'] as const
export type EntryStatus = (typeof ENTRY_STATUSES)[number]

/** What can still be done with an entry of a status. */
export const maySettleEntry = (status: EntryStatus): boolean => status === 'open'
/** What a run was confirmed by, or came back, is not undone here: the run itself says how it goes on. */
export const mayReopenEntry = (entry: { status: EntryStatus; paymentFile: unknown }): boolean =>
  entry.status !== 'open' && entry.paymentFile === null

/**
 * How sure a proposal is. `certain` ones are ticked when a statement is opened; `open` ones propose nothing that could
 * be booked as it stands.
 */
export const VERDICTS = ['certain', 'likely', 'open'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Why a proposal is what it is; those with a value name it in `text` or `cents`. */
export const MATCH_REASONS = [
  /** text: the statement with an entry that says the same; nothing tells whether both are one movement */
  'maybe_known',
  /** text: the numbers */
  'number_named',
  /** text: what stands for a number without its year or prefix */
  'number_short',
  /** text: the customer whose account it is */
  'account_known',
  /** text: the customers, none of whom is the one of the invoice */
  'foreign_account',
  'shared_account',
  /** text: the customer of this name */
  'name_fits',
  'amount_fits',
  /** cents: Skonto */
  'amount_fits_skonto',
  /** the one open invoice of this amount */
  'amount_only',
  'amount_all_open',
  /** cents: what stays open */
  'part_payment',
  /** cents: what is on the account */
  'paid_too_much',
  /** text: numbers of which nothing is open */
  'already_paid',
  /** text: numbers that another entry of this statement pays */
  'named_twice',
  /** text: an open invoice of just this amount, which is not named */
  'other_of_amount',
  'several_customers',
  /** text: the run */
  'run_named',
  /** cents: what the run or the payment comes to */
  'run_amount_differs',
  'run_void',
  'run_second_person',
  /** text: the run */
  'run_returned',
  /** text: why the bank sent it back */
  'return_reason',
  'returned_before',
  'nothing_found',
] as const
export type MatchReason = (typeof MATCH_REASONS)[number]

const cents = z.number().int()

const BankStatementRow = z.object({
  id,
  company: reference,
  countryCode: z.string(),
  ibanTail: z.string(),
  /** as the bank numbers it */
  number: z.string().nullable(),
  fromDate: z.string().nullable(),
  toDate: z.string().nullable(),
  /** empty once `deletedAt` says so */
  fileName: z.string(),
  openingCents: cents.nullable(),
  closingCents: cents.nullable(),
  /** of the file */
  entryCount: cents,
  /** that had come with an earlier statement */
  knownCount: cents,
  /** announced by the bank and not booked yet: left out */
  pendingCount: cents,
  openCount: cents,
  createdAt: z.string(),
  createdBy: reference.nullable(),
  /** at the end of their period: since then the entries have no names, accounts and words */
  deletedAt: z.string().nullable(),
})
export type BankStatementRow = z.output<typeof BankStatementRow>

const Reason = z.object({ code: z.enum(MATCH_REASONS), text: z.string().nullable(), cents: cents.nullable() })
export type Reason = z.output<typeof Reason>

const ProposedShare = z.object({
  invoice: reference,
  openCents: cents,
  amountCents: cents,
  skontoCents: cents,
})
export type ProposedShare = z.output<typeof ProposedShare>

/** `payment`: of a customer; `run`: what carriers are paid left our account; `return`: a payment of a run came back. */
export const PROPOSED_ACTIONS = ['payment', 'run', 'return'] as const

const Proposal = z.object({
  verdict: z.enum(VERDICTS),
  reasons: z.array(Reason),
  /** null: nothing to propose */
  action: z.enum(PROPOSED_ACTIONS).nullable(),
  customer: reference.nullable(),
  shares: z.array(ProposedShare),
  /** what of it is on the customer's account */
  accountCents: cents,
  paymentFile: reference.nullable(),
})
export type Proposal = z.output<typeof Proposal>

const BankEntry = z.object({
  id,
  version: cents,
  bookingDate: z.string(),
  valueDate: z.string(),
  /** positive came in, negative went out */
  amountCents: cents,
  partnerName: z.string().nullable(),
  partnerCountryCode: z.string().nullable(),
  partnerIbanTail: z.string().nullable(),
  remittance: z.string(),
  status: z.enum(ENTRY_STATUSES),
  /** of an open one */
  proposal: Proposal.nullable(),
  /** what it was booked as */
  customer: reference.nullable(),
  invoices: z.array(reference),
  paymentFile: reference.nullable(),
  /** the payment was reversed since */
  isReversed: z.boolean(),
  /** why nothing of it is booked */
  reason: z.string().nullable(),
  settledAt: z.string().nullable(),
  settledBy: reference.nullable(),
})
export type BankEntry = z.output<typeof BankEntry>

/** With all of its entries that did not come before, in the order of the bank. */
export const BankStatement = BankStatementRow.extend({
  /** opening, entries and closing fit; null: the bank does not say all of them */
  isBalanced: z.boolean().nullable(),
  entries: z.array(BankEntry),
})
export type BankStatement = z.output<typeof BankStatement>

/**
 * Reads a file of a bank (camt.053.001.08, others of its family leniently). What came before is left out: the same file
 * twice books nothing twice. What looks the same and may be another movement is kept, and never proposed as certain.
 * Errors at `file`: `statement_unknown`, `statement_broken`, `statement_unsafe`,
 * `statement_too_heavy`, `statement_incomplete`, `statement_not_euro`, `statement_not_ours`, `statement_shared`;
 * `unavailable` where too many are read at once.
 */
export const readBankStatement = endpoint({
  method: 'POST',
  path: '/bank-statements',
  access: STATEMENT_ACCESS,
  summary: 'Read in a bank statement, camt.053 (multipart: file)',
  reply: z.object({
    statements: z.array(
      z.object({
        id,
        newCount: cents,
        knownCount: cents,
        /** of the new ones: those that may have come before */
        doubtfulCount: cents,
        pendingCount: cents,
      }),
    ),
  }),
  shape: 'multipart',
  status: 201,
  location: null,
})
export type ReadStatements = z.output<(typeof readBankStatement)['reply']>

const { state: _state, q: _q, ...pages } = listBase

export const listBankStatements = endpoint({
  method: 'GET',
  path: '/bank-statements',
  access: STATEMENT_ACCESS,
  summary: 'Bank statements, the newest first',
  query: z.strictObject({ ...pages, companyId: queryIds.optional() }),
  reply: pageOf(BankStatementRow),
})

const byId = z.strictObject({ id: idText })

export const getBankStatement = endpoint({
  method: 'GET',
  path: '/bank-statements/:id',
  access: STATEMENT_ACCESS,
  summary: 'A bank statement with its entries and what is proposed for each',
  params: byId,
  reply: BankStatement,
})

const amount = z.number().int().min(0).max(1_000_000_000_000)
const settled = { id, version: z.number().int().min(0) }

const BookedEntry = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('payment'),
    ...settled,
    customerId: id,
    shares: z
      .array(
        z.strictObject({
          invoiceId: id,
          amountCents: amount.min(1),
          skontoCents: amount.nullable().default(null),
          /** what is written off beside it, as it was seen */
          writeOffCents: amount.default(0),
        }),
      )
      .max(MOST_SHARES_OF_ENTRY),
  }),
  z.strictObject({ action: z.literal('run'), ...settled, paymentFileId: id }),
  z.strictObject({ action: z.literal('return'), ...settled, paymentFileId: id }),
])
export type BookedEntry = z.output<typeof BookedEntry>

/**
 * Books entries as a person has confirmed them, all in one transaction: a payment with its shares, the rest on the
 * customer's account; a run, which becomes paid once all of it has left; a payment of a run that came back. The account
 * a customer has paid from is known from then on. Errors: at `entries.<n>` those of booking a payment, `stale_version`
 * at `entries.<n>.version`, `unknown_reference`; `run_second_person_needed`.
 */
export const bookBankEntries = endpoint({
  method: 'POST',
  path: '/bank-statements/:id/book',
  access: STATEMENT_ACCESS,
  summary: 'Book entries of a bank statement',
  params: byId,
  body: z.strictObject({ entries: z.array(BookedEntry).min(1).max(MOST_BOOKED_AT_ONCE) }),
  reply: z.object({ bookedCount: cents }),
})

/** Nothing of it is booked: a fee, a transfer between our accounts. */
export const setBankEntryAside = endpoint({
  method: 'POST',
  path: '/bank-entries/:id/set-aside',
  access: STATEMENT_ACCESS,
  summary: 'Set an entry of a bank statement aside',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: z.object({ id, version: cents }),
  needsVersion: true,
})

/**
 * Opens an entry again: its payment is reversed with the reason, unless it is already, and what was learned of the
 * payer's account by it is forgotten. Errors: those of reversing a payment.
 */
export const reopenBankEntry = endpoint({
  method: 'POST',
  path: '/bank-entries/:id/reopen',
  access: STATEMENT_ACCESS,
  summary: 'Open an entry of a bank statement again',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: z.object({ id, version: cents }),
  needsVersion: true,
})
