// The queue of carriers' invoices that wait to be checked reads what it shows, whichever page of it: at 30,000 invoices
// of carriers, of which 2,000 wait and 500 are held (design §8).
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../order-examples.ts'
import { encodeForm, FILES } from '../upload.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOf } from './rows-read.ts'

const INVOICES = 30_000
const RECEIVED = 2_000
const HELD = 500
const CARRIERS = 400
const PAGE = 50
/** A page with all that its checks look at, and the sums over what waits. */
const MOST_ROWS = 3_000

const test = useTestApp()
let client: pg.Client
let clerk: Caller

beforeAll(async () => {
  const world = await orderWorld(test)
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
    carrierCompanyId: world.carrier.id,
    number: 'FV 1',
    amountCents: 90_000,
    routeId: order.routes[0].id,
  })
  const addFile = async (fields: Record<string, string>, name: string) => {
    const { body, contentType } = await encodeForm({ fields, file: { name, bytes: FILES.pdf() } })
    const added = await test.admin.post('upload', body, { headers: { 'content-type': contentType } })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
  }
  await addFile({ documentType: 'PROOF_OF_DELIVERY', orderId: String(order.id) }, 'CMR.pdf')
  await addFile({ documentType: 'CARRIER_INVOICE', invoiceId: String(invoice.id) }, 'FV 1.pdf')
  const owner = new pg.Client({ connectionString: test.ownerUrl })
  await owner.connect()
  const copied = async (table: string, of: string, made: string) => {
    const { rows } = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1
        and is_generated = 'NEVER'`,
      [table],
    )
    const names = rows.map(({ name }) => `"${name}"`)
    await owner.query(`insert into "${table}" (${names.join(', ')}) overriding system value
      select ${names.map((name) => `made.${name}`).join(', ')}
        from "${table}" o, generate_series(1, ${INVOICES}) as series(copy),
        lateral jsonb_populate_record(o, jsonb_build_object(${made})) made where ${of}`)
  }
  await owner.query('set session_replication_role = replica')
  const carrier = `'carrierCompanyId', 1000000 + copy % ${CARRIERS}`
  await copied('carrier_company', `o.id = ${world.carrier.id}`, `'id', 999999 + copy, 'title', 'Carrier ' || copy`)
  await copied(
    'order',
    `o.id = ${order.id}`,
    `'id', 1000000 + copy, 'number', (17 + copy / 20001) || '-' || lpad(copy::text, 6, '0')`,
  )
  const route = order.routes[0].id
  await copied('route', `o.id = ${route}`, `'id', 1000000 + copy, 'orderId', 1000000 + copy`)
  await copied('assignment', `o."routeId" = ${route}`, `'id', 1000000 + copy, 'routeId', 1000000 + copy, ${carrier}`)
  await copied(
    'location',
    `o."orderId" = ${order.id}`,
    `'id', 10000000 + copy * 10 + o.position, 'orderId', 1000000 + copy, 'routeId', 1000000 + copy`,
  )
  await copied(
    'invoice',
    `o.id = ${invoice.id}`,
    `'id', 1000000 + copy, 'innerNumber', 'C-' || copy, 'number', 'FV ' || copy, ${carrier},
      'createdAt', o."createdAt" - ${INVOICES} * interval '1 minute' + copy * interval '1 minute',
      'status', case when copy > ${INVOICES - RECEIVED} then 'received'
        when copy > ${INVOICES - RECEIVED - HELD} then 'in_progress' else 'paid' end`,
  )
  await copied(
    'invoice_order',
    `o."invoiceId" = ${invoice.id}`,
    `'invoiceId', 1000000 + copy, 'orderId', 1000000 + copy`,
  )
  await copied(
    'invoice_allocation',
    `o."invoiceId" = ${invoice.id}`,
    `'invoiceId', 1000000 + copy, 'routeId', 1000000 + copy`,
  )
  await copied(
    'document',
    `o."ownerKind" in ('order', 'invoice')`,
    `'id', 10000000 + copy * 10 + case o."ownerKind" when 'order' then 1 else 2 end, 'ownerId', 1000000 + copy,
      'fileKey', o."fileKey" || '-' || copy`,
  )
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum analyze')
  await owner.end()
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 900_000)

afterAll(() => client?.end())

it('reads its page and what waits, at its beginning, in its middle and around one invoice', async () => {
  const { body: first } = await clerk.get(`invoices/to-check?status=received`)
  expect([first.items.length, first.counts]).toEqual([PAGE, { received: RECEIVED + 1, in_progress: HELD }])
  const middle = 1_000_000 + INVOICES - RECEIVED / 2
  const found: string[] = []
  for (const path of [
    'invoices/to-check?status=received',
    `invoices/to-check?status=received&after=${first.next}`,
    `invoices/to-check?status=received&after=${middle}`,
    `invoices/to-check?status=received&after=${middle}&limit=1`,
    `invoices/to-check?status=received&before=${middle}&limit=1`,
    'invoices/to-check?status=in_progress',
    `invoices/${middle}/check`,
  ]) {
    for (const statement of await statementsOf(clerk, path, /from\s+"?(invoice|chosen)"?/i)) {
      for (const plan of await plansOf(client, statement)) {
        const rows = Math.round(rowsReadByTheWorstPart(plan))
        if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
      }
    }
  }
  expect(found.join('\n\n')).toBe('')
}, 300_000)
