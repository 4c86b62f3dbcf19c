// The list of invoices by their reminders reads a page and its count, what carriers are owed beside the freight the
// extras of its order alone: at 100,000 invoices, 30,000 of them reminded, and 100,000 extras (design §8).
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../order-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOf } from './rows-read.ts'

const INVOICES = 100_000
/** the newest ones, which the list shows first */
const REMINDED = 30_000
const EXTRAS = 100_000
/** A count stops at 10,001; each row that it counts or leaves out is looked up among the reminders. */
const MOST_ROWS = 2 * (REMINDED + 10_001) + 2_000

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
let client: pg.Client
let clerk: Caller
let routeId: number

beforeAll(async () => {
  const world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  const customerId = await world.customer('Hansa Bau GmbH', 'DE')
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 100_000,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  routeId = order.routes[0].id
  await test.admin.post(`orders/${order.id}/extras`, { kind: 'tolls', costCents: 700 })
  const { body: draft } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: invoice } = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  const owner = new pg.Client({ connectionString: test.ownerUrl })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  const columnsOf = async (table: string): Promise<string[]> => {
    const { rows } = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1
        and is_generated = 'NEVER'`,
      [table],
    )
    return rows.map(({ name }) => name)
  }
  const copied = async (table: string, { count, of, made }: { count: number; of: string; made: string }) => {
    const names = (await columnsOf(table)).map((name) => `"${name}"`)
    await owner.query(`insert into "${table}" (${names.join(', ')}) overriding system value
      select ${names.map((name) => `made.${name}`).join(', ')}
        from "${table}" o, generate_series(1, ${count}) as series(copy),
          lateral jsonb_populate_record(o, jsonb_build_object(${made})) made
        where ${of}`)
  }
  await copied('invoice', {
    count: INVOICES,
    of: `o.id = ${invoice.id}`,
    made: `'id', 1000000 + copy, 'number', 'X' || copy, 'innerNumber', 'X' || copy,
      'createdAt', timestamptz '2020-01-01' + copy * interval '30 minutes'`,
  })
  await owner.query(
    `insert into reminder ("companyId", "customerId", level, "asOf", "payUntil", "openCents", "feeCents",
        "interestCents", "mailInvoiceId", "createdAt")
      select $1, $2, 1, '2026-11-01', '2026-11-08', 1, 0, 0, $3, now()`,
    [invoice.companyId, customerId, invoice.id],
  )
  await owner.query(`insert into reminder_item ("reminderId", "invoiceId", level, "daysLate", "openCents", "feeCents",
      "interestCents")
    select r.id, 1000000 + copy, 1, 8, 1, 0, 0 from reminder r,
      generate_series(${INVOICES - REMINDED + 1}, ${INVOICES}) as series(copy)`)
  await copied('order_extra', {
    count: EXTRAS,
    of: `o."orderId" = ${order.id}`,
    made: `'id', 1000000 + copy, 'orderId', 5000000 + copy / 4`,
  })
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum analyze')
  await owner.end()
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 300_000)

afterAll(() => client?.end())

it.each(['reminded[]=none', 'reminded[]=1', 'reminded[]=none&reminded[]=2', 'reminded[]=3'])(
  'the list of invoices by %s reads a page and its count',
  async (filter) => {
    const statements = await statementsOf(clerk, `invoices?entityType=customer&${filter}`, /reminder_item/)
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements)
      for (const plan of await plansOf(client, statement)) {
        const rows = Math.round(rowsReadByTheWorstPart(plan))
        expect(rows > MOST_ROWS ? `${rows} rows\n${shape(plan)}` : '').toBe('')
      }
  },
)

it('what is owed to a carrier beside the freight reads the extras of its order alone', async () => {
  const statement = {
    text: 'select coalesce(sum("netCostCents"), 0) from extras_owed_of($1)',
    values: [routeId],
    isNamed: false,
  }
  for (const plan of await plansOf(client, statement)) {
    const rows = Math.round(rowsReadByTheWorstPart(plan))
    expect(rows > 20 ? `${rows} rows\n${shape(plan)}` : '').toBe('')
  }
})
