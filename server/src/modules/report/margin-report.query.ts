import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { marginBpOf } from '@waybill/contract/order/money'
import { monthsBetween, shiftMonth } from '@waybill/contract/kit/months'
import {
  MOST_REPORT_ROWS,
  NO_KEY,
  type Figures,
  type getMarginReport,
  type MarginReport,
  type ReportBasis,
  type ReportGroup,
  type ReportRow,
} from '@waybill/contract/report/report'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import {
  DUE,
  firstDay,
  listed,
  namedBy,
  narrowedTo,
  seesInvoicesOf,
  spanOf,
  titlesOf,
  withYearBefore,
} from './report-parts.query.ts'
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
const MEASURES = [...COUNTS, ...SHOWN]

interface Found extends Sums {
  asked: 'rows' | 'months' | 'grades'
  isBefore: boolean
  key: string
}

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
  ${DUE},
  unfolded as materialized (
    select -1 as sign, ${OF_ORDER} from order_figure f where f."orderId" = any((select ids from due)::bigint[])
    union all
    select 1, ${OF_ORDER} from order_figure_now f where f."orderId" = any((select ids from due)::bigint[])
  )`

/** Each filter beside period, grouping and department, with its column: one that is forgotten does not compile. */
const CLOSER: Readonly<Record<Exclude<keyof Query, 'from' | 'to' | 'by' | 'basis' | 'departmentId'>, string>> = {
  customer: 'customerId',
  carrier: 'carrier',
  lane: 'lane',
  caseWorker: 'caseWorkerId',
  vehicle: 'vehicle',
}

/** The rows that somebody looks closer at; null where none is named. */
function closer(query: Query): RawBuilder<boolean> | null {
  const conditions = Object.entries(CLOSER).flatMap(([name, column]) => {
    const value = query[name as keyof typeof CLOSER]
    return value === undefined ? [] : [sql<boolean>`${sql.ref(`f.${column}`)} = ${value}`]
  })
  return conditions.length === 0 ? null : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

interface Ask {
  asked: Found['asked']
  by: ReportGroup | 'grade'
}

const WARNED = sql`join department d on d.id = one."departmentId" join company c on c.id = d."companyId"`

/** One grouping of the period and of the same months a year before, from the rollup and what it does not hold yet. */
function groupOf(ctx: Ctx, query: Query, { asked, by }: Ask): RawBuilder<unknown> {
  const { dimension, key } = GROUPS[by]
  const sums = query.basis === 'actual' && asked !== 'grades' ? SUMS.actual : SUMS.agreed
  const isWithin = (alias: string) => {
    const month = sql.ref(`${alias}.month`)
    const isAsked = asked === 'grades' ? spanOf(query, month) : withYearBefore(query, month)
    return sql<boolean>`${isAsked} and ${narrowedTo(ctx, query, alias)}`
  }
  // Customers share a merged transport; for everything else its first part counts it.
  const counts = dimension === 'customer' || query.customer !== undefined ? sql`1` : sql`(f.part = 0)::int`
  // One row of all departments in place of many, where none is asked for and none is to be told from another.
  const isOfAll =
    query.departmentId === undefined && ctx.companyFilter === null && dimension !== 'department' && asked === 'rows'
  const isAll = isOfAll ? sql`r."departmentId" = 0` : sql`r."departmentId" <> 0`
  const fromFigures = (sign: RawBuilder<unknown>) => sql`
    ${COLUMNS[dimension]!}, f.month, f."departmentId",
    ${listed(COUNTS, (name) => sql`${sign} * ${counts} * ${sql.ref(`f.${name}`)}`)},
    ${listed(sums, (name) => sql`${sign} * ${sql.ref(`f.${name}`)}`)}`
  const folded =
    closer(query) === null
      ? sql`select r.key, r.month, r."departmentId", ${listed([...COUNTS, ...sums], (name) => sql.ref(`r.${name}`))}
        from figure_rollup r where r.dimension = ${sql.lit(dimension)} and ${isAll} and ${isWithin('r')}`
      : sql`select ${fromFigures(sql`1`)} from opened f where ${isWithin('f')}`
  const parts = sql`(${folded} union all
    select ${fromFigures(sql`f.sign`)} from unfolded f where ${closer(query) ?? sql`true`} and ${isWithin('f')})
    as one(key, month, "departmentId", ${listed(MEASURES, (name) => sql.ref(name))})`
  const graded = sql`case when key = ${sql.lit(NO_KEY)} then ${sql.lit(NO_KEY)} when key::int < 0 then 'loss'
    when key::int < c."marginWarningBp" then 'low' else 'fine' end`
  return sql`
    select ${sql.lit(asked)}, one.month < ${firstDay(query.from)} as "isBefore",
      ${asked === 'grades' ? graded : key},
      ${listed(MEASURES, (name) => sql`sum(one.${sql.ref(name)})::bigint`)}
    from ${parts}
    ${asked === 'grades' ? WARNED : sql``}
    group by 2, 3`
}

/** The figures of the rows that are looked at closer, read once for all groupings. */
const openedBy = (condition: RawBuilder<boolean> | null, ctx: Ctx, query: Query): RawBuilder<unknown> =>
  condition === null
    ? sql``
    : sql`, opened as materialized (select ${OF_ORDER} from order_figure f where ${condition}
        and ${withYearBefore(query, sql`f.month`)} and ${narrowedTo(ctx, query, 'f')})`

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

/** The report with at most so many rows of their own, the highest margin first; months by their order. */
export async function marginReport(ctx: Ctx, query: Query, mostRows = MOST_REPORT_ROWS): Promise<MarginReport> {
  const seesInvoices = seesInvoicesOf(ctx)
  if (query.basis === 'actual' && !seesInvoices) throw new AppError('forbidden')
  const asks: Ask[] = [
    { asked: 'months', by: 'month' },
    { asked: 'grades', by: 'grade' },
    // Months are asked for anyway.
    ...(query.by === 'month' ? [] : [{ asked: 'rows', by: query.by } as const]),
  ]
  const columns = ['asked', 'isBefore', 'key', ...MEASURES]
  const statement = sql<Found>`with ${UNFOLDED} ${openedBy(closer(query), ctx, query)}
    select * from (${sql.join(
      asks.map((ask) => groupOf(ctx, query, ask)),
      sql` union all `,
    )}) as found(${listed(columns, (name) => sql.ref(name))})`
  // One statement, so that all its figures are of one moment.
  const { rows: found } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  const of = (asked: Found['asked'], isBefore = false) =>
    new Map<string, Sums>(
      found.filter((row) => row.asked === asked && row.isBefore === isBefore).map((row) => [row.key, row]),
    )
  const months = of('months')
  // Each under the month that it is compared with.
  const monthsBefore = new Map([...of('months', true)].map(([month, sums]) => [shiftMonth(month, 12), sums]))
  const now = query.by === 'month' ? months : of('rows')
  const before = query.by === 'month' ? monthsBefore : of('rows', true)
  const grades = of('grades')

  const isEmpty = (sums: Sums | undefined) =>
    sums === undefined || (sums.orders === 0 && sums.revenueCents === 0 && sums.costCents === 0)
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
  const some = (map: ReadonlyMap<string, Sums>, wanted: readonly string[]): Sums[] =>
    wanted.flatMap((key) => map.get(key) ?? [])

  return {
    named: await namedBy(ctx, query, ['customer', 'carrier', 'lane', 'department', 'caseWorker', 'vehicle']),
    rows: shown.map(
      (key): ReportRow => ({
        key,
        title: titles.get(key)?.title ?? null,
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

async function highestWarning(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ bp: number }>`
    select coalesce(max(c."marginWarningBp"), 0)::int as bp from company c
    where ${ctx.companyFilter === null ? sql`true` : sql`c.id = ${ctx.companyFilter}`}
  `.execute(ctx.db)
  return rows[0]!.bp
}
