// No page and no count of the list of all mails reads more than 30,000 rows at a million mails of 200,000 orders,
// whatever is asked (design §8): up to 10,001 that are gathered, the records that say who may see them, and a page.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../app.ts'
import { orderWorld, plainOrder } from '../order-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOfRepeated } from './rows-read.ts'

const ORDERS = 200_000
const MAILS_OF_AN_ORDER = 5
const MOST_ROWS = 30_000

const test = useTestApp()
let client: pg.Client
let own: Caller
let company: number

beforeAll(async () => {
  const world = await orderWorld(test)
  const person = await test.userWith('ASSIGNED_ORDERS')
  own = person.caller
  company = await test.idOf('company', 'code', 'WB')
  const customerId = await world.customer('Hansa Bau GmbH', 'DE')
  const { body: order } = await test.admin.post('orders', plainOrder(world, customerId))
  const { rows } = await test.database.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'order'
      and is_generated = 'NEVER'`,
  )
  const columns = rows.map(({ name }) => `"${name}"`).join(', ')
  // Copies of one order, ten years long; one in 300 is the person's own.
  const owner = new pg.Client({ connectionString: test.ownerUrl })
  await owner.connect()
  await owner.query(`
    set session_replication_role = replica;
    insert into "order" (${columns}) overriding system value
      select ${rows.map(({ name }) => `made."${name}"`).join(', ')}
        from "order" o, generate_series(1, ${ORDERS}) n, lateral jsonb_populate_record(o, jsonb_build_object(
          'id', 1000000 + n, 'number', (17 + n / 20001) || '-' || lpad(n::text, 6, '0'),
          'managerIds', case when n % 300 = 7 then array[${person.id}] else '{}'::bigint[] end)) made
        where o.id = ${order.id};
    insert into email ("ownerKind", "ownerId", type, status, "to", subject, html, "messageId", "notBefore",
        "createdAt", "isAutomatic", "searchKey")
      select 'order', 1000000 + n, (array['order_created', 'order_resolved', 'driver_information',
          'loading_confirmation', 'pods'])[k], case when (n * 5 + k) % 4001 = 0 then 'failed'
          when (n + k) % 9 = 0 then 'suppressed' when n > ${ORDERS - 500} then 'planned' else 'sent' end,
        array['dispo@firm' || n % 4000 || '.example'], 'Subject', '<p>Words</p>', '<' || n || '.' || k || '@test>',
        at, at, (n + k) % 50 <> 0,
        (17 + n / 20001) || '-' || lpad(n::text, 6, '0') || ' dispo@firm' || n % 4000 || '.example'
      from generate_series(1, ${ORDERS}) n, generate_series(1, ${MAILS_OF_AN_ORDER}) k,
        lateral (select timestamptz '2017-01-01' + n * interval '26 minutes' + k * interval '1 hour' as at) moment;
    set session_replication_role = origin`)
  await owner.end()
  await test.asOwner('vacuum analyze email')
  await test.asOwner('vacuum analyze "order"')
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 900_000)

afterAll(() => client?.end())

async function expectToReadLittle(
  caller: Caller,
  queries: readonly string[],
  headers: Record<string, string> = {},
): Promise<void> {
  const found: string[] = []
  for (const query of queries) {
    const path = `emails?perPage=100&${query}`
    const statements = await statementsOfRepeated(caller, path, /from\s+"?email"?/i, headers)
    expect(statements.length, path).toBeGreaterThan(0)
    for (const statement of statements)
      for (const plan of await plansOf(client, statement)) {
        const rows = Math.round(rowsReadByTheWorstPart(plan))
        if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
      }
  }
  expect(found.join('\n\n')).toBe('')
}

// Common, rare and not there; one value and several; of long ago.
const QUERIES = [
  '',
  'status[]=failed',
  'status[]=held',
  'status[]=planned&status[]=failed&status[]=held',
  'status[]=sent',
  'type[]=pods',
  'type[]=export_certificate',
  'type[]=pods&type[]=order_created&status[]=failed',
  'origin[]=byHand',
  'origin[]=automatic',
  'q=firm17.example',
  'q=firm',
  'q=17-004711',
  'q=1',
  'q=17',
  'q=17-',
  'q=17-0',
  'q=26',
  'q=zzqqxx',
  'orderIds[]=1000123&orderIds[]=1000456',
  'createdAt[from]=2018-03-01&createdAt[to]=2018-03-31',
  'createdAt[to]=2017-06-01&status[]=failed',
]

describe('the list of a million mails', () => {
  it('shows an administrator any page of it', async () => {
    const { body } = await test.admin.get('emails?perPage=100')
    await expectToReadLittle(test.admin, [...QUERIES, `cursor=${body.nextCursor}`])
  })

  it('shows who manages a few orders the mails of those', async () => {
    await expectToReadLittle(own, QUERIES)
  })

  it('shows who has no record with mails nothing', async () => {
    await expectToReadLittle((await test.userWith('CUSTOMER_MANAGEMENT')).caller, ['', 'status[]=failed'])
  })

  it('keeps to the company that an administrator looks at', async () => {
    await expectToReadLittle(test.admin, ['', 'status[]=failed', 'q=firm17.example'], {
      'group-filter': String(company),
    })
  })
}, 600_000)
