import { sql, type RawBuilder } from 'kysely'
import type { Holder, HolderKind, Stated, StatementState } from '@waybill/contract/load-carrier/account'
import { STATEMENT_ANSWER_DAYS } from '@waybill/contract/load-carrier/statement'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { HOLDER_COLUMNS, holderTable } from './holder.policy.ts'
import './load-carrier.table.ts'

/** The last statement of an account as it is stored, with the last answer to it. */
export interface StatedRow {
  id: number
  sentAt: string
  balances: { typeId: number; pieces: number }[]
  isAgreed: boolean | null
  answeredAt: string | null
  answeredBy: string | null
  remark: string | null
}

/** The last answer to the statement `s`, as `answer`. */
export const lastAnswer = sql`left join lateral (
    select a.* from load_carrier_statement_answer a where a."statementId" = s.id order by a.id desc limit 1
  ) answer on true`

/** Whether a newer statement took the place of the statement `s`. */
export const isReplaced = sql`exists (select 1 from load_carrier_statement later where later.id > s.id
  and later."customerId" is not distinct from s."customerId"
  and later."carrierCompanyId" is not distinct from s."carrierCompanyId"
  and later."placeId" is not distinct from s."placeId")`

/** The balances of the statement `s` by the titles of the types, as the history tells them. */
export const statedByTitle = sql`(select coalesce(json_object_agg(t.title, one.pieces), '{}')
  from jsonb_to_recordset(s.balances) as one("typeId" bigint, pieces int)
    join load_carrier_type t on t.id = one."typeId")`

/** The last statement of the holder `h`, as JSON; null where none went out. */
export const lastStatement = (kind: HolderKind): RawBuilder<unknown> => sql`(
  select json_build_object('id', s.id, 'sentAt', s."sentAt", 'balances', s.balances, 'isAgreed', answer."isAgreed",
      'answeredAt', answer."answeredAt", 'answeredBy', answer.name, 'remark', answer.remark)
    from load_carrier_statement s ${lastAnswer}
    where ${sql.ref(`s.${HOLDER_COLUMNS[kind]}`)} = h.id order by s.id desc limit 1)`

/** From when on the movement `m` stands in its accounts: a statement of before does not name it. */
export const enteredAt = sql`greatest(m."createdAt", m."movedOn"::timestamp at time zone 'UTC')`

/** When the newest statement went out that the holder agreed to: what was entered until then is disputed no more. */
export const agreedUntil = ({ kind, id }: Holder): RawBuilder<unknown> => sql`(
  select max(s."sentAt") from load_carrier_statement s ${lastAnswer}
    where ${sql.ref(`s.${HOLDER_COLUMNS[kind]}`)} = ${id} and answer."isAgreed")`

export const stateOf = ({ isAgreed }: Pick<StatedRow, 'isAgreed'>): StatementState =>
  isAgreed === null ? 'waiting' : isAgreed ? 'agreed' : 'objected'

const DAY_MS = 86_400_000

/** Before this moment an answer was asked for until now. */
export const overdueSince = (ctx: Ctx): string =>
  new Date(Date.parse(nowOf(ctx)) - STATEMENT_ANSWER_DAYS * DAY_MS).toISOString()

/** How a statement stands. */
export const statedOf = (ctx: Ctx, row: StatedRow): Stated => ({
  id: row.id,
  // Moments inside JSON come as the database writes them.
  sentAt: new Date(row.sentAt).toISOString(),
  state: stateOf(row),
  answeredAt: row.answeredAt === null ? null : new Date(row.answeredAt).toISOString(),
  answeredBy: row.answeredBy,
  remark: row.remark,
  isOverdue: row.isAgreed === null && new Date(row.sentAt).toISOString() < overdueSince(ctx),
})

/** Whether a balance is another one than a statement said, or none was sent. */
export const hasMoved = (stated: StatedRow | null, { typeId, pieces }: { typeId: number; pieces: number }): boolean =>
  stated === null || (stated.balances.find((one) => one.typeId === typeId)?.pieces ?? 0) !== pieces

/** How the last statement of an account stands; the caller was admitted to it. */
export async function lastStated(ctx: Ctx, { kind, id }: Holder): Promise<Stated | null> {
  const { rows } = await sql<{ stated: StatedRow | null }>`
    select ${lastStatement(kind)} as stated from ${holderTable(kind)} where h.id = ${id}
  `.execute(ctx.db)
  return rows[0]?.stated ? statedOf(ctx, rows[0].stated) : null
}

/** Beyond this a mail with pictures would not arrive everywhere. */
const MOST_SLIP_BYTES = 8 * 1024 * 1024
const MOST_SLIPS = 40

export interface Slip {
  documentId: number
  sizeBytes: number
}

/**
 * The pictures of pallet notes that drivers took at the stops of an account, the newest first, as many as fit into a
 * mail. What the holder has agreed to needs no proof any more. A carrier gets those of its own drivers alone. The
 * caller was admitted to the account.
 */
export async function slipsOf(ctx: Ctx, holder: Holder): Promise<Slip[]> {
  const isTheirs = holder.kind === 'carrier' ? sql`d."orderCarrier" = a.id` : sql`true`
  const { rows } = await sql<Slip>`
    select d.id as "documentId", d."sizeBytes" from document d where d.id in (
        select d.id from load_carrier_entry e join load_carrier_movement m on m.id = e.id
          join driver_report r on r."locationId" = e."locationId" and r.kind = 'pallets'
          join document d on d.id = r."documentId" join location l on l.id = e."locationId"
          left join assignment a on a."routeId" = l."routeId"
        where ${sql.ref(`e.${HOLDER_COLUMNS[holder.kind]}`)} = ${holder.id} and ${isTheirs}
          and coalesce(${agreedUntil(holder)} < ${enteredAt}, true) and d."deletedAt" is null
      ) order by d.id desc limit ${sql.lit(MOST_SLIPS)}
  `.execute(ctx.db)
  let left = MOST_SLIP_BYTES
  return rows.filter(({ sizeBytes }) => (left -= sizeBytes) >= 0)
}
