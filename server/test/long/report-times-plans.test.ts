// Punctuality, open PODs and times of a year answer within 0.3 s at a million orders in five years (decision 134).
import { beforeAll, describe, expect, it } from 'vitest'
import { OPEN_POD_GROUPS } from '@waybill/contract/report/open-pods'
import { PUNCTUALITY_GROUPS } from '@waybill/contract/report/punctuality'
import { SPAN_GROUPS } from '@waybill/contract/report/spans'
import { useTestApp } from '../app.ts'

const ORDERS = 1_000_000
const MONTHS = 60
const MOST_MS = 300
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
  await test.asOwner('vacuum analyze route_figure, order_span, punctuality_rollup')
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
  it.each(paths)('%s', async (path) => {
    const took: number[] = []
    for (let time = 0; time < 6; time += 1) {
      const begun = performance.now()
      const { status, body } = await test.admin.get(path)
      took.push(performance.now() - begun)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.rows.length).toBeGreaterThan(0)
    }
    // The best of them: what else this machine does is not what is measured.
    expect(Math.round(Math.min(...took))).toBeLessThanOrEqual(MOST_MS)
  })
})
