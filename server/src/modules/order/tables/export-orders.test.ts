import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../../../../test/app.ts'

const test = useTestApp()
const ROWS = 2345
let first: { id: number; version: number; number: string }

// More rows than are read at once; written without the API, which would take minutes.
beforeAll(async () => {
  const customerId = (
    await test.admin.post('customers', { title: '=cmd|"/c calc"', countryId: await test.idOf('country', 'code', 'DE') })
  ).body.id
  const department = (await test.admin.get('departments')).body.items[0].id
  const { body: order } = await test.admin.post('orders', {
    departmentId: department,
    customerIds: [customerId],
    billingCustomerId: customerId,
    customerPriceCents: 118_050,
    customerVatBp: 1900,
  })
  first = order
  const { rows } = await test.database.pool.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_name = 'order' and is_generated = 'NEVER' and column_name not in ('id', 'number')`,
  )
  await test.database.pool.query(
    `insert into "order" (number, ${rows[0]!.columns}) select '99-' || lpad(n::text, 5, '0'), ${rows[0]!.columns}
      from "order", generate_series(2, ${ROWS}) n where id = $1`,
    [order.id],
  )
  await test.database.pool.query(`update "order" set disposition = 'FOR_SALE' where number like '99-0234%'`)
})

const lines = (raw: Buffer, delimiter: string) =>
  parse(raw, { bom: true, delimiter, columns: true }) as Record<string, string>[]

describe('the orders list as a file', () => {
  it('holds every row once, over all pages, in the list’s order, with money in euros and no formulas', async () => {
    const { raw, headers } = await test.admin.get('orders/export?format=csv&sort=-number', {
      headers: { 'accept-language': 'de' },
    })
    expect(headers['content-disposition']).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/)
    const found = lines(raw, ';')
    expect(found).toHaveLength(ROWS)
    expect(new Set(found.map((row) => row.Nummer)).size).toBe(ROWS)
    expect(found[0]).toMatchObject({
      Nummer: '99-02345',
      Status: 'Neu',
      Kunde: `'=cmd|"/c calc"`,
      'Kundenpreis €': '1180,50',
      Zustand: 'Aktiv',
    })
  })

  it('is narrowed as the list is', async () => {
    expect(
      lines((await test.admin.get('orders/export?format=csv&disposition[]=FOR_SALE&status[]=new')).raw, ','),
    ).toHaveLength(6)
    expect(lines((await test.admin.get('orders/export?format=csv&status[]=completed')).raw, ',')).toHaveLength(0)
  })

  it('refuses more chosen orders than a list can name, and holds the chosen ones, whatever their status', async () => {
    const { rows } = await test.database.pool.query<{ id: number; number: string }>(
      'select id, number from "order" order by id limit 201',
    )
    const chosen = (count: number) =>
      rows
        .slice(0, count)
        .map(({ id }) => `id[]=${id}`)
        .join('&')
    const refused = await test.admin.get(`orders/export?format=csv&${chosen(201)}`)
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ path: 'id' }]])
    const { raw, status } = await test.admin.get(`orders/export?format=csv&sort=number&${chosen(200)}`)
    expect(status).toBe(200)
    expect(lines(raw, ',').map((row) => row.Number)).toEqual(
      rows
        .slice(0, 200)
        .map(({ number }) => number)
        .toSorted(),
    )
  })

  it('says no more than the list to somebody who sees assigned orders only', async () => {
    const { caller, id } = await test.userWith('ASSIGNED_ORDERS')
    expect(lines((await caller.get('orders/export?format=csv')).raw, ',')).toEqual([])
    expect(
      (await test.admin.patch(`orders/${first.id}`, { managerIds: [id] }, { version: first.version })).status,
    ).toBe(200)
    expect(lines((await caller.get('orders/export?format=csv')).raw, ',').map((row) => row.Number)).toEqual([
      first.number,
    ])
    expect(
      lines(
        (await caller.get(`orders/export?format=csv&id[]=${first.id}&id[]=${first.id + 1}&id[]=${first.id + 2}`)).raw,
        ',',
      ).map((row) => row.Number),
    ).toEqual([first.number])
  })
})
