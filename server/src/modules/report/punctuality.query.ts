import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { shiftMonth } from '@waybill/contract/kit/months'
import {
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
import { DUE, firstDay, listed, namedBy, narrowedTo, titlesOf, withYearBefore } from './report-parts.query.ts'
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
  asked: 'rows' | 'months' | 'whole'
  isBefore: boolean
  key: string
  /** where a row stands among all keys, and how many there are; null beside the rows */
  place: number | null
  keys: number | null
}

const added = (rows: readonly Punctuality[]): Punctuality =>
  Object.fromEntries(
    MEASURES.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as unknown as Punctuality

const lessened = (all: Punctuality, by: Punctuality): Punctuality =>
  Object.fromEntries(MEASURES.map((name) => [name, all[name] - by[name]])) as unknown as Punctuality

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

/** The figures of a group in the period and the year before, by key and month: what is folded and what is not yet. */
function figuresOf(ctx: Ctx, query: Query, by: PunctualityGroup): RawBuilder<unknown> {
  const { dimension, column } = GROUPS[by]
  const narrow = closer(query)
  const isWithin = (alias: string) => {
    const month = sql.ref(`${alias}.month`)
    return sql<boolean>`${withYearBefore(query, month)} and ${narrowedTo(ctx, query, alias)}`
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
  return sql`(${folded} union all
      select ${fromFigures(sql`f.sign`)} from unfolded f
      where ${narrow ?? sql`true`} and ${counts} and ${isWithin('f')})
    as one(key, month, "departmentId", ${listed(MEASURES, (name) => sql.ref(name))})`
}

const SUMS = listed(MEASURES, (name) => sql`sum(one.${sql.ref(name)})::bigint`)
const isBefore = ({ from }: Query) => sql<boolean>`one.month < ${firstDay(from)}`

/** The keys with the most late stops, and how many keys there are: to add up all figures of all of them takes long. */
function shownKeys(ctx: Ctx, query: Query, mostRows: number): RawBuilder<unknown> {
  const { key } = GROUPS[query.by]
  const ofNow = (of: string) => sql`coalesce(sum(${sql.raw(of)}) filter (where not ${isBefore(query)}), 0)`
  return sql`shown as materialized (
    select array_agg(key order by place) as keys, max("all") as "all"
    from (
      select *, row_number() over (order by late desc, trips desc, key collate "C") as place, count(*) over () as "all"
      from (
        select ${key} as key, ${ofNow('loadings - "loadingsInTime" + unloadings - "unloadingsInTime"')} as late,
          ${ofNow('trips')} as trips
        from ${figuresOf(ctx, query, query.by)}
        group by 1 having sum(loadings + unloadings + excused + unmeasured) > 0
      ) every
    ) ranked
    ${Number.isFinite(mostRows) ? sql`where place <= ${mostRows}` : sql``})`
}

/** The report with at most so many rows of their own, the most late stops first; months by their order. */
export async function punctualityReport(
  ctx: Ctx,
  query: Query,
  mostRows = MOST_REPORT_ROWS,
): Promise<PunctualityReport> {
  const columns = ['asked', 'isBefore', 'key', ...MEASURES, 'place', 'keys']
  const ofRoute = listed(['part', 'month', 'departmentId', 'customerId', 'carrier', 'lane', ...MEASURES], (name) =>
    sql.ref(`f.${name}`),
  )
  const { key } = GROUPS[query.by]
  const asks = [
    sql`select 'months', ${isBefore(query)}, ${GROUPS.month.key}, ${SUMS}, null::int, null::int
      from ${figuresOf(ctx, query, 'month')} group by 2, 3`,
    // Months are asked for anyway.
    ...(query.by === 'month'
      ? []
      : [
          sql`select 'rows', one.*, placed.place::int, (select "all" from shown)::int
            from (
              select ${isBefore(query)}, ${key}, ${SUMS} from ${figuresOf(ctx, query, query.by)}
              where ${Number.isFinite(mostRows) ? sql`${key} = any((select keys from shown)::text[])` : sql`true`}
              group by 1, 2
            ) as one(${listed(columns.slice(1, -2), (name) => sql.ref(name))})
              join unnest((select keys from shown)) with ordinality placed(key, place) on placed.key = one.key`,
        ]),
    // Those who share a truck count it for each of them.
    ...(query.by === 'customer'
      ? [
          sql`select 'whole', ${isBefore(query)}, '', ${SUMS}, null, null
            from ${figuresOf(ctx, query, query.by)} group by 2`,
        ]
      : []),
  ]
  // One statement, so that all its figures are of one moment.
  const statement = sql<Found>`with ${DUE},
    unfolded as materialized (
      select -1 as sign, ${ofRoute} from route_figure f where f."orderId" = any((select ids from due)::bigint[])
      union all
      select 1, ${ofRoute} from route_figure_now f where f."orderId" = any((select ids from due)::bigint[]))
    ${query.by === 'month' ? sql`` : sql`, ${shownKeys(ctx, query, mostRows)}`}
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
  const placed = new Map(found.map((row) => [row.key, row.place ?? 0]))
  const shown = [...new Set([...now.keys(), ...before.keys()])]
    .filter((key) => !isEmpty(now.get(key)) || !isEmpty(before.get(key)))
    .sort((one, other) => (query.by === 'month' ? one.localeCompare(other) : placed.get(one)! - placed.get(other)!))
  const titles = await titlesOf(ctx, query.by, shown)
  const pair = (some: readonly Punctuality[], others: readonly Punctuality[]) => ({
    now: added(some),
    before: others.every(isEmpty) ? null : added(others),
  })
  const rowOf = (map: ReadonlyMap<string, Punctuality>, key: string): Punctuality[] => {
    const row = map.get(key)
    return row === undefined ? [] : [row]
  }
  // Customers who share a truck count it twice.
  const every =
    query.by === 'customer'
      ? { now: rowOf(of('whole'), ''), before: rowOf(of('whole', true), '') }
      : { now: [...months.values()], before: [...monthsBefore.values()] }
  const left = (all: readonly Punctuality[], map: ReadonlyMap<string, Punctuality>): Punctuality =>
    lessened(added(all), added([...map.values()]))
  const count = (found.find(({ keys }) => keys !== null)?.keys ?? shown.length) - shown.length
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
        ...pair(rowOf(now, key), rowOf(before, key)),
      }),
    ),
    others: count === 0 ? null : { count, ...pair([left(every.now, now)], [left(every.before, before)]) },
    sum: pair([...months.values()], [...monthsBefore.values()]),
  }
}
