// A bank statement and the list of them read what is open, and little beside: at 200,000 entries and 100,000
// invoices, of which 2,000 are open (design §8).
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../app.ts'
import { orderWorld, plainOrder, shipment } from '../order-examples.ts'
import { paymentWorld } from '../payments/payment-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOf } from './rows-read.ts'

const STATEMENTS = 2_000
const ENTRIES = 100
const INVOICES = 100_000
const OPEN = 2_000
const MOST_ROWS = 10_000

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
let client: pg.Client
let clerk: Caller

beforeAll(async () => {
  const world = await orderWorld(test)
  const { companyId, debtorBankId, clerk: caller } = await paymentWorld(test)
  clerk = caller
  const customerId = await world.customer('Hansa Bau GmbH', 'DE')
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 100_000 }),
  )
  const { body: draft } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: invoice } = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  const owner = new pg.Client({ connectionString: test.ownerUrl })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
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
  await copied(
    'invoice',
    `o.id = ${invoice.id}`,
    `'id', 1000000 + copy, 'number', 'WB-2026-' || lpad(copy::text, 6, '0'), 'innerNumber', 'X' || copy`,
  )
  await copied(
    'receivable',
    `o."invoiceId" = ${invoice.id}`,
    `'invoiceId', 1000000 + copy, 'paidCents', case when copy > ${INVOICES - OPEN} then 0 else o."totalCents" end`,
  )
  await owner.query(
    `insert into bank_statement ("companyId", "bankAccountId", iban, "fileName", sha256, position, "entryCount",
        "knownCount", "pendingCount", "createdAt")
      select $1, $2, 'DE89370400440532013000', 'x.xml', lpad(copy::text, 64, '0'), 0, ${ENTRIES}, 0, 0,
          timestamptz '2020-01-01' + copy * interval '1 day' from generate_series(1, ${STATEMENTS}) as series(copy)`,
    [companyId, debtorBankId],
  )
  await owner.query(
    `insert into bank_entry ("statementId", position, iban, key, "bookingDate", "valueDate", "amountCents",
        "partnerIban", remittance, status, reason, "settledAt")
      select s.id, at, s.iban, lpad((s.id * 1000 + at)::text, 64, '0'), '2026-11-23', '2026-11-23', 119000,
          'DE02120300000000202051', 'WB-2026-' || lpad(((s.id * 37 + at) % ${INVOICES})::text, 6, '0'),
          case when s.position = 0 and s.id > ${STATEMENTS - 5} then 'open' else 'set_aside' end,
          case when s.id > ${STATEMENTS - 5} then null else 'x' end,
          case when s.id > ${STATEMENTS - 5} then null else now() end
        from bank_statement s, generate_series(1, ${ENTRIES}) as series(at)`,
  )
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum analyze')
  await owner.end()
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 300_000)

afterAll(() => client?.end())

it('reads little for the list, for a statement that is done and for one with its proposals', async () => {
  const found: string[] = []
  const { body } = await clerk.get('bank-statements')
  const [newest, last] = [body.items[0].id, (await clerk.get('bank-statements?page=70')).body.items[0].id]
  const proposed = (await clerk.get(`bank-statements/${newest}`)).body
  expect(proposed.entries).toHaveLength(ENTRIES)
  expect(proposed.entries[0].proposal).not.toBeNull()
  for (const path of [
    'bank-statements',
    'bank-statements?page=70',
    `bank-statements?cursor=${body.nextCursor}`,
    `bank-statements/${newest}`,
    `bank-statements/${last}`,
  ]) {
    for (const statement of await statementsOf(clerk, path, /bank_|receivable|payer_account|payment_file/i)) {
      for (const plan of await plansOf(client, statement)) {
        const rows = Math.round(rowsReadByTheWorstPart(plan))
        if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
      }
    }
  }
  expect(found.join('\n\n')).toBe('')
}, 120_000)
