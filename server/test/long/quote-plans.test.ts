// No look at the list of quotes, and no count of it, reads more than 5,000 rows at 60,000 quotes (decision 111).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUOTES_SHOWN } from '@waybill/contract/quote/quote'
import { useTestApp, type Caller } from '../app.ts'
import { orderWorld } from '../order-examples.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOfRepeated } from './rows-read.ts'

const QUOTES = 60_000
const MOST_ROWS = 5000
const A_STATEMENT = 10_000

const test = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })
let client: pg.Client
let worker: { id: number; caller: Caller }

beforeAll(async () => {
  const world = await orderWorld(test)
  const customers: number[] = []
  for (let count = 0; count < 200; count += 1)
    customers.push(await world.customer(`${count % 40 === 0 ? 'Papierwerk' : 'Kontor'} ${count} GmbH`, 'DE'))
  worker = await test.userWith('ASSIGNED_ORDERS')
  const makers: number[] = []
  for (let count = 0; count < 20; count += 1) makers.push((await test.userWith('ORDERS_MANAGEMENT')).id)
  // Four years of them: nearly all are over; some hundred go on, some wait for their order, one person has a few.
  const make = (from: number, to: number) =>
    test.database.pool.query(
      `insert into quote (number, state, "customerId", "departmentId", "caseWorkerId", "createdById", "createdAt",
       "fromCountryId", "fromCity", "toCountryId", "toCity", "costSource", "costCents", "targetBp", "priceCents",
       "validUntil", "tokenHash", "sentAt", "answeredAt", "answeredBy")
     select 'Q-' || i, state, ($1::bigint[])[1 + i % 200], $2, case when i % 2000 = 9 then $3::bigint end,
       ($4::bigint[])[1 + i % 20],
       made, $5, initcap(substr(md5((i % 900)::text), 1, 6)), $5, 'Köln', 'typed', 90000, 1500, 100000 + i,
       made::date + 14, case when state <> 'draft' then sha256(i::text::bytea) end,
       case when state <> 'draft' then made end, case when state in ('accepted', 'refused') then made end,
       case when state in ('accepted', 'refused') then 'hand' end
     from generate_series($7::int, $8::int) i
       cross join lateral (select timestamptz '2026-12-01' - ($6 - i) * interval '35 minutes' as made,
         case when i % 400 = 3 then 'accepted' when i % 500 = 4 then 'draft' when i % 3 = 0 then 'sent'
           else 'refused' end as state) s`,
      [customers, world.departmentId, worker.id, makers, world.countries.DE, QUOTES, from, to],
    )
  // A statement of the application ends after half a minute.
  for (let from = 1; from <= QUOTES; from += A_STATEMENT) await make(from, from + A_STATEMENT - 1)
  await test.asOwner('vacuum analyze quote, quote_tally, customer')
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 300_000)

afterAll(() => client?.end())

async function expectToReadLittle(caller: Caller, paths: readonly string[]): Promise<void> {
  const found: string[] = []
  for (const path of paths) {
    const statements = await statementsOfRepeated(caller, path, /from\s+quote/i)
    expect(statements.length, path).toBeGreaterThan(1)
    for (const statement of statements)
      for (const plan of await plansOf(client, statement)) {
        const rows = Math.round(rowsReadByTheWorstPart(plan))
        if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
      }
  }
  expect(found.join('\n\n')).toBe('')
}

describe('the list of quotes at 60,000', () => {
  it('shows each tab and counts them', async () => {
    await expectToReadLittle(
      test.admin,
      QUOTES_SHOWN.map((show) => `quotes?show=${show}`),
    )
  }, 120_000)

  it('shows somebody the own ones', async () => {
    await expectToReadLittle(
      worker.caller,
      QUOTES_SHOWN.map((show) => `quotes?show=${show}`),
    )
  }, 120_000)

  it('finds by number, town and customer', async () => {
    await expectToReadLittle(
      test.admin,
      ['Q-5900', 'c4ca42', 'zzqqxx', 'papierwerk', 'papierwerk köln'].map((q) => `quotes?q=${encodeURIComponent(q)}`),
    )
  }, 120_000)

  it('counts what it shows', async () => {
    const { body } = await test.admin.get('quotes')
    const { rows } = await test.database.pool.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from quote where state <> 'sent' or "validUntil" < '2026-12-01' group by 1`,
    )
    const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
    expect(body.counts).toMatchObject({
      all: QUOTES,
      accepted: of('accepted'),
      lost: of('refused') + of('sent'),
      open: QUOTES - of('accepted') - of('refused') - of('sent'),
    })
  })
})
