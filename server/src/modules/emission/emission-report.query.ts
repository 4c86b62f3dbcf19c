import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import {
  MOST_EMISSION_ROWS,
  type EmissionReport,
  type getEmissionReport,
} from '@waybill/contract/emission/emission-report'
import type { Ctx } from '../../kit/context/context.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'
import { titlesOfCustomers } from './order-emission.query.ts'
import { waitingEmissions } from './order-picture.query.ts'

type Query = z.output<typeof getEmissionReport.query>
type Sum = EmissionReport['sum']

/** Customers share a merge: it is an order of each of them, and one of all together. */
interface Found extends Sum {
  key: number | string
  shares: number
  completeShares: number
}

const KEYS = { customer: sql`e."customerId"`, month: sql`e.month` } as const

/** What of these orders a person may see is a matter of their department alone, as in every report. */
function narrowed(ctx: Ctx, { from, to, departmentId, customer, ...left }: Omit<Query, 'by'>): RawBuilder<boolean> {
  noFilterLeft(left)
  const conditions = [sql<boolean>`e.month between ${`${from}-01`}::date and ${`${to}-01`}::date`]
  if (departmentId !== undefined) conditions.push(sql<boolean>`e."departmentId" = any(${departmentId}::bigint[])`)
  if (customer !== undefined) conditions.push(sql<boolean>`e."customerId" = ${customer}`)
  if (ctx.companyFilter !== null)
    conditions.push(
      sql<boolean>`e."departmentId" in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`,
    )
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const gramsOf = ({ wttGrams, ttwGrams }: Sum): number => wttGrams + ttwGrams

const added = (rows: readonly Sum[]): Sum => {
  const total = (of: keyof Sum) => rows.reduce((sum, row) => sum + row[of], 0)
  return {
    orders: total('orders'),
    complete: total('complete'),
    kgKm: total('kgKm'),
    wttGrams: total('wttGrams'),
    ttwGrams: total('ttwGrams'),
  }
}

/** The report with at most so many rows of their own, the most CO₂e first; months in their order. */
export async function emissionReport(ctx: Ctx, query: Query, mostRows = MOST_EMISSION_ROWS): Promise<EmissionReport> {
  const { ids, parts, waiting } = await waitingEmissions(ctx)
  const columns = sql`"orderId", part, "customerId", "departmentId", month, "kgKm", "wttGrams", "ttwGrams",
    "isComplete", "isOrderComplete"`
  const grouped = (rows: RawBuilder<unknown>) => sql`
    select ${KEYS[query.by]} as key, count(*) as shares, count(*) filter (where e."isComplete") as "completeShares",
      count(*) filter (where e.part = 0) as orders,
      count(*) filter (where e.part = 0 and e."isOrderComplete") as complete,
      sum(e."kgKm") as "kgKm", sum(e."wttGrams") as "wttGrams", sum(e."ttwGrams") as "ttwGrams"
    from ${rows} where ${narrowed(ctx, query)} group by 1`
  const statement = sql<Found>`
    select ${query.by === 'month' ? sql`to_char(key, 'YYYY-MM')` : sql`key`} as key, sum(shares)::int as shares,
      sum("completeShares")::int as "completeShares", sum(orders)::int as orders, sum(complete)::int as complete,
      sum("kgKm")::bigint as "kgKm", sum("wttGrams")::bigint as "wttGrams", sum("ttwGrams")::bigint as "ttwGrams"
    from (
      ${grouped(sql`order_emission e`)}
      union all
      select key, -shares, -"completeShares", -orders, -complete, -"kgKm", -"wttGrams", -"ttwGrams" from (
        ${grouped(sql`(select ${columns} from order_emission where "orderId" = any(${ids}::bigint[])) e`)}) noted
      union all
      ${grouped(sql`jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as e("orderId" bigint, part int,
        "customerId" bigint, "departmentId" bigint, month date, "kgKm" bigint, "wttGrams" bigint, "ttwGrams" bigint,
        "isComplete" boolean, "isOrderComplete" boolean)`)}
    ) one
    group by one.key having sum(shares) > 0`
  const { rows: found } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  const isOfOne = query.customer !== undefined
  const isOfCustomers = isOfOne || query.by === 'customer'
  const sorted = found
    .map(({ key, shares, completeShares, ...sum }) => ({
      ...sum,
      ...(isOfCustomers && { orders: shares, complete: completeShares }),
      key: String(key),
    }))
    .toSorted((one, other) =>
      query.by === 'month'
        ? one.key.localeCompare(other.key)
        : gramsOf(other) - gramsOf(one) || one.key.localeCompare(other.key),
    )
  const shown = sorted.slice(0, mostRows)
  const others = sorted.slice(mostRows)
  const titles = await titlesOfCustomers(ctx, [
    ...(query.by === 'customer' ? shown.map(({ key }) => Number(key)) : []),
    ...(query.customer === undefined ? [] : [query.customer]),
  ])
  return {
    rows: shown.map((row) => ({
      ...row,
      title: query.by === 'customer' ? (titles.get(Number(row.key)) ?? null) : null,
    })),
    others: others.length === 0 ? null : { count: others.length, ...added(others) },
    sum: isOfOne ? added(sorted) : added(found),
    customer: query.customer === undefined ? null : { id: query.customer, title: titles.get(query.customer) ?? '' },
    waiting,
  }
}
