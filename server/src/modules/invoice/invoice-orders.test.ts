import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let customerId: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Hansa Bau GmbH', 'DE')
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
})

async function newOrder() {
  const answer = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000 }),
  )
  expect(answer.status).toBe(201)
  return answer.body
}

describe('the orders to write an invoice for', () => {
  test('are offered to who processes invoices, and to nobody without that right', async () => {
    const order = await newOrder()
    expect((await app.anonymous.get('invoices/orders')).status).toBe(401)
    expect((await (await app.userWith('ORDERS_MANAGEMENT')).caller.get('invoices/orders')).status).toBe(403)
    expect((await clerk.get('orders', { compact: true })).status).toBe(403)
    const item = { id: order.id, title: `${order.number} · Hansa Bau GmbH` }
    for (const query of [`q=${order.number}`, 'q=hansa', `ids[]=${order.id}`])
      expect((await clerk.get(`invoices/orders?${query}`)).body.items).toContainEqual(item)
    expect((await clerk.get('invoices/orders?q=nobody+knows')).body.items).toEqual([])
  })

  test('are those of one company where an administrator has chosen one', async () => {
    const order = await newOrder()
    const found = async (headers: Record<string, string>) =>
      (await app.admin.get(`invoices/orders?ids[]=${order.id}`, { headers })).body.total
    const { rows } = await app.database.pool.query<{ companyId: number }>(
      'select "companyId" from department where id = $1',
      [world.departmentId],
    )
    expect(await found({ 'group-filter': String(rows[0]!.companyId) })).toBe(1)
    expect(await found({ 'group-filter': '999999' })).toBe(0)
  })
})

describe('where the goods of an invoice went', () => {
  test('stands in the record and in the list, which it narrows', async () => {
    const order = await newOrder()
    const { body: invoice } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    const last = order.locations.at(-1)
    const destinations = [{ countryCode: last.countryCode, city: last.city }]
    expect(invoice.destinations).toEqual(destinations)
    const listed = async (query: string) => (await clerk.get(`invoices?${query}`)).body
    const mine = (body: { items: { id: number }[] }) => body.items.filter(({ id }) => id === invoice.id)
    expect(mine(await listed(`toCountry[]=${last.countryCode}`))).toMatchObject([{ destinations }])
    expect(mine(await listed(`toTown=${last.city.slice(0, 3).toLowerCase()}`))).toHaveLength(1)
    expect(mine(await listed('toCountry[]=SE'))).toEqual([])
    expect(mine(await listed('toTown=Nowhere'))).toEqual([])
    expect((await clerk.get('invoices?toCountry[]=xx')).status).toBe(422)
    // It comes from the order: as it was read it may come back, and no change of it is a change of the invoice.
    const again = await clerk.put(
      `invoices/${invoice.id}`,
      { entityType: 'customer', orderIds: [order.id], destinations },
      { version: invoice.version },
    )
    expect(again.status, JSON.stringify(again.body)).toBe(200)
  })
})
