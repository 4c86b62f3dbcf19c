import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { shiftMonth } from '@waybill/contract/kit/months'
import {
  lateStopsOf,
  PUNCTUALITY_GROUPS,
  type getPunctualityReport,
  type Punctuality,
  type PunctualityGroup,
  type PunctualityReport,
  type PunctualityRow,
} from '@waybill/contract/report/punctuality'
import { MOST_REPORT_ROWS } from '@waybill/contract/report/report'
import type { Ctx } from '../../kit/context/context.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import { DUE, firstDay, listed, namedBy, narrowedTo, spanOf, titlesOf } from './report-parts.query.ts'
import './report.table.ts'

type Query = z.output<typeof getPunctualityReport.query>

/** How the rollup is asked for a group, and the column of a route's figures that its key is made of. */
const GROUPS: Readonly<
  Record<PunctualityGroup, { dimension: string; key: RawBuilder<unknown>; column: RawBuilder<unknown> }>
> = {
  carrier: { dimension: 'carrier', key: sql`key`, column: sql`f.carrier` },
  lane: { dimension: 'lane', key: sql`key`, column: sql`f.lane` },
  customer: { dimension: 'customer', key: sql`key`, column: sql`f."customerId"::text` },
  department: { dimension: 'department', key: sql`"departmentId"::text`, column: sql`'all'` },
  month: { dimension: 'department', key: sql`to_char(month, 'YYYY-MM')`, column: sql`'all'` },
}

const NOTHING: Punctuality = {
  trips: 0,
  loadings: 0,
  loadingsInTime: 0,
  unloadings: 0,
  unloadingsInTime: 0,
  lateMinutes: 0,
  excused: 0,
  unmeasured: 0,
}
const MEASURES = Object.keys(NOTHING) as (keyof Punctuality)[]

interface Found extends Punctuality {
  asked: 'rows' | 'months'
  isBefore: boolean
  key: string
}

const added = (rows: readonly Punctuality[]): Punctuality =>
  Object.fromEntries(
    MEASURES.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as unknown as Punctuality

const isEmpty = (of: Punctuality | undefined): boolean =>
  of === undefined || of.loadings + of.unloadings + of.excused + of.unmeasured === 0

/** The rows that somebody looks closer at; null where none is named. */
function closer({ carrier, lane, customer }: Query): RawBuilder<boolean> | null {
  const conditions = [
    ...(carrier === undefined ? [] : [sql<boolean>`f.carrier = ${carrier}`]),
    ...(lane === undefined ? [] : [sql<boolean>`f.lane = ${lane}`]),
    ...(customer === undefined ? [] : [sql<boolean>`f."customerId" = ${customer}`]),
  ]
  return conditions.length === 0 ? null : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** One grouping of the period and of the same months a year before, from the rollup and what it does not hold yet. */
function groupOf(ctx: Ctx, query: Query, asked: Found['asked'], by: PunctualityGroup): RawBuilder<unknown> {
  const { dimension, key, column } = GROUPS[by]
  const narrow = closer(query)
  const isWithin = (alias: string) => {
    const month = sql.ref(`${alias}.month`)
    return sql<boolean>`(${spanOf(query, month)} or ${spanOf(query, month, -12)}) and ${narrowedTo(ctx, query, alias)}`
  }
  // Customers who share a truck have rows of their own; for everything else the route counts once.
  const counts =
    dimension === 'customer' || query.customer !== undefined
      ? sql<boolean>`f."customerId" is not null`
      : sql<boolean>`f.part = 0`
  const isOfAll = query.departmentId === undefined && ctx.companyFilter === null && dimension !== 'department'
  const fromFigures = (sign: RawBuilder<unknown>) => sql`
    ${column}, f.month, f."departmentId", ${listed(MEASURES, (name) => sql`${sign} * ${sql.ref(`f.${name}`)}`)}`
  const folded =
    narrow === null
      ? sql`select r.key, r.month, r."departmentId", ${listed(MEASURES, (name) => sql.ref(`r.${name}`))}
        from punctuality_rollup r where r.dimension = ${sql.lit(dimension)}
          and ${isOfAll ? sql`r."departmentId" = 0` : sql`r."departmentId" <> 0`} and ${isWithin('r')}`
      : sql`select ${fromFigures(sql`1`)} from route_figure f where ${narrow} and ${counts} and ${isWithin('f')}`
  return sql`
    select ${sql.lit(asked)}, one.month < ${firstDay(query.from)} as "isBefore", ${key},
      ${listed(MEASURES, (name) => sql`sum(one.${sql.ref(name)})::bigint`)}
    from (${folded} union all
      select ${fromFigures(sql`f.sign`)} from unfolded f
      where ${narrow ?? sql`true`} and ${counts} and ${isWithin('f')})
      as one(key, month, "departmentId", ${listed(MEASURES, (name) => sql.ref(name))})
    group by 2, 3`
}

/** The report with at most so many rows of their own, the most late stops first; months by their order. */
export async function punctualityReport(
  ctx: Ctx,
  query: Query,
  mostRows = MOST_REPORT_ROWS,
): Promise<PunctualityReport> {
  const columns = ['asked', 'isBefore', 'key', ...MEASURES]
  const ofRoute = listed(['part', 'month', 'departmentId', 'customerId', 'carrier', 'lane', ...MEASURES], (name) =>
    sql.ref(`f.${name}`),
  )
  const asks = [
    groupOf(ctx, query, 'months', 'month'),
    // Months are asked for anyway.
    ...(query.by === 'month' ? [] : [groupOf(ctx, query, 'rows', query.by)]),
  ]
  // One statement, so that all its figures are of one moment.
  const statement = sql<Found>`with ${DUE},
    unfolded as materialized (
      select -1 as sign, ${ofRoute} from route_figure f where f."orderId" = any((select ids from due)::bigint[])
      union all
      select 1, ${ofRoute} from route_figure_now f where f."orderId" = any((select ids from due)::bigint[]))
    select * from (${sql.join(asks, sql` union all `)}) as found(${listed(columns, (name) => sql.ref(name))})`
  const { rows: found } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  const of = (asked: Found['asked'], isBefore = false) =>
    new Map<string, Punctuality>(
      found.filter((row) => row.asked === asked && row.isBefore === isBefore).map((row) => [row.key, row]),
    )
  const months = of('months')
  // Each under the month that it is compared with.
  const monthsBefore = new Map([...of('months', true)].map(([month, sums]) => [shiftMonth(month, 12), sums]))
  const now = query.by === 'month' ? months : of('rows')
  const before = query.by === 'month' ? monthsBefore : of('rows', true)
  const lateOf = (key: string) => lateStopsOf(now.get(key) ?? NOTHING)
  const keys = [...new Set([...now.keys(), ...before.keys()])]
    .filter((key) => !isEmpty(now.get(key)) || !isEmpty(before.get(key)))
    .sort((one, other) =>
      query.by === 'month'
        ? one.localeCompare(other)
        : lateOf(other) - lateOf(one) ||
          (now.get(other)?.trips ?? 0) - (now.get(one)?.trips ?? 0) ||
          one.localeCompare(other),
    )
  const shown = keys.slice(0, mostRows)
  const rest = keys.slice(mostRows)
  const titles = await titlesOf(ctx, query.by, shown)
  const pair = (some: readonly Punctuality[], others: readonly Punctuality[]) => ({
    now: added(some),
    before: others.every(isEmpty) ? null : added(others),
  })
  const some = (map: ReadonlyMap<string, Punctuality>, wanted: readonly string[]): Punctuality[] =>
    wanted.flatMap((key) => map.get(key) ?? [])
  return {
    named: await namedBy(
      ctx,
      query,
      PUNCTUALITY_GROUPS.filter((by) => by !== 'month'),
    ),
    rows: shown.map(
      (key): PunctualityRow => ({
        key,
        title: titles.get(key)?.title ?? null,
        ...pair(some(now, [key]), some(before, [key])),
      }),
    ),
    others: rest.length === 0 ? null : { count: rest.length, ...pair(some(now, rest), some(before, rest)) },
    // Of the months: customers who share a truck would count it twice.
    sum: pair([...months.values()], [...monthsBefore.values()]),
  }
}
