import { beforeAll, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Kaltenbach Gemüse GmbH', 'DE')
})

async function make(more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await app.admin.post<Order>('orders', plainOrder(world, customerId, more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const asked = (orders: readonly Order[], to: string) =>
  `orders/obstacles?to=${to}&${orders.map(({ id }) => `id[]=${id}`).join('&')}`

describe('what keeps orders from a status', () => {
  it('is not for who is not signed in or has no right to orders, and needs orders and a status', async () => {
    const order = await make()
    expect((await app.anonymous.get(asked([order], 'scheduled'))).status).toBe(401)
    expect((await (await app.userWith('INVOICES_PROCESSING')).caller.get(asked([order], 'scheduled'))).status).toBe(403)
    expect((await app.admin.get('orders/obstacles?to=scheduled')).status).toBe(422)
    expect((await app.admin.get(asked([order], 'lost'))).status).toBe(422)
  })

  it('is told of each as the move itself would refuse it; what is asked with the move is none', async () => {
    const bare = await make()
    const ready = await make({ ...shipment(world), routes: [carried(world)] })
    const { items } = (await app.admin.get(asked([bare, ready], 'scheduled'))).body
    expect(items.map(({ id }: { id: number }) => id)).toEqual([bare.id])
    const refused = await app.admin.post(`orders/${bare.id}/status`, { to: 'scheduled' }, { version: bare.version })
    expect(refused.status).toBe(422)
    expect(items[0].needs.toSorted()).toEqual(refused.body.errors.map(({ code }: { code: string }) => code).toSorted())
    const scheduled = (
      await app.admin.post<Order>(`orders/${ready.id}/status`, { to: 'scheduled' }, { version: ready.version })
    ).body
    // The loading times are asked for all orders that move together.
    expect((await app.admin.get(asked([scheduled], 'in_transit'))).body.items).toEqual([])
  })

  it('is not told of an order that one may not know of', async () => {
    const order = await make()
    const { caller } = await app.userWith('ASSIGNED_ORDERS')
    expect((await caller.get(asked([order], 'scheduled'))).body.items).toEqual([])
  })
})

describe('how many orders filters leave', () => {
  it('is counted apart from the rows, under the filters and the row rule of the list', async () => {
    const lonely = await world.customer('Żółw Logistyka', 'PL')
    const person = await app.userWith('ASSIGNED_ORDERS')
    await make({ customerIds: [lonely], disposition: 'FOR_SALE' })
    await make({ customerIds: [lonely], managerIds: [person.id] })
    const count = async (query: string, caller = app.admin) => (await caller.get(`orders/count?${query}`)).body
    expect(await count(`customerId[]=${lonely}`)).toEqual({ total: 2, totalIsExact: true })
    expect(await count(`customerId[]=${lonely}&disposition[]=FOR_SALE&state=active`)).toMatchObject({ total: 1 })
    expect(await count(`customerId[]=${lonely}&q=zolw`)).toMatchObject({ total: 2 })
    expect(await count(`customerId[]=${lonely}`, person.caller)).toMatchObject({ total: 1 })
    expect((await app.anonymous.get('orders/count')).status).toBe(401)
    expect((await (await app.userWith('SETTINGS_ACCESS')).caller.get('orders/count')).status).toBe(403)
    expect((await app.admin.get('orders/count?page=2')).status).toBe(422)
    expect((await app.admin.get('orders/count?colour=red')).status).toBe(422)
  })
})
