// What a customer uses of its credit limit is found at 200,000 orders by its own orders and invoices alone, what all
// debtors use by what nobody has billed (design §8).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { orderWorld, plainOrder, shipment } from '../order-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOf } from './rows-read.ts'

const ORDERS = 200_000
/** Every twentieth order is of one customer. */
const OF_THE_LARGEST = ORDERS / 20
/** Its orders, each looked up once among what is billed. */
const MOST_ROWS = OF_THE_LARGEST * 2 + 1000
/** Every hundredth order is under way, every thousandth of the others was forgotten. */
const UNBILLED = ORDERS / 100 + ORDERS / 1000
/** Each is read with its order, and with the country that says whose VAT it bears. */
const MOST_ROWS_OF_DEBTORS = UNBILLED * 3 + 1000

const test = useTestApp()
let client: pg.Client
let largest: number
let orderId: number

beforeAll(async () => {
  const world = await orderWorld(test)
  largest = await world.customer('Größter Kunde AG', 'DE', { creditLimitCents: 1_000_000_000 })
  const other = await world.customer('Sonstige GmbH', 'DE', { creditLimitCents: 1_000_000_000 })
  const make = async (customerId: number) =>
    (await test.admin.post('orders', plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000 })))
      .body
  orderId = (await make(largest)).id
  const owe = async (customerId: number) => {
    const { body } = await test.admin.post('invoices', {
      entityType: 'customer',
      orderIds: [(await make(customerId)).id],
    })
    await test.admin.post(`invoices/${body.id}/status`, { to: 'sent' }, { version: body.version })
    return body
  }
  await owe(largest)
  const draft = await owe(other)
  const { rows: columns } = await test.database.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'order'
      and is_generated = 'NEVER' and column_name not in ('id', 'number', 'status', 'billingCustomerId')`,
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const owner = new pg.Client({ connectionString: test.ownerUrl, options: '-c TimeZone=UTC' })
  await owner.connect()
  try {
    await owner.query('set statement_timeout = 0')
    await owner.query('set session_replication_role = replica')
    // What lists are found by is not asked for here, and takes minutes to fill.
    const { rows: indexes } = await owner.query<{ name: string }>(`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = '"order"'::regclass
          and pg_get_indexdef(i.indexrelid) !~ '\\("(billingCustomerId|mergedIntoId)"\\)'
          and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`)
    for (const { name } of indexes) await owner.query(`drop index "${name}"`)
    await owner.query(`
      insert into "order" (${names}, number, status, "billingCustomerId")
      select ${names}, 'P-' || i, case when i % 100 = 0 then 'in_transit' else 'completed' end,
          case when i % 20 = 0 then ${largest} else ${other} end
        from (select * from "order" where id = ${orderId}) o, generate_series(1, ${ORDERS}) i`)
    await owner.query(`
      insert into billed_order ("orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents")
      select id, ${draft.id}, 'X', 50000, 50000 from "order" where number like 'P-%' and status = 'completed'
        and id % 1000 <> 0`)
    await owner.query(`insert into unbilled_order select id from "order" o where number like 'P-%'
      and not exists (select 1 from billed_order b where b."orderId" = o.id)`)
    await owner.query('vacuum analyze "order"')
    await owner.query('vacuum analyze billed_order')
    await owner.query('vacuum analyze unbilled_order')
  } finally {
    await owner.end()
  }
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 600_000)

afterAll(() => client?.end())

describe('the credit of a customer at 200,000 orders', () => {
  it.each([
    ['the sums', () => `customers/${largest}/credit`],
    ['the hint while an order is entered', () => `customers/${largest}/credit-standing?netCents=5000`],
    ['an order that is shown', () => `orders/${orderId}`],
  ])('%s read the customer’s own orders alone', (_what, path) => expectRows(path(), MOST_ROWS))

  it('the list of debtors reads what nobody has billed, not what they ever ordered', () =>
    expectRows('open-items/credit', MOST_ROWS_OF_DEBTORS))
})

async function expectRows(path: string, most: number): Promise<void> {
  const statements = await statementsOf(test.admin, path, /creditLimitCents/)
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements)
    for (const plan of await plansOf(client, statement)) {
      const rows = Math.round(rowsReadByTheWorstPart(plan))
      expect(rows > most ? `${rows} rows\n${shape(plan)}` : '').toBe('')
    }
}
