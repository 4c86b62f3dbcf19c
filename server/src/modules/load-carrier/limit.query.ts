import { sql } from 'kysely'
import type { Holder, Movements } from '@waybill/contract/load-carrier/account'
import type { Ctx } from '../../kit/context/context.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { HOLDER_COLUMNS } from './holder.policy.ts'
import './load-carrier.table.ts'

export type Limits = Movements['limits']

export interface StoredLimits extends Limits {
  /** of the account; null where nothing was ever agreed */
  id: number | null
  /** by the titles of the types, as the history tells them */
  named: Record<string, number>
}

/** The limits of an account as they are stored; the caller was admitted to it. */
export async function storedLimits(ctx: Ctx, { kind, id }: Holder): Promise<StoredLimits> {
  const { rows } = await sql<{ id: number; version: number; typeId: number | null; title: string; pieces: number }>`
    select account.id, account.version, agreed."typeId", ${shownTitle(ctx.language, 't')} as title, agreed.pieces
      from load_carrier_account account left join load_carrier_limit agreed on agreed."accountId" = account.id
        left join load_carrier_type t on t.id = agreed."typeId"
      where ${sql.ref(`account.${HOLDER_COLUMNS[kind]}`)} = ${id} order by agreed."typeId"
  `.execute(ctx.db)
  const agreed = rows.filter(({ typeId }) => typeId !== null)
  return {
    id: rows[0]?.id ?? null,
    version: rows[0]?.version ?? 0,
    items: agreed.map(({ typeId, pieces }) => ({ typeId: typeId!, pieces })),
    named: Object.fromEntries(agreed.map(({ title, pieces }) => [title, pieces])),
  }
}

/** How many of ours a holder may keep; the caller was admitted to the account. */
export async function limitsOf(ctx: Ctx, holder: Holder): Promise<Limits> {
  const { version, items } = await storedLimits(ctx, holder)
  return { version, items }
}
