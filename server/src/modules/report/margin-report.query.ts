import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { marginBpOf } from '@waybill/contract/order/money'
import { hasPermission } from '@waybill/contract/permissions'
import {
  MOST_REPORT_ROWS,
  NO_KEY,
  monthsBetween,
  shiftMonth,
  type Figures,
  type getMarginReport,
  type MarginReport,
  type ReportBasis,
  type ReportGroup,
  type ReportRow,
} from '@waybill/contract/report/report'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import './report.table.ts'

type Query = z.output<typeof getMarginReport.query>

/** How the rollup is asked for a group: its dimension, and what of a row is the key. */
const GROUPS: Readonly<Record<ReportGroup | 'grade', { dimension: string; key: RawBuilder<unknown> }>> = {
  customer: { dimension: 'customer', key: sql`key` },
  carrier: { dimension: 'carrier', key: sql`key` },
  lane: { dimension: 'lane', key: sql`key` },
  department: { dimension: 'department', key: sql`"departmentId"::text` },
  caseWorker: { dimension: 'caseWorker', key: sql`key` },
  vehicle: { dimension: 'vehicle', key: sql`key` },
  month: { dimension: 'department', key: sql`to_char(month, 'YYYY-MM')` },
  grade: { dimension: 'grade', key: sql`key` },
}

/** The column of an order's figures that a dimension's key is made of. */
const COLUMNS: Readonly<Record<string, RawBuilder<unknown>>> = {
  customer: sql`f."customerId"::text`,
  carrier: sql`f.carrier`,
  lane: sql`f.lane`,
  department: sql`'all'`,
  caseWorker: sql`f."caseWorkerId"`,
  vehicle: sql`f.vehicle`,
  grade: sql`f.grade`,
}

const COUNTS = ['orders', 'unpriced', 'uncosted', 'billed', 'invoiced'] as const
const SUMS = {
  agreed: ['revenueCents', 'costCents', 'incomeCents', 'earnedOnCents'],
  actual: ['actualRevenueCents', 'actualCostCents', 'actualIncomeCents', 'actualEarnedOnCents'],
} as const satisfies Record<ReportBasis, unknown>
const SHOWN = SUMS.agreed

type Sums = Record<(typeof COUNTS)[number] | (typeof SHOWN)[number], number>
interface Found extends Sums {
  asked: 'rows' | 'months' | 'grades'
  key: string
  isBefore: boolean
}

const listed = (names: readonly string[], of: (name: string) => RawBuilder<unknown>) => sql.join(names.map(of))
const firstDay = (month: string) => sql`${`${month}-01`}::date`

const OF_ORDER = listed(
  [
    'orderId',
    'part',
    'month',
    'departmentId',
    'customerId',
    'carrier',
    'lane',
    'caseWorkerId',
    'vehicle',
    'grade',
    ...COUNTS,
    ...SUMS.agreed,
    ...SUMS.actual,
  ],
  (name) => sql.ref(`f.${name}`),
)

/** Orders whose figures the rollup does not hold yet: what it holds of them, and what it should hold. */
const UNFOLDED = sql`
  due as materialized (select array(select distinct "orderId" from figure_due) as ids),
  unfolded as materialized (
    select -1 as sign, ${OF_ORDER} from order_figure f where f."orderId" = any((select ids from due)::bigint[])
    union all
    select 1, ${OF_ORDER} from order_figure_now f where f."orderId" = any((select ids from due)::bigint[])
  )`

/** What of these orders a person may see is a matter of their department alone. */
function narrowedTo(ctx: Ctx, { departmentId }: Query, alias: string): RawBuilder<boolean> {
  const department = sql.ref(`${alias}.departmentId`)
  return sql<boolean>`${departmentId === undefined ? sql`true` : sql`${department} = any(${departmentId}::bigint[])`}
    and ${
      ctx.companyFilter === null
        ? sql`true`
        : sql`${department} in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`
    }`
}

/** The rows that somebody looks closer at; null where none is named. */
function closer({ customer, carrier, lane, caseWorker, vehicle }: Query): RawBuilder<boolean> | null {
  const given = { customerId: customer, carrier, lane, caseWorkerId: caseWorker, vehicle }
  const conditions = Object.entries(given).flatMap(([column, value]) =>
    value === undefined ? [] : [sql<boolean>`${sql.ref(`f.${column}`)} = ${value}`],
  )
  return conditions.length === 0 ? null : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

interface Ask {
  asked: Found['asked']
  by: ReportGroup | 'grade'
}

/** One grouping of the period and of the same months a year before, from the rollup and what it does not hold yet. */
function groupOf(ctx: Ctx, query: Query, { asked, by }: Ask): RawBuilder<unknown> {
  const { dimension, key } = GROUPS[by]
  const isActual = query.basis === 'actual'
  const sums = isActual && by !== 'grade' ? SUMS.actual : SUMS.agreed
  const isWithin = (alias: string) => {
    const month = sql.ref(`${alias}.month`)
    return sql<boolean>`(${month} between ${firstDay(query.from)} and ${firstDay(query.to)}
        or ${month} between ${firstDay(shiftMonth(query.from, -12))} and ${firstDay(shiftMonth(query.to, -12))})
      and ${narrowedTo(ctx, query, alias)}`
  }
  // Customers share a merged transport; for everything else its first part counts it.
  const counts = dimension === 'customer' || query.customer !== undefined ? sql`1` : sql`(f.part = 0)::int`
  const fromFigures = (sign: RawBuilder<unknown>) => sql`
    ${COLUMNS[dimension]!} as key, f.month, f."departmentId",
    ${listed(COUNTS, (name) => sql`${sign} * ${counts} * ${sql.ref(`f.${name}`)}`)},
    ${listed(sums, (name) => sql`${sign} * ${sql.ref(`f.${name}`)}`)}`
  const named = closer(query)
  const folded =
    named === null
      ? sql`select r.key, r.month, r."departmentId", ${listed(COUNTS, (name) => sql.ref(`r.${name}`))},
          ${listed(sums, (name) => sql.ref(`r.${name}`))}
        from figure_rollup r where r.dimension = ${sql.lit(dimension)} and ${isWithin('r')}`
      : sql`select ${fromFigures(sql`1`)} from order_figure f where ${named} and ${isWithin('f')}`
  const names = [...COUNTS, ...SHOWN]
  const parts = sql`(${folded} union all
    select ${fromFigures(sql`f.sign`)} from unfolded f where ${named ?? sql`true`} and ${isWithin('f')})
    as one(key, month, "departmentId", ${listed(names, (name) => sql.ref(name))})`
  return grouped(query, { asked, key, parts, names })
}

/** Each month counts for the period, and for the one before if that reaches so far back. */
function grouped(
  query: Query,
  {
    asked,
    key,
    parts,
    names,
  }: { asked: Ask['asked']; key: RawBuilder<unknown>; parts: RawBuilder<unknown>; names: readonly string[] },
): RawBuilder<unknown> {
  const last = firstDay(shiftMonth(query.to, -12))
  const graded = sql`case when key = ${sql.lit(NO_KEY)} then ${sql.lit(NO_KEY)} when key::int < 0 then 'loss'
    when key::int < c."marginWarningBp" then 'low' else 'fine' end`
  const source =
    asked === 'grades'
      ? sql`(select ${graded} as key, one.month, one."departmentId", ${listed(names, (name) => sql.ref(`one.${name}`))}
          from ${parts} join department d on d.id = one."departmentId" join company c on c.id = d."companyId") one`
      : parts
  const span = (isBefore: boolean) => sql`
    select ${sql.lit(asked)} as asked, ${isBefore ? sql`true` : sql`false`} as "isBefore", ${key} as key,
      ${listed(names, (name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`)}
    from (select one.key, ${isBefore ? sql`(one.month + interval '1 year')::date` : sql`one.month`} as month,
        one."departmentId", ${listed(names, (name) => sql.ref(`one.${name}`))}
      from ${source}
      where ${isBefore ? sql`one.month <= ${last}` : sql`one.month >= ${firstDay(query.from)}`}) shifted
    group by 3`
  return sql`${span(false)} union all ${span(true)}`
}

const NOTHING: Sums = {
  orders: 0,
  unpriced: 0,
  uncosted: 0,
  billed: 0,
  invoiced: 0,
  revenueCents: 0,
  costCents: 0,
  incomeCents: 0,
  earnedOnCents: 0,
}

const added = (rows: readonly Sums[]): Sums =>
  rows.reduce(
    (sum, row) =>
      Object.fromEntries(
        (Object.keys(NOTHING) as (keyof Sums)[]).map((name) => [name, sum[name] + row[name]]),
      ) as unknown as Sums,
    NOTHING,
  )

function figuresOf(sums: Sums, seesInvoices: boolean): Figures {
  const { orders, unpriced, uncosted, billed, invoiced, revenueCents, costCents, incomeCents, earnedOnCents } = sums
  return {
    orders,
    unpriced,
    uncosted,
    billed: seesInvoices ? billed : null,
    invoiced: seesInvoices ? invoiced : null,
    revenueCents,
    costCents,
    incomeCents,
    marginBp: marginBpOf(earnedOnCents, incomeCents),
  }
}

interface Title {
  key: string
  title: string
  countryCode: string | null
}

/** What the records behind the keys are called. */
async function titlesOf(ctx: Ctx, by: ReportGroup, keys: readonly string[]): Promise<Map<string, Title>> {
  const ids = keys.filter((key) => /^[1-9]\d{0,14}$/.test(key)).map(Number)
  const titles: Partial<Record<ReportGroup, RawBuilder<unknown>>> = {
    customer: sql`select x.id::text as key, x.title, country.code as "countryCode"
      from customer x join country on country.id = x."countryId"`,
    carrier: sql`select x.id::text as key, x.title, country.code as "countryCode"
      from carrier_company x join country on country.id = x."countryId"`,
    department: sql`select x.id::text as key, x.abbreviation as title, null as "countryCode" from department x`,
    caseWorker: sql`select x.id::text as key, x."fullName" as title, null as "countryCode" from "user" x`,
  }
  const wanted = titles[by]
  if (wanted === undefined || ids.length === 0) return new Map()
  const { rows } = await sql<Title>`${wanted} where x.id = any(${ids}::bigint[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.key, row]))
}

const seesInvoicesOf = (ctx: Ctx): boolean => hasPermission(actorOf(ctx), 'INVOICES_PROCESSING')

/** The report with at most so many rows of their own, the highest margin first; months by their order. */
export async function marginReport(ctx: Ctx, query: Query, mostRows = MOST_REPORT_ROWS): Promise<MarginReport> {
  const seesInvoices = seesInvoicesOf(ctx)
  if (query.basis === 'actual' && !seesInvoices) throw new AppError('forbidden')
  const asks: Ask[] = [
    { asked: 'rows', by: query.by },
    { asked: 'months', by: 'month' },
    { asked: 'grades', by: 'grade' },
  ]
  const statement = sql<Found>`with ${UNFOLDED}
    ${sql.join(
      asks.map((ask) => groupOf(ctx, query, ask)),
      sql` union all `,
    )}`
  // One statement, so that all its figures are of one moment.
  const { rows: found } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  const of = (asked: Found['asked'], isBefore: boolean) =>
    new Map(found.filter((row) => row.asked === asked && row.isBefore === isBefore).map((row) => [row.key, row]))
  const [now, before] = [of('rows', false), of('rows', true)]
  const [months, monthsBefore] = [of('months', false), of('months', true)]
  const grades = of('grades', false)

  const isEmpty = (sums: Sums | undefined) => sums === undefined || (sums.orders === 0 && sums.revenueCents === 0)
  const keys = [...new Set([...now.keys(), ...before.keys()])]
    .filter((key) => !isEmpty(now.get(key)) || !isEmpty(before.get(key)))
    .sort((one, other) =>
      query.by === 'month'
        ? one.localeCompare(other)
        : (now.get(other)?.incomeCents ?? 0) - (now.get(one)?.incomeCents ?? 0) || one.localeCompare(other),
    )
  const shown = keys.slice(0, mostRows)
  const rest = keys.slice(mostRows)
  const titles = await titlesOf(ctx, query.by, shown)
  const pair = (some: readonly Sums[], others: readonly Sums[]) => ({
    now: figuresOf(added(some), seesInvoices),
    before: others.every(isEmpty) ? null : figuresOf(added(others), seesInvoices),
  })
  const some = (map: Map<string, Found>, wanted: readonly string[]): Sums[] =>
    wanted.flatMap((key) => map.get(key) ?? [])

  return {
    named: await namedBy(ctx, query),
    rows: shown.map(
      (key): ReportRow => ({
        key,
        title: titles.get(key)?.title ?? null,
        countryCode: titles.get(key)?.countryCode ?? null,
        ...pair(some(now, [key]), some(before, [key])),
      }),
    ),
    others: rest.length === 0 ? null : { count: rest.length, ...pair(some(now, rest), some(before, rest)) },
    // Of the months: customers who share a transport would count it twice.
    sum: pair([...months.values()], [...monthsBefore.values()]),
    months: Array.from({ length: monthsBetween(query.from, query.to) }, (_, index) => {
      const month = shiftMonth(query.from, index)
      return {
        month,
        incomeCents: months.get(month)?.incomeCents ?? 0,
        beforeCents: monthsBefore.get(month)?.incomeCents ?? 0,
      }
    }),
    losses: { count: grades.get('loss')?.orders ?? 0, incomeCents: grades.get('loss')?.incomeCents ?? 0 },
    low: grades.get('low')?.orders ?? 0,
    marginWarningBp: await highestWarning(ctx),
  }
}

/** The titles of what the query looks closer at. */
async function namedBy(
  ctx: Ctx,
  { customer, carrier, lane, departmentId, caseWorker, vehicle }: Query,
): Promise<MarginReport['named']> {
  const department = departmentId?.length === 1 ? departmentId[0] : undefined
  const given: readonly [ReportGroup, string | number | undefined][] = [
    ['customer', customer],
    ['carrier', carrier],
    ['lane', lane],
    ['department', department],
    ['caseWorker', caseWorker],
    ['vehicle', vehicle],
  ]
  const named: MarginReport['named'] = []
  for (const [by, value] of given) {
    if (value === undefined) continue
    const key = String(value)
    named.push({ by, key, title: (await titlesOf(ctx, by, [key])).get(key)?.title ?? null })
  }
  return named
}

async function highestWarning(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ bp: number }>`
    select coalesce(max(c."marginWarningBp"), 0)::int as bp from company c
    where ${ctx.companyFilter === null ? sql`true` : sql`c.id = ${ctx.companyFilter}`}
  `.execute(ctx.db)
  return rows[0]!.bp
}
