import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { cents, coded, id, idText, localDate, optionalText, reference, text, timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS } from '../kit/paging.ts'
import { can, type Access, type Permission } from '../permissions.ts'
import { isDamagedAmong, isMoved, pieces } from '../pieces/pieces.ts'
import { NamedLoadCarrierType } from './type.ts'

/** Who can hold load carriers of ours, or have us hold theirs. */
export const HOLDER_KINDS = ['customer', 'carrier', 'place'] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]

/** Which of these rights opens the accounts of a kind; one is enough. */
export const HOLDER_RIGHTS: Readonly<Record<HolderKind, readonly Permission[]>> = {
  customer: ['CUSTOMER_MANAGEMENT'],
  carrier: ['CARRIER_MANAGEMENT'],
  place: ['CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'],
}

/** Either right opens the screen; the accounts of a kind need theirs (`forbidden`). */
export const ACCOUNT_ACCESS: Access = can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT')

/** How long the pieces of a balance have been out, in days; the last has no end. */
export const PIECE_AGES = ['to30', 'to60', 'to90', 'over90'] as const
export type PieceAge = (typeof PIECE_AGES)[number]
export const LAST_DAY_OF_PIECE_AGE = { to30: 30, to60: 60, to90: 90 } as const

/** More accounts than this are not listed; their sums are counted. */
export const MOST_ACCOUNTS = 2000

/** As many movements of an account come at once; what is older is their balance brought forward. */
export const MOVEMENTS_AT_A_TIME = 200

const count = z.number().int()
export const holder = z.strictObject({ kind: z.enum(HOLDER_KINDS), id })
export type Holder = z.output<typeof holder>

/**
 * A movement that is typed by hand. `given`: the holder got them from us, `received`: we got them from the holder; the
 * balance is what was given less what was received, so that more than nothing is what the holder owes us.
 */
export const MovementWrite = z
  .strictObject({
    holder,
    movedOn: localDate,
    typeId: id,
    given: pieces.default(0),
    received: pieces.default(0),
    damaged: pieces.default(0),
    /** number of the pallet note */
    noteNumber: optionalText(50),
    note: optionalText(500),
  })
  .refine(isMoved, { ...coded('required'), path: ['given'] })
  .refine(isDamagedAmong, { ...coded('too_big'), path: ['damaged'] })
export type MovementWrite = z.output<typeof MovementWrite>

/** A line of an account. */
export const Movement = z.object({
  id,
  version: count,
  movedOn: z.string(),
  type: reference,
  given: count,
  received: count,
  damaged: count,
  /** of the account after it, of this type */
  balance: count,
  noteNumber: z.string().nullable(),
  note: z.string().nullable(),
  /** of one that was typed at a stop: it is corrected there */
  stop: z.object({ title: z.string(), orderNumber: z.string() }).nullable(),
  /** that order, for who may see it */
  order: reference.nullable(),
  /** the customer's invoice that billed them; such a line is corrected by a correction of it */
  invoice: reference.nullable(),
  /** it stands on a statement that the holder agreed to: nobody disputes it any more */
  isAgreed: z.boolean(),
  createdBy: reference.nullable(),
})
export type Movement = z.output<typeof Movement>

const ages = z.record(z.enum(PIECE_AGES), count)

/** How a statement stands: nobody's silence counts as a yes. */
export const STATEMENT_STATES = ['waiting', 'agreed', 'objected'] as const
export type StatementState = (typeof STATEMENT_STATES)[number]

/** The last statement that went out, and what the holder said of it. */
export const Stated = z.object({
  id,
  sentAt: z.string(),
  state: z.enum(STATEMENT_STATES),
  answeredAt: z.string().nullable(),
  /** who answered, and what that person said */
  answeredBy: z.string().nullable(),
  remark: z.string().nullable(),
  /** nobody answered in the time that was asked for */
  isOverdue: z.boolean(),
})
export type Stated = z.output<typeof Stated>

/** As many of ours a holder may keep, by type; a type without one has no limit. */
export const limits = z.array(z.object({ typeId: id, pieces: count }))

const Balance = z.object({
  typeId: id,
  /** more than nothing: they hold ours; less: we hold theirs */
  pieces: count,
  /** as many of ours they may keep; null: nothing was agreed */
  limit: count.nullable(),
  /** by the first-in-first-out rule; the sum is `pieces` */
  ages,
})
export type Balance = z.output<typeof Balance>

const Account = z.object({
  holder: z.object({ kind: z.enum(HOLDER_KINDS), id, title: z.string(), detail: z.string().nullable() }),
  balances: z.array(Balance),
  /** since when the oldest piece has been out, in days; null: nothing is open */
  oldestDays: count.nullable(),
  /** at the prices of the types */
  worthCents: count,
  stated: Stated.nullable(),
  /** the last statement said something else than the balances of now, or none went out */
  hasMoved: z.boolean(),
  /** where a statement goes; null: nobody of theirs has an address */
  to: z.string().nullable(),
})
export type Account = z.output<typeof Account>

/** Accounts are shown with something open, over the limit, or all that have movements. */
export const ACCOUNTS_SHOWN = ['open', 'over', 'all'] as const

/** How many pieces of a type a holder keeps beyond what it may. */
export const overLimit = ({ pieces: held, limit }: { pieces: number; limit: number | null }): number =>
  limit === null ? 0 : Math.max(0, held - limit)

/**
 * Whose statement is due: something is open, and nothing was stated, or something else, or nobody has answered in time.
 * Who has agreed to what is open, and who objects to it, is asked for nothing again.
 */
export const isStatementDue = ({
  balances,
  stated,
  hasMoved,
}: Pick<Account, 'balances' | 'stated' | 'hasMoved'>): boolean =>
  balances.some((one) => one.pieces !== 0) && (stated === null || hasMoved || stated.isOverdue)

const narrowing = {
  holder: z.enum(HOLDER_KINDS),
  q: text(100).optional(),
  typeId: idText.optional(),
  show: z.enum(ACCOUNTS_SHOWN).default('open'),
  /** with pieces that have been out for more days than this */
  olderThan: z.enum(['30', '60', '90']).optional(),
  timeZone: timeZone.default('UTC'),
}

/** The largest worth first. Error: `forbidden` without the right to accounts of this kind. */
export const listAccounts = endpoint({
  method: 'GET',
  path: '/load-carriers/accounts',
  access: ACCOUNT_ACCESS,
  summary: 'Accounts of load carriers: balance and age by type',
  query: z.strictObject(narrowing),
  reply: z.object({
    asOf: z.string(),
    /** those in use, and those that an account has */
    types: z.array(NamedLoadCarrierType),
    items: z.array(Account),
    total: z.object({
      accountCount: count,
      worthCents: count,
      balances: z.array(z.object({ typeId: id, pieces: count })),
    }),
  }),
})
export type Accounts = z.output<(typeof listAccounts)['reply']>

export const exportAccounts = endpoint({
  method: 'GET',
  path: '/load-carriers/accounts/export',
  access: ACCOUNT_ACCESS,
  summary: 'Accounts of load carriers as a table, a line for each type',
  query: z.strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS) }),
  shape: 'file',
})

const ofAccount = { holder: z.enum(HOLDER_KINDS), holderId: idText, typeId: idText.optional() }

/** The newest of an account first, each with the balance after it. Errors: `forbidden`, `not_found`. */
export const listMovements = endpoint({
  method: 'GET',
  path: '/load-carriers/movements',
  access: ACCOUNT_ACCESS,
  summary: 'The movements of one account, each with the balance after it',
  query: z.strictObject(ofAccount),
  reply: z.object({
    holder: z.object({ kind: z.enum(HOLDER_KINDS), id, title: z.string(), detail: z.string().nullable() }),
    items: z.array(Movement),
    /** how many older ones there are; their sum is the balance before the last line */
    olderCount: count,
    stated: Stated.nullable(),
    limits: z.object({ version: count, items: limits }),
    /** on drafts of invoices: they move the account once these are sent */
    drafts: z.array(z.object({ invoice: reference, typeId: id, pieces: count })),
  }),
})
export type Movements = z.output<(typeof listMovements)['reply']>

export const exportMovements = endpoint({
  method: 'GET',
  path: '/load-carriers/movements/export',
  access: ACCOUNT_ACCESS,
  summary: 'All movements of one account as a table, each with the balance after it',
  query: z.strictObject({ ...ofAccount, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') }),
  shape: 'file',
})

/**
 * Errors: `forbidden` for a holder of a kind without its right; `unknown_reference` at `holder.id` and `typeId`;
 * `invalid_value` at `movedOn` for a day that has not come yet.
 */
export const createMovement = endpoint({
  method: 'POST',
  path: '/load-carriers/movements',
  access: ACCOUNT_ACCESS,
  summary: 'Enter a movement of load carriers by hand',
  body: MovementWrite,
  reply: Movement,
  status: 201,
  location: null,
})

const byId = z.strictObject({ id: idText })

/** Errors: as entering it; `conflict` for one that was typed at a stop: it is corrected there. */
export const changeMovement = endpoint({
  method: 'PUT',
  path: '/load-carriers/movements/:id',
  access: ACCOUNT_ACCESS,
  summary: 'Correct a movement that was entered by hand',
  params: byId,
  body: MovementWrite,
  reply: Movement,
  needsVersion: true,
})

/** Errors: as correcting it. */
export const removeMovement = endpoint({
  method: 'DELETE',
  path: '/load-carriers/movements/:id',
  access: ACCOUNT_ACCESS,
  summary: 'Take a movement that was entered by hand out of its account',
  params: byId,
  needsVersion: true,
})

/** Lines of one bill, each of a type of its own. */
export const MOST_BILLED_TYPES = 50

/** For bills: they come of the account, and become an invoice. */
export const BILL_ACCESS: Access = can('INVOICES_PROCESSING')

/**
 * Makes the draft of a customer's invoice for load carriers of ours that a holder keeps, each type at a price a piece;
 * its VAT is proposed as for a service. Once it is sent, the account falls by what its lines say. Errors: `forbidden`
 * without the right to the account; `unknown_reference` at `holder.id`, `companyId`, `billingCustomerId` and
 * `lines.<n>.typeId`; `duplicate_key` at `lines.<n>.typeId`; `exceeds_balance` at `lines.<n>.pieces` where the holder
 * has not so many of ours, less those on other drafts.
 */
export const billLoadCarriers = endpoint({
  method: 'POST',
  path: '/load-carriers/bill',
  access: BILL_ACCESS,
  summary: 'Bill load carriers that a holder keeps, as a draft of an invoice',
  body: z.strictObject({
    holder,
    companyId: id,
    billingCustomerId: id,
    lines: z
      .array(z.strictObject({ typeId: id, pieces: pieces.min(1), priceCents: cents.min(0) }))
      .min(1)
      .max(MOST_BILLED_TYPES),
  }),
  reply: z.object({ invoice: reference }),
  status: 201,
  location: null,
})
