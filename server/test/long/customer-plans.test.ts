// No page and no count of the customers list, and no picker, reads more than 20,000 rows at 200,000 customers (design
// §8).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerApi } from '@waybill/contract/customer'
import { useTestApp } from '../app.ts'
import { plansOf, rowsReadByTheWorstPart, shape, statementsOfRepeated } from './rows-read.ts'

const CUSTOMERS = 200_000
const MOST_ROWS = 20_000
const A_STATEMENT = 20_000

const test = useTestApp()
let client: pg.Client
let germany: number
let malta: number
let responsible: number

beforeAll(async () => {
  germany = await test.idOf('country', 'code', 'DE')
  malta = await test.idOf('country', 'code', 'MT')
  responsible = (await test.userWith('CUSTOMER_MANAGEMENT')).id
  // Names as they come: a few forms of firm, some thousand words, few of them alike; one country has most, one has a
  // handful.
  const make = (from: number, to: number) =>
    test.database.pool.query(
      `insert into customer (title, alias, city, postal, "countryId", "responsibleUserId", "emailPreferences",
      "paymentOption", "paymentPeriodDays", "chargeableKgPerM3", "chargeableKgPerLdm", "createdAt", state)
     select initcap(substr(md5((i % 3000)::text), 1, 7)) || ' ' ||
       (array['Maschinenbau', 'Logistik', 'Textil', 'Möbel', 'Papier'])[1 + i % 5] || ' ' ||
       (array['GmbH', 'AG', 'Sp. z o.o.', 'B.V.'])[1 + i % 4] || ' ' || i,
       case when i % 3 = 0 then substr(md5(i::text), 1, 5) end, case when i % 50 = 0 then null when i % 30 = 1
         then 'Hamburg' when i % 40 = 2 then 'Łódź' else initcap(substr(md5((i % 1700)::text), 3, 6)) end,
         lpad((i % 90000)::text, 5, '0'),
       case when i % 20000 = 7 then $2 else $1 end::bigint, case when i % 400 = 3 then $3::bigint end, '{}',
         'per_order', 30, 333, 1750, timestamptz '2020-01-01' + i * interval '15 minutes', case when i % 40 = 0
         then 'inactive' else 'active' end
     from generate_series($4::int, $5::int) i`,
      [germany, malta, responsible, from, to],
    )
  // A statement of the application ends after half a minute.
  for (let from = 1; from <= CUSTOMERS; from += A_STATEMENT) await make(from, from + A_STATEMENT - 1)
  await test.asOwner('vacuum analyze customer')
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
}, 300_000)

afterAll(() => client?.end())

async function expectToReadLittle(paths: readonly string[], headers: Record<string, string> = {}): Promise<void> {
  const found: string[] = []
  for (const path of paths) {
    const statements = await statementsOfRepeated(test.admin, path, /from\s+"customer"/i, headers)
    expect(statements.length, path).toBeGreaterThan(0)
    for (const statement of statements) {
      for (const plan of await plansOf(client, statement)) {
        const rows = Math.round(rowsReadByTheWorstPart(plan))
        if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
      }
    }
  }
  expect(found.join('\n\n')).toBe('')
}

const SORTS = ['title', '-title', 'city', '-city', 'createdAt', '-createdAt']
// Common, in the middle, rare, nowhere; the beginning of a name; two words.
const SEARCHES = ['maschinenbau', 'gmbh', 'hamburg', 'c4ca', 'zzqqxx', 'c4', 'm', 'łódź textil', 'maschinenbau 4711']

describe('the customers list at 200,000', () => {
  it('has an example of each sort', () => {
    expect(SORTS.map((sort) => customerApi.list.query.safeParse({ sort }).success)).toEqual(SORTS.map(() => true))
  })

  it('shows its first page and the next one in every order', async () => {
    for (const sort of SORTS) {
      const { body } = await test.admin.get(`customers?state=active&sort=${sort}`)
      await expectToReadLittle([
        `customers?state=active&sort=${sort}`,
        `customers?state=active&sort=${sort}&cursor=${body.nextCursor}`,
        `customers?state=inactive&sort=${sort}`,
      ])
    }
  }, 120_000)

  it('finds by name, town and country, in every order', async () => {
    const filters = [
      ...SEARCHES.map((q) => `q=${encodeURIComponent(q)}`),
      `countryId[]=${germany}`,
      `countryId[]=${malta}`,
      'countryId[]=999999',
      `responsibleUserId[]=${responsible}`,
      'responsibleUserId[]=999999',
    ]
    await expectToReadLittle(
      SORTS.flatMap((sort) => filters.map((filter) => `customers?state=active&sort=${sort}&${filter}`)),
    )
  }, 240_000)

  it('shows a search’s rows beyond ten thousand in their order, page by page and from one to the next', async () => {
    const expected = async (offset: number) =>
      (
        await client.query(
          `select id from customer where "searchKey" like '%maschinenbau%' and state = 'active'
            order by "createdAt" desc, id desc offset ${offset} limit 25`,
        )
      ).rows.map(({ id }) => Number(id))
    const shown = async (more: string) => {
      const { body } = await test.admin.get(`customers?state=active&sort=-createdAt&q=maschinenbau${more}`)
      expect([body.total, body.totalIsExact], more).toEqual([10_000, false])
      return { ids: body.items.map(({ id }: { id: number }) => id), next: body.nextCursor as string }
    }
    expect((await shown('')).ids).toEqual(await expected(0))
    const { ids, next } = await shown('&page=3')
    expect(ids).toEqual(await expected(50))
    expect((await shown(`&cursor=${next}`)).ids).toEqual(await expected(75))
    expect((await shown('&page=1000')).ids).toEqual(await expected(24_975))
  }, 60_000)

  it('is picked from by a name or its beginning', async () => {
    await expectToReadLittle(
      ['', ...SEARCHES].map((q) => `customers?state=active&perPage=50&q=${encodeURIComponent(q)}`),
      { 'additional-groups': '' },
    )
  }, 120_000)
})
