import { sql, type RawBuilder } from 'kysely'
import { shiftMonth } from '@waybill/contract/kit/months'
import { hasPermission } from '@waybill/contract/permissions'
import type { ReportGroup } from '@waybill/contract/report/report'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import './report.table.ts'

interface Period {
  from: string
  to: string
}

export const listed = (names: readonly string[], of: (name: string) => RawBuilder<unknown>) => sql.join(names.map(of))
export const firstDay = (month: string) => sql`${`${month}-01`}::date`

/** Within the months of a query. */
export const spanOf = ({ from, to }: Period, month: RawBuilder<unknown>) =>
  sql<boolean>`${month} between ${firstDay(from)} and ${firstDay(to)}`

/** Within the months of a query or the same of the year before; by one range of an index, which two would not be. */
export const withYearBefore = ({ from, to }: Period, month: RawBuilder<unknown>) =>
  sql<boolean>`${month} between ${firstDay(shiftMonth(from, -12))} and ${firstDay(to)}
    and (${month} >= ${firstDay(from)} or ${month} <= ${firstDay(shiftMonth(to, -12))})`

/** For a `with`: the orders that wait to be folded. */
export const DUE = sql`due as materialized (select array(select distinct "orderId" from figure_due) as ids)`

/** What of these orders a person may see is a matter of their department alone. */
export function narrowedTo(
  ctx: Ctx,
  { departmentId }: { departmentId?: readonly number[] | undefined },
  alias: string,
): RawBuilder<boolean> {
  const department = sql.ref(`${alias}.departmentId`)
  return sql<boolean>`${departmentId === undefined ? sql`true` : sql`${department} = any(${departmentId}::bigint[])`}
    and ${
      ctx.companyFilter === null
        ? sql`true`
        : sql`${department} in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`
    }`
}

interface Title {
  key: string
  title: string
}

/** What the records behind the keys are called. */
export async function titlesOf(ctx: Ctx, by: ReportGroup, keys: readonly string[]): Promise<Map<string, Title>> {
  const ids = keys.filter((key) => /^[1-9]\d{0,14}$/.test(key)).map(Number)
  const titles: Partial<Record<ReportGroup, RawBuilder<unknown>>> = {
    customer: sql`select x.id::text as key, x.title from customer x`,
    carrier: sql`select x.id::text as key, x.title from carrier_company x`,
    department: sql`select x.id::text as key, x.abbreviation as title from department x`,
    caseWorker: sql`select x.id::text as key, x."fullName" as title from "user" x`,
  }
  const wanted = titles[by]
  if (wanted === undefined || ids.length === 0) return new Map()
  const { rows } = await sql<Title>`${wanted} where x.id = any(${ids}::bigint[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.key, row]))
}

type Asked = Partial<Record<ReportGroup, string | number | undefined>> & { departmentId?: number[] | undefined }

/** The titles of what a query looks closer at; of a department where one alone is asked for. */
export async function namedBy<Group extends ReportGroup>(
  ctx: Ctx,
  query: Asked,
  groups: readonly Group[],
): Promise<{ by: Group; key: string; title: string | null }[]> {
  const named: { by: Group; key: string; title: string | null }[] = []
  for (const by of groups) {
    const value =
      by === 'department' ? (query.departmentId?.length === 1 ? query.departmentId[0] : undefined) : query[by]
    if (value === undefined) continue
    const key = String(value)
    named.push({ by, key, title: (await titlesOf(ctx, by, [key])).get(key)?.title ?? null })
  }
  return named
}

export const seesInvoicesOf = (ctx: Ctx): boolean => hasPermission(actorOf(ctx), 'INVOICES_PROCESSING')
