import { sql } from 'kysely'
import { auditUpdated } from '../../kit/records/audit.ts'
import type { Ctx } from '../../kit/context/context.ts'

/** Partners that have numbers of bookkeeping: the column, and what history calls them. */
interface Numbered {
  table: 'customer' | 'carrier_company'
  column: 'debtorNumber' | 'creditorNumber'
  ownerKind: 'customer' | 'carrierCompany'
}
interface Range {
  from: number
  to: number
}

/**
 * The next free number: after the highest that is given, so that none comes back that the tax adviser knew as somebody
 * else's; only where the range is used up the lowest gap. Null: there is none.
 */
export async function nextAccountNumber(
  ctx: Ctx,
  { table, column }: Numbered,
  { from, to }: Range,
): Promise<number | null> {
  const [whose, number] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ next: number | null }>`
    select coalesce(
      (select max(${number}) + 1 from ${whose} where ${number} between ${from} and ${to} having max(${number}) < ${to}),
      (select min(free) from (select ${from}::int as free union
          select ${number} + 1 from ${whose} where ${number} between ${from} and ${to - 1}) gaps
        where not exists (select 1 from ${whose} where ${number} = free))) as next
  `.execute(ctx.db)
  return rows[0]?.next ?? null
}

/** Gives numbers one after the other to those of so many that have none; returns how many were given. */
export async function giveAccountNumbers(
  ctx: Ctx,
  numbered: Numbered,
  ids: readonly number[],
  range: Range,
): Promise<number> {
  const { table, column, ownerKind } = numbered
  const first = await nextAccountNumber(ctx, numbered, range)
  if (first === null || ids.length === 0) return 0
  const { rows } = await sql<{ id: number; number: number }>`
    update ${sql.table(table)} whose set ${sql.ref(column)} = given.number, version = version + 1
      from (select id, ${first}::int - 1 + row_number() over (order by "titleKey", id)::int as number
        from ${sql.table(table)} where id = any(${ids}::bigint[]) and ${sql.ref(column)} is null) given
      where whose.id = given.id and given.number <= ${range.to}
      returning whose.id, given.number
  `.execute(ctx.db)
  const changes = rows.map(({ id, number }) => ({ id, changes: [{ path: column, from: null, to: number }] }))
  await auditUpdated(ctx, ownerKind, changes)
  return rows.length
}
