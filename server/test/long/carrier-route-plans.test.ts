// The routes of a carrier that are not invoiced yet are found by its own assignments at 200,000 orders, also those of a
// carrier with thousands of routes, nearly all of which are invoiced (design §8).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../order-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOf, statementsOfRepeated } from './rows-read.ts'

const ORDERS = 200_000
/** routes of the large carrier, the last 2,000 of which are not invoiced */
const ROUTES_OF_ONE = 8_000
const OPEN = 2_000
const CARRIERS = 400
const MOST_ROWS = 60_000

const test = useTestApp()
let client: pg.Client
let clerk: Caller
let large: number

beforeAll(async () => {
  const world = await orderWorld(test)
  large = world.carrier.id
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  const customerId = await world.customer('Hansa Bau GmbH', 'DE')
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  const { body: invoice } = await clerk.post('invoices', {
    entityType: 'carrier',
    carrierCompanyId: large,
    number: 'FV 1',
    amountCents: 90_000,
    routeId: order.routes[0].id,
  })
  const owner = new pg.Client({ connectionString: test.ownerUrl })
  await owner.connect()
  const copied = async (table: string, of: string, made: string, rows: string) => {
    const { rows: columns } = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1
        and is_generated = 'NEVER'`,
      [table],
    )
    const names = columns.map(({ name }) => `"${name}"`)
    await owner.query(`insert into "${table}" (${names.join(', ')}) overriding system value
      select ${names.map((name) => `made.${name}`).join(', ')}
        from "${table}" o, generate_series(1, ${rows}) as series(copy),
        lateral jsonb_populate_record(o, jsonb_build_object(${made})) made where ${of}`)
  }
  await owner.query('set session_replication_role = replica')
  const all = String(ORDERS)
  const route = `o.id = ${order.routes[0].id}`
  await copied(
    'order',
    `o.id = ${order.id}`,
    `'id', 1000000 + copy, 'number', (17 + copy / 20001) || '-' || lpad(copy::text, 6, '0')`,
    all,
  )
  await copied('route', route, `'id', 1000000 + copy, 'orderId', 1000000 + copy`, all)
  const whose = `case when copy > ${ORDERS - ROUTES_OF_ONE} then ${large} else ${large + 1} + copy % ${CARRIERS} end`
  const given = `'id', 1000000 + copy, 'routeId', 1000000 + copy, 'carrierCompanyId', ${whose}`
  await copied('assignment', `o."routeId" = ${order.routes[0].id}`, given, all)
  const stops = `o."orderId" = ${order.id}`
  await copied(
    'location',
    stops,
    `'id', 10000000 + copy * 10 + o.position, 'orderId', 1000000 + copy, 'routeId', 1000000 + copy`,
    all,
  )
  const billed = String(ORDERS - OPEN)
  await copied(
    'invoice',
    `o.id = ${invoice.id}`,
    `'id', 1000000 + copy, 'innerNumber', 'C-' || copy, 'number', 'FV ' || copy, 'carrierCompanyId', ${whose}`,
    billed,
  )
  await copied('invoice_allocation', 'true', `'invoiceId', 1000000 + copy, 'routeId', 1000000 + copy`, billed)
  await owner.query('set session_replication_role = origin')
  await owner.end()
  for (const table of ['"order"', 'route', 'assignment', 'location', 'invoice', 'invoice_allocation'])
    await test.asOwner(`vacuum analyze ${table}`)
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 900_000)

afterAll(() => client?.end())

describe('routes of a carrier at 200,000 orders', () => {
  it('are found by what is its own, whatever is asked', async () => {
    const found: string[] = []
    const first = (await clerk.get(`invoices/carrier-routes?carrierCompanyId=${large}&perPage=100`)).body
    expect([first.total, first.items.length]).toEqual([OPEN, 100])
    for (const query of [
      '',
      `&cursor=${first.nextCursor}`,
      '&q=26-199',
      '&q=Hansa',
      '&withInvoiced=1',
      `&ids[]=${1_000_000 + ORDERS}`,
      `&orderId[]=${1_000_000 + ORDERS}`,
    ]) {
      const path = `invoices/carrier-routes?carrierCompanyId=${large}&perPage=100${query}`
      for (const statement of await statementsOfRepeated(clerk, path, /from\s+"?route"?/i))
        for (const plan of await plansOf(client, statement)) {
          const rows = Math.round(rowsReadByTheWorstPart(plan))
          if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
        }
    }
    expect(found.join('\n\n')).toBe('')
  }, 300_000)

  it('so is a number that the carrier has used', async () => {
    const path = `invoices/carrier-number?carrierCompanyId=${large}&number=fv%20199500`
    const [statement] = await statementsOf(clerk, path, /from invoice/i)
    for (const plan of await plansOf(client, statement!))
      expect(rowsReadByTheWorstPart(plan), shape(plan)).toBeLessThan(10)
  })
})
