import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { shiftMonth } from '@waybill/contract/kit/months'
import { MOST_REPORT_ROWS } from '@waybill/contract/report/report'
import {
  SPAN_GROUPS,
  type getSpanReport,
  type Span,
  type SpanGroup,
  type SpanReport,
  type SpanRow,
  type Spans,
} from '@waybill/contract/report/spans'
import type { Ctx } from '../../kit/context/context.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import { firstDay, namedBy, narrowedTo, seesInvoicesOf, spanOf, titlesOf } from './report-parts.query.ts'
import './report.table.ts'

type Query = z.output<typeof getSpanReport.query>

const KEYS: Readonly<Record<SpanGroup, RawBuilder<unknown>>> = {
  customer: sql`f."customerId"::text`,
  department: sql`f."departmentId"::text`,
  month: sql`to_char(f.month, 'YYYY-MM')`,
}

interface Found {
  /** null: all of them together */
  key: string | null
  isBefore: boolean
  measure: 'plan' | 'bill'
  orders: number
  hours: number
  low: number
  high: number
}

/** To a tenth of an hour: nobody asks for less. */
const tenths = (hours: number): number => Math.round(hours * 10) / 10

const spanFrom = (found: Found | undefined): Span =>
  found === undefined
    ? { orders: 0, meanHours: null, medianHours: null }
    : {
        orders: found.orders,
        meanHours: tenths(found.hours / found.orders),
        medianHours: (found.low + found.high) / 2,
      }

/**
 * The report with at most so many rows of their own, the ones with most orders first; months by their order. Orders are
 * counted by whole hours first, of which there are few: so neither mean nor median needs them in order.
 */
export async function spanReport(ctx: Ctx, query: Query, mostRows = MOST_REPORT_ROWS): Promise<SpanReport> {
  const seesInvoices = seesInvoicesOf(ctx)
  const key = KEYS[query.by]
  const isWithin = sql<boolean>`(${spanOf(query, sql`f.month`)} or ${spanOf(query, sql`f.month`, -12)})
    and ${narrowedTo(ctx, query, 'f')}
    and ${query.customer === undefined ? sql`true` : sql`f."customerId" = ${query.customer}`}`
  const measures = seesInvoices
    ? sql`(values ('plan', f."planHours"), ('bill', f."billHours")) m(measure, hours)`
    : sql`(values ('plan', f."planHours")) m(measure, hours)`
  const counted = (sign: RawBuilder<unknown>, from: RawBuilder<unknown>, condition: RawBuilder<boolean>) => sql`
    select ${key} as key, f.month < ${firstDay(query.from)} as "isBefore", m.measure, m.hours, ${sign} * count(*) as n
    from ${from} f cross join lateral ${measures}
    where ${isWithin} and ${condition} and m.hours is not null group by 1, 2, 3, 4`
  const isDue = sql<boolean>`f."orderId" = any((select ids from due)::bigint[])`
  const statement = sql<Found>`with due as materialized (
      select with_merged_orders(array(select distinct "orderId" from figure_due)) as ids),
    counted as materialized (
      select key, "isBefore", measure, hours, sum(n) as n from (
        ${counted(sql`1`, sql`order_span`, sql<boolean>`true`)}
        union all ${counted(sql`-1`, sql`order_span`, isDue)}
        union all ${counted(sql`1`, sql`order_span_now`, isDue)}
      ) one group by 1, 2, 3, 4 having sum(n) > 0),
    ranked as (
      select *, sum(n) over part as upto, sum(n) over whole as orders, sum(n * hours) over whole as sum
      from (
        select key, "isBefore", measure, hours, n from counted
        union all
        select null, "isBefore", measure, hours, sum(n) from counted group by 2, 3, 4
      ) one
      window whole as (partition by key, "isBefore", measure),
        part as (partition by key, "isBefore", measure order by hours))
    select key, "isBefore", measure, max(orders)::int as orders, max(sum)::bigint as hours,
      min(hours) filter (where upto * 2 >= orders) as low, min(hours) filter (where upto * 2 > orders) as high
    from ranked group by 1, 2, 3`
  const { rows: found } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  const named = (row: Found): string | null =>
    row.key !== null && row.isBefore && query.by === 'month' ? shiftMonth(row.key, 12) : row.key
  const by = new Map(found.map((row) => [`${named(row) ?? ''} ${row.isBefore} ${row.measure}`, row]))
  const spansOf = (of: string, isBefore: boolean): Spans => ({
    plan: spanFrom(by.get(`${of} ${isBefore} plan`)),
    bill: seesInvoices ? spanFrom(by.get(`${of} ${isBefore} bill`)) : null,
  })
  const pair = (of: string) => {
    const before = spansOf(of, true)
    return { now: spansOf(of, false), before: before.plan.orders + (before.bill?.orders ?? 0) === 0 ? null : before }
  }
  const keys = [...new Set(found.flatMap((row) => named(row) ?? []))]
  const countOf = (of: string): number => {
    const { plan, bill } = spansOf(of, false)
    return Math.max(plan.orders, bill?.orders ?? 0)
  }
  const sorted = keys.sort((one, other) =>
    query.by === 'month' ? one.localeCompare(other) : countOf(other) - countOf(one) || one.localeCompare(other),
  )
  const shown = sorted.slice(0, mostRows)
  const titles = await titlesOf(ctx, query.by, shown)
  return {
    named: await namedBy(
      ctx,
      query,
      SPAN_GROUPS.filter((group) => group !== 'month'),
    ),
    rows: shown.map((of): SpanRow => ({ key: of, title: titles.get(of)?.title ?? null, ...pair(of) })),
    others: sorted.length - shown.length,
    sum: pair(''),
  }
}
