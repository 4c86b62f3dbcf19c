// Punctuality, open PODs and times of a year are read from sums and from what is shown, not from each of a million
// orders in five years (decision 134). How long each takes is printed; 0.3 s are wanted on two idle cores.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPEN_POD_GROUPS } from '@waybill/contract/report/open-pods'
import { lateStopsOf, PUNCTUALITY_GROUPS, type PunctualityRow } from '@waybill/contract/report/punctuality'
import { MOST_REPORT_ROWS } from '@waybill/contract/report/report'
import { SPAN_GROUPS, type SpanRow } from '@waybill/contract/report/spans'
import { useTestApp } from '../app.ts'
import { plansOf, rowsRead, shape, statementsOf } from './rows-read.ts'

const ORDERS = 1_000_000
const MONTHS = 60
/** A year and the one before are two fifths of them; customers and lanes of each month are a tenth to a seventh. */
const MOST_ROWS = ORDERS / 4
const A_STATEMENT = 100_000

const test = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })

const STOPS = 'trips, loadings, "loadingsInTime", unloadings, "unloadingsInTime", "lateMinutes", excused, unmeasured'
/** More often a small one: a few customers and carriers have most of the orders. */
const skewed = (salt: number, below: number) =>
  `1 + floor(power(((hashint8extended(n, ${salt}) & 1048575) / 1048576.0), 2) * ${below})::int`
const month = `(date '2022-01-01' + (n * ${MONTHS} / ${ORDERS})::int * interval '1 month')::date`
const late = `(n % 12 = 5)::int`

beforeAll(async () => {
  const { pool } = test.database
  for (let from = 0; from < ORDERS; from += A_STATEMENT) {
    const some = `generate_series(${from}::bigint, ${from + A_STATEMENT - 1}) n`
    await pool.query(`insert into route_figure ("routeId", part, "orderId", month, "departmentId", "customerId",
        carrier, lane, ${STOPS}, "podOpenSince")
      select n, 0, n, ${month}, 1 + n % 5, ${skewed(1, 4000)}, (${skewed(2, 800)})::text,
        'DE ' || (${skewed(3, 90)}) || '>PL ' || (${skewed(4, 90)}), 1, 1, 1, 1, 1 - ${late}, 40 * ${late}, 0, 0,
        case when n > ${ORDERS} - 3000 then timestamptz '2026-12-01' - (${ORDERS} - n) * interval '10 minutes' end
      from ${some}`)
    await pool.query(`insert into order_span ("orderId", month, "departmentId", "customerId", "planHours", "billHours")
      select n, ${month}, 1 + n % 5, ${skewed(1, 4000)}, ${skewed(5, 70)}, ${skewed(6, 300)} from ${some}`)
  }
  for (const [dimension, key] of [
    ['customer', `"customerId"::text`],
    ['carrier', 'carrier'],
    ['lane', 'lane'],
    ['department', `'all'`],
  ])
    for (const department of dimension === 'department' ? ['"departmentId"'] : ['"departmentId"', '0'])
      await pool.query(`insert into punctuality_rollup (dimension, "departmentId", month, key, ${STOPS})
        select '${dimension}', ${department}, month, ${key},
          ${STOPS.split(', ')
            .map((name) => `sum(${name})`)
            .join(', ')} from route_figure group by 2, 3, 4`)
  await test.asOwner('vacuum analyze route_figure, order_span, punctuality_rollup, span_rollup')
}, 600_000)

const YEAR = 'from=2026-01&to=2026-12'
const paths = [
  ...PUNCTUALITY_GROUPS.map((by) => `reports/punctuality?by=${by}&${YEAR}`),
  `reports/punctuality?by=lane&carrier=1&${YEAR}`,
  `reports/punctuality?by=carrier&departmentId[]=2&${YEAR}`,
  ...SPAN_GROUPS.map((by) => `reports/spans?by=${by}&${YEAR}`),
  `reports/spans?by=month&customer=1&${YEAR}`,
  ...OPEN_POD_GROUPS.map((by) => `reports/open-pods?by=${by}`),
]

describe(`at ${ORDERS} orders`, () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
    await client.connect()
  })
  afterAll(() => client?.end())

  it.each(paths)('%s', async (path) => {
    const statements = await statementsOf(test.admin, path, /figure_due/)
    expect(statements).toHaveLength(1)
    for (const plan of await plansOf(client, statements[0]!)) {
      const rows = Math.round(rowsRead(plan))
      expect(rows > MOST_ROWS ? `${rows} rows\n${shape(plan)}` : '').toBe('')
    }
    const took: number[] = []
    for (let time = 0; time < 6; time += 1) {
      const begun = performance.now()
      const { body } = await test.admin.get(path)
      took.push(performance.now() - begun)
      expect(body.rows.length).toBeGreaterThan(0)
    }
    console.log(`${path}: ${Math.round(Math.min(...took))} ms`)
  })
})

it('shows the customers with most orders, each with its own mean and median', async () => {
  const { rows, others } = (await test.admin.get(`reports/spans?by=customer&${YEAR}`)).body
  const { rows: made } = await test.database.pool.query(`
    select "customerId"::text as key, count(*)::int as orders, round(avg("planHours"), 1)::float8 as "meanHours",
      percentile_cont(0.5) within group (order by "planHours") as "medianHours"
    from order_span where month between '2026-01-01' and '2026-12-01' group by 1
    order by 2 desc, "customerId"::text collate "C"`)
  expect(rows.map(({ key, now }: SpanRow) => ({ key, ...now.plan }))).toEqual(made.slice(0, rows.length))
  expect([rows.length, others]).toEqual([MOST_REPORT_ROWS, made.length - MOST_REPORT_ROWS])
})

it('shows the lanes with most late stops, and adds up the others', async () => {
  const { rows, others, sum } = (await test.admin.get(`reports/punctuality?by=lane&${YEAR}`)).body
  const { rows: made } = await test.database.pool.query(`
    select lane as key, sum(trips)::int as trips, sum(unloadings - "unloadingsInTime")::int as late
    from route_figure where month between '2026-01-01' and '2026-12-01' group by 1
    order by 3 desc, 2 desc, lane collate "C"`)
  const told = rows.map(({ key, now }: PunctualityRow) => ({ key, trips: now.trips, late: lateStopsOf(now) }))
  expect(told).toEqual(made.slice(0, MOST_REPORT_ROWS))
  const count = (of: { trips: number }[]) => of.reduce((trips, one) => trips + one.trips, 0)
  expect(others.now.trips).toBe(count(made.slice(MOST_REPORT_ROWS)))
  expect(sum.now.trips).toBe(count(made))
})
