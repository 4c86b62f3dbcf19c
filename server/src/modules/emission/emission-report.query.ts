import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { EmissionReport, getEmissionReport } from '@waybill/contract/emission/emission-report'
import type { Ctx } from '../../kit/context/context.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import { titlesOfCustomers } from './order-emission.query.ts'
import { waitingEmissions } from './order-picture.query.ts'

type Query = z.output<typeof getEmissionReport.query>
type Sum = EmissionReport['sum']

/** Customers share a merge: it is an order of each of them, and one of all together. */
interface Found extends Sum {
  key: string | null
  shares: number
  completeShares: number
}

const KEYS = { customer: sql`e."customerId"::text`, month: sql`to_char(e.month, 'YYYY-MM')` } as const

/** What of these orders a person may see is a matter of their department alone, as in every report. */
function narrowed(ctx: Ctx, { from, to, departmentId, customer }: Query): RawBuilder<boolean> {
  const conditions = [sql<boolean>`e.month between ${`${from}-01`}::date and ${`${to}-01`}::date`]
  if (departmentId !== undefined) conditions.push(sql<boolean>`e."departmentId" = any(${departmentId}::bigint[])`)
  if (customer !== undefined) conditions.push(sql<boolean>`e."customerId" = ${customer}`)
  if (ctx.companyFilter !== null)
    conditions.push(
      sql<boolean>`e."departmentId" in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`,
    )
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** The report, the most CO₂e first; months in their order. */
export async function emissionReport(ctx: Ctx, query: Query): Promise<EmissionReport> {
  const { ids, parts, waiting } = await waitingEmissions(ctx)
  const columns = sql`"orderId", part, "customerId", "departmentId", month, "kgKm", "wttGrams", "ttwGrams",
    "isComplete", "isOrderComplete"`
  const statement = sql<Found>`
    select ${KEYS[query.by]} as key, count(*)::int as shares,
      count(*) filter (where e."isComplete")::int as "completeShares",
      count(*) filter (where e.part = 0)::int as orders,
      count(*) filter (where e.part = 0 and e."isOrderComplete")::int as complete,
      coalesce(sum(e."kgKm"), 0)::bigint as "kgKm", coalesce(sum(e."wttGrams"), 0)::bigint as "wttGrams",
      coalesce(sum(e."ttwGrams"), 0)::bigint as "ttwGrams"
    from (
      select ${columns} from order_emission where "orderId" <> all(${ids}::bigint[])
      union all
      select ${columns} from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as x("orderId" bigint, part int,
        "customerId" bigint, "departmentId" bigint, month date, "kgKm" bigint, "wttGrams" bigint, "ttwGrams" bigint,
        "isComplete" boolean, "isOrderComplete" boolean)
    ) e
    where ${narrowed(ctx, query)}
    group by grouping sets ((${KEYS[query.by]}), ())`
  const { rows } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  const sumOf = ({ shares, completeShares, key: _key, ...sum }: Found, isOfCustomers: boolean): Sum =>
    isOfCustomers ? { ...sum, orders: shares, complete: completeShares } : sum
  const isOfOne = query.customer !== undefined
  const found = rows.flatMap((row) =>
    row.key === null ? [] : [{ ...sumOf(row, isOfOne || query.by === 'customer'), key: row.key }],
  )
  const sum = sumOf(rows.find(({ key }) => key === null)!, isOfOne)
  const titles = await titlesOfCustomers(ctx, [
    ...(query.by === 'customer' ? found.map(({ key }) => Number(key)) : []),
    ...(query.customer === undefined ? [] : [query.customer]),
  ])
  return {
    rows: found
      .map(({ key, ...figures }) => ({
        ...figures,
        key,
        title: query.by === 'customer' ? (titles.get(Number(key)) ?? null) : null,
      }))
      .toSorted((one, other) =>
        query.by === 'month'
          ? one.key.localeCompare(other.key)
          : gramsOf(other) - gramsOf(one) || one.key.localeCompare(other.key),
      ),
    sum,
    customer: query.customer === undefined ? null : { id: query.customer, title: titles.get(query.customer) ?? '' },
    waiting,
  }
}

const gramsOf = ({ wttGrams, ttwGrams }: Sum): number => wttGrams + ttwGrams
