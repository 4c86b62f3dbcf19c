// What a month's end bills of one customer is found by its own orders and extras alone, however many others there are.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { orderWorld, plainOrder, shipment } from '../order-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOf } from './rows-read.ts'

/** Approved extras of other customers. */
const EXTRAS = 50_000
const MOST_ROWS = 500

const test = useTestApp()
let client: pg.Client
let customerId: number
let companyId: number

beforeAll(async () => {
  const world = await orderWorld(test)
  customerId = await world.customer('Kleiner Kunde GmbH', 'DE')
  const other = await world.customer('Sonstige GmbH', 'DE')
  const make = async (id: number) => {
    const body = plainOrder(world, id, { ...shipment(world), customerPriceCents: 50_000 })
    const { body: order } = await test.admin.post('orders', body)
    const { body: extra } = await test.admin.post(`orders/${order.id}/extras`, { kind: 'tolls', priceCents: 1000 })
    await test.admin.post(`orders/${order.id}/extras/${extra.id}/state`, { to: 'approved' }, { version: 1 })
    return { orderId: order.id as number, extraId: extra.id as number }
  }
  await make(customerId)
  const { orderId, extraId } = await make(other)
  companyId = (await test.admin.get(`departments/${world.departmentId}`)).body.company.id
  const { rows: columns } = await test.database.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'order_extra'
      and is_generated = 'NEVER' and column_name not in ('id', 'orderId')`,
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const { rows: own } = await test.database.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'order'
      and is_generated = 'NEVER' and column_name not in ('id', 'number')`,
  )
  const ofOrder = own.map(({ name }) => `"${name}"`).join(', ')
  const owner = new pg.Client({ connectionString: test.ownerUrl, options: '-c TimeZone=UTC' })
  await owner.connect()
  try {
    await owner.query('set session_replication_role = replica')
    await owner.query(`
      insert into "order" (${ofOrder}, number) select ${ofOrder}, 'P-' || i
        from (select * from "order" where id = ${orderId}) o, generate_series(1, ${EXTRAS / 10}) i`)
    await owner.query(`
      insert into order_extra (${names}, "orderId") select ${names}, of_order.id
        from (select ${names} from order_extra where id = ${extraId}) e,
          (select id from "order" where number like 'P-%') of_order, generate_series(1, 10)`)
    await owner.query('vacuum analyze "order"')
    await owner.query('vacuum analyze order_extra')
  } finally {
    await owner.end()
  }
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 300_000)

afterAll(() => client?.end())

it('a customer’s month reads its own orders and extras alone', async () => {
  const path = `invoices/month-end/customers/${customerId}?companyId=${companyId}&until=2027-12-31`
  const statements = await statementsOf(test.admin, path, /unbilled as materialized/)
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements)
    for (const plan of await plansOf(client, statement)) {
      const rows = Math.round(rowsReadByTheWorstPart(plan))
      expect(rows > MOST_ROWS ? `${rows} rows\n${shape(plan)}` : '').toBe('')
    }
})
