import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { POD_AGE_DAYS, POD_AGES, type PodAge } from '@waybill/contract/order/papers/pod'
import {
  openPodsOf,
  type getOpenPodReport,
  type OpenPodGroup,
  type OpenPodReport,
  type OpenPodRow,
  type OpenPodsByAge,
} from '@waybill/contract/report/open-pods'
import { MOST_REPORT_ROWS } from '@waybill/contract/report/report'
import type { Ctx } from '../../kit/context/context.ts'
import { DUE, narrowedTo, titlesOf } from './report-parts.query.ts'
import './report.table.ts'

type Query = z.output<typeof getOpenPodReport.query>

const KEYS: Readonly<Record<OpenPodGroup, RawBuilder<unknown>>> = {
  carrier: sql`f.carrier`,
  customer: sql`f."customerId"::text`,
  department: sql`f."departmentId"::text`,
}

interface Found {
  asked: 'rows' | 'sum'
  key: string
  age: PodAge
  routes: number
  oldestAt: string
}

const DAY = 86_400_000

/** The age of a wait since `column`, now. */
function ageOf(now: Date, column: RawBuilder<unknown>): RawBuilder<unknown> {
  const bounds = POD_AGES.flatMap((age) => {
    const days = POD_AGE_DAYS[age]
    if (days === null) return []
    const since = new Date(now.getTime() - (days + 1) * DAY).toISOString()
    return [sql`when ${column} > ${since}::timestamptz then ${sql.lit(age)}`]
  })
  return sql`case ${sql.join(bounds, sql` `)} else ${sql.lit(POD_AGES.at(-1)!)} end`
}

const NOTHING: OpenPodsByAge = { upTo3: 0, upTo7: 0, upTo14: 0, over14: 0 }
const added = (rows: readonly OpenPodsByAge[]): OpenPodsByAge =>
  Object.fromEntries(POD_AGES.map((age) => [age, rows.reduce((sum, row) => sum + row[age], 0)])) as OpenPodsByAge

/** Routes that wait for their proof of delivery, the longest waits first; few at any time, and found by an index. */
export async function openPodReport(ctx: Ctx, query: Query, mostRows = MOST_REPORT_ROWS): Promise<OpenPodReport> {
  const columns = sql`f.part, f."departmentId", f."customerId", f.carrier, f."podOpenSince"`
  const { rows: found } = await sql<Found>`with ${DUE},
    open as materialized (
      select * from (
        select ${columns} from route_figure f
        where f."podOpenSince" is not null and f."orderId" <> all((select ids from due)::bigint[])
        union all
        select ${columns} from route_figure_now f
        where f."podOpenSince" is not null and f."orderId" = any((select ids from due)::bigint[])
      ) f where ${narrowedTo(ctx, query, 'f')})
    select 'rows' as asked, ${KEYS[query.by]} as key, ${ageOf(ctx.clock.now(), sql`f."podOpenSince"`)} as age,
      count(*)::int as routes, min(f."podOpenSince") as "oldestAt"
    from open f where ${query.by === 'customer' ? sql`f."customerId" is not null` : sql`f.part = 0`} group by 2, 3
    union all
    select 'sum', '', ${ageOf(ctx.clock.now(), sql`f."podOpenSince"`)}, count(*)::int, min(f."podOpenSince")
    from open f where f.part = 0 group by 3`.execute(ctx.db)

  const rows = new Map<string, { routes: OpenPodsByAge; oldestAt: string }>()
  const sum = { ...NOTHING }
  for (const { asked, key, age, routes, oldestAt } of found) {
    if (asked === 'sum') {
      sum[age] += routes
      continue
    }
    const row = rows.get(key) ?? { routes: { ...NOTHING }, oldestAt }
    row.routes[age] += routes
    if (Date.parse(oldestAt) < Date.parse(row.oldestAt)) row.oldestAt = oldestAt
    rows.set(key, row)
  }
  const keys = [...rows.keys()].sort((one, other) => {
    const [a, b] = [rows.get(one)!.routes, rows.get(other)!.routes]
    return b.over14 - a.over14 || openPodsOf(b) - openPodsOf(a) || one.localeCompare(other)
  })
  const shown = keys.slice(0, mostRows)
  const rest = keys.slice(mostRows)
  const titles = await titlesOf(ctx, query.by, shown)
  return {
    rows: shown.map((key): OpenPodRow => ({ key, title: titles.get(key)?.title ?? null, ...rows.get(key)! })),
    others: rest.length === 0 ? null : { count: rest.length, routes: added(rest.map((key) => rows.get(key)!.routes)) },
    sum,
  }
}
