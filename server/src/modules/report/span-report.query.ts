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
import {
  firstDay,
  listed,
  namedBy,
  narrowedTo,
  seesInvoicesOf,
  titlesOf,
  withYearBefore,
} from './report-parts.query.ts'
import './report.table.ts'

type Query = z.output<typeof getSpanReport.query>

interface Found {
  /** null: all of them together */
  key: string | null
  isBefore: boolean
  measure: 'plan' | 'bill'
  orders: number
  hours: number
  median: number
  /** how many customers there are; null where their rows are not the ones asked for */
  customers: number | null
}

/** To a tenth of an hour: nobody asks for less. */
const tenths = (hours: number): number => Math.round(hours * 10) / 10

const spanFrom = (found: Found | undefined): Span =>
  found === undefined
    ? { orders: 0, meanHours: null, medianHours: null }
    : {
        orders: found.orders,
        meanHours: tenths(found.hours / found.orders),
        medianHours: found.median,
      }

interface Asked {
  within: RawBuilder<boolean>
  isBefore: RawBuilder<boolean>
  /** null in each row for who sees no invoices */
  billHours: RawBuilder<unknown>
}

function askedOf(ctx: Ctx, query: Query): Asked {
  const isOfCustomer = query.customer === undefined ? sql`true` : sql`f."customerId" = ${query.customer}`
  return {
    within: sql<boolean>`${withYearBefore(query, sql`f.month`)} and ${narrowedTo(ctx, query, 'f')} and ${isOfCustomer}`,
    isBefore: sql<boolean>`f.month < ${firstDay(query.from)}`,
    billHours: seesInvoicesOf(ctx) ? sql`f."billHours"` : sql`null::int`,
  }
}

/** All together, and each month or department: orders are counted by whole hours, so that nothing has to sort them. */
function byHours(ctx: Ctx, query: Query): RawBuilder<unknown> {
  const { within, isBefore, billHours } = askedOf(ctx, query)
  const keys: Readonly<Record<SpanGroup, RawBuilder<unknown>>> = {
    customer: query.customer === undefined ? sql`null::bigint` : sql`f."customerId"`,
    department: sql`f."departmentId"`,
    month: sql`f.month`,
  }
  const each = (sign: RawBuilder<unknown>, from: string) => sql`
    select ${keys[query.by]} as key, ${isBefore} as "isBefore", m.measure, m.hours, ${sign} as n
    from ${sql.table(from)} f
      cross join lateral (values ('plan', f."planHours"), ('bill', ${billHours})) m(measure, hours)
    where ${within} and m.hours is not null`
  const folded =
    query.customer === undefined
      ? sql`select ${keys[query.by]} as key, ${isBefore} as "isBefore", f.measure, f.hours, f.orders as n
          from span_rollup f where ${within} and ${seesInvoicesOf(ctx) ? sql`true` : sql`f.measure = 'plan'`}`
      : each(sql`1`, 'order_span')
  return sql`
    counted as materialized (
      select key, "isBefore", measure, hours, sum(n) as n
      from (${folded} union all ${each(sql`f.sign`, 'unfolded')}) one
      group by 1, 2, 3, 4 having sum(n) > 0),
    by_hours as (
      select ${query.by === 'month' ? sql`to_char(key, 'YYYY-MM')` : sql`key::text`} as key, "isBefore", measure,
        max(orders)::int as orders, max(sum)::bigint as hours,
        (min(hours) filter (where upto * 2 >= orders) + min(hours) filter (where upto * 2 > orders))::float8 / 2
          as median
      from (
        select *, sum(n) over part as upto, sum(n) over whole as orders, sum(n * hours) over whole as sum
        from (
          select key, "isBefore", measure, hours, n from counted where key is not null
          union all
          select null, "isBefore", measure, hours, sum(n) from counted group by 2, 3, 4
        ) one
        window whole as (partition by key, "isBefore", measure),
          part as (partition by key, "isBefore", measure order by hours)
      ) ranked
      group by ranked.key, 2, 3)`
}

/** Customers, those with most orders first; medians are worked out of those that are shown alone: of all it is slow. */
function byCustomer(ctx: Ctx, query: Query, mostRows: number): RawBuilder<unknown> {
  const { within, isBefore, billHours } = askedOf(ctx, query)
  const seesInvoices = seesInvoicesOf(ctx)
  // One row of all departments in place of many, where none is asked for.
  const isOfAll = query.departmentId === undefined && ctx.companyFilter === null
  const each = (from: string, condition: RawBuilder<boolean>) => sql`
    select ${isBefore} as "isBefore", f."planHours", ${billHours} as "billHours" from ${sql.table(from)} f
    where f."customerId" = most."customerId" and ${within} and ${condition}`
  return sql`
    most as materialized (
      select "customerId", count(*) over ()::int as customers
      from (
        select f."customerId", ${isBefore} as "isBefore", f.plans as plan,
          ${seesInvoices ? sql`f.bills` : sql`0`} as bill
        from span_customer_rollup f
        where ${within} and ${isOfAll ? sql`f."departmentId" = 0` : sql`f."departmentId" <> 0`}
        union all
        select f."customerId", ${isBefore}, f.sign * (f."planHours" is not null)::int,
          f.sign * (${billHours} is not null)::int
        from unfolded f where ${within}
      ) one
      group by 1 having sum(plan) > 0 or sum(bill) > 0
      order by greatest(sum(plan) filter (where not "isBefore"), sum(bill) filter (where not "isBefore"))
        desc nulls last, "customerId"::text collate "C"
      limit ${Number.isFinite(mostRows) ? mostRows : null}::bigint),
    by_customer as (
      select key, "isBefore", measure, orders, hours, median, customers
      from (
        select most."customerId"::text as key, most.customers, one."isBefore",
          count("planHours")::int as plans, sum("planHours") as "planSum",
          percentile_cont(0.5) within group (order by "planHours") as "planMedian",
          count("billHours")::int as bills, sum("billHours") as "billSum",
          percentile_cont(0.5) within group (order by "billHours") as "billMedian"
        from most cross join lateral (
          ${each('order_span', sql<boolean>`f."orderId" not in (select unnest((select ids from due)))`)}
          union all
          ${each('unfolded', sql<boolean>`f.sign = 1`)}
        ) one
        group by 1, 2, 3
      ) own
        cross join lateral (values ('plan', plans, "planSum", "planMedian"), ('bill', bills, "billSum", "billMedian"))
          m(measure, orders, hours, median)
      where orders > 0)`
}

/** The report with at most so many rows of their own, the ones with most orders first; months by their order. */
export async function spanReport(ctx: Ctx, query: Query, mostRows = MOST_REPORT_ROWS): Promise<SpanReport> {
  const seesInvoices = seesInvoicesOf(ctx)
  const isByCustomer = query.by === 'customer' && query.customer === undefined
  const columns = ['orderId', 'month', 'departmentId', 'customerId', 'planHours', 'billHours']
  const isDue = sql<boolean>`f."orderId" = any((select ids from due)::bigint[])`
  const unfolded = (sign: number, from: string) =>
    sql`select ${sql.lit(sign)} as sign, ${listed(columns, (name) => sql.ref(`f.${name}`))}
      from ${sql.table(from)} f where ${isDue}`
  // One statement, so that all its figures are of one moment.
  const statement = sql<Found>`with due as materialized (
      select with_merged_orders(array(select distinct "orderId" from figure_due)) as ids),
    unfolded as materialized (${unfolded(-1, 'order_span')} union all ${unfolded(1, 'order_span_now')}),
    ${byHours(ctx, query)}${isByCustomer ? sql`, ${byCustomer(ctx, query, mostRows)}` : sql``}
    select by_hours.*, null::int as customers from by_hours
    ${isByCustomer ? sql`union all select * from by_customer` : sql``}`
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
    others: (found.find(({ customers }) => customers !== null)?.customers ?? sorted.length) - shown.length,
    sum: pair(''),
  }
}
