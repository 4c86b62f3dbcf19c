import type { Holder, Movement } from '@waybill/contract/load-carrier/account'
import { MOST_STATED } from '@waybill/contract/load-carrier/statement'
import type { StatedLines } from '@waybill/contract/public/statement-page'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { namedTypes } from './account.query.ts'
import { admittedHolder, holderColumns, lockHolder, OWNER_KINDS, type NamedHolder } from './holder.policy.ts'
import { allMovements } from './movement.query.ts'
import './load-carrier.table.ts'

/** What a statement says of one type: the balance before the movements that it names, these, and the one after. */
export interface StatedType {
  typeId: number
  title: string
  broughtForward: number
  movements: Movement[]
  pieces: number
}

export interface AccountStatement {
  holder: NamedHolder
  types: StatedType[]
}

/**
 * What the statement of an account says, in the holder's language: of each type the newest movements, MOST_STATED at
 * most, after the balance brought forward. Errors: `forbidden`, `not_found`, `required` at `holderId` where nothing
 * was ever moved.
 */
export async function accountStatement(ctx: Ctx, asked: Holder): Promise<AccountStatement> {
  const holder = await admittedHolder(ctx, asked)
  const inTheirs = { ...ctx, language: holder.language }
  const types = await namedTypes(inTheirs)
  const byType = new Map<number, Movement[]>()
  for await (const one of allMovements(inTheirs, { holder: holder.kind, holderId: holder.id }))
    byType.set(one.type.id, [...(byType.get(one.type.id) ?? []), one])
  if (byType.size === 0) throw fieldError('holderId', 'required')
  return {
    holder,
    types: types.flatMap(({ id, title }) => {
      const all = byType.get(id)
      if (all === undefined) return []
      const movements = all.slice(-MOST_STATED)
      const first = movements[0]!
      return {
        typeId: id,
        title,
        broughtForward: first.balance - first.given + first.received,
        movements,
        pieces: all.at(-1)!.balance,
      }
    }),
  }
}

/** The balances of a statement, as they come back with the order to send it. */
export const balancesOf = ({ types }: AccountStatement) => types.map(({ typeId, pieces }) => ({ typeId, pieces }))

/** Refuses to send another balance than was looked at: `balance_changed`. */
export function refuseChanged(statement: AccountStatement, seen: readonly { typeId: number; pieces: number }[]): void {
  const is = balancesOf(statement)
  const isSame =
    is.length === seen.length &&
    is.every((one) => seen.some((other) => other.typeId === one.typeId && other.pieces === one.pieces))
  if (!isSame) throw fieldError('balances', 'balance_changed')
}

/** A statement that goes out, beside what it says. */
interface Outgoing {
  emailId: number
  /** of its link */
  token: string
  /** of ours, in whose name it goes out */
  companyId: number
  /** what it says, as the page of its link shows it */
  content: StatedLines[]
}

/** Notes that a statement went out. */
export async function noteStatement(
  ctx: Ctx,
  statement: AccountStatement,
  { emailId, token, companyId, content }: Outgoing,
): Promise<void> {
  const { holder } = statement
  // Who answers the one before at this moment comes before or after it.
  await lockHolder(ctx, holder)
  await ctx.db
    .insertInto('load_carrier_statement')
    .values({
      ...holderColumns(holder),
      emailId,
      balances: JSON.stringify(balancesOf(statement)),
      sentAt: nowOf(ctx),
      sentById: ctx.actor?.userId ?? null,
      tokenHash: hashSecret(token),
      companyId,
      language: holder.language,
      content: JSON.stringify(content),
    })
    .execute()
  await audit(ctx, {
    ownerKind: OWNER_KINDS[holder.kind],
    ownerId: holder.id,
    action: 'loadCarriersStated',
    after: { loadCarriers: Object.fromEntries(statement.types.map(({ title, pieces }) => [title, pieces])) },
  })
}
