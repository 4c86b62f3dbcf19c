import { beforeAll, describe, expect, it } from 'vitest'
import { MOST_EXTRAS, type Extra } from '@waybill/contract/order/extra'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
let anna: Caller
let jonas: Caller
let clerk: Caller

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  anna = (await app.userWith('ORDERS_MANAGEMENT')).caller
  jonas = (await app.userWith('ASSIGNED_ORDERS')).caller
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
})

async function make(more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await app.admin.post<Order>('orders', plainOrder(world, customerId, more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const priced = (more: Partial<OrderInput> = {}) =>
  make({
    ...shipment(world),
    customerPriceCents: 120_000,
    routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    ...more,
  })
/** Two routes, each with the carrier. */
const twoLegs = () =>
  priced({
    routes: [
      { ...carried(world, 50_000), locationKeys: ['from'] },
      { ...carried(world, 40_000), locationKeys: ['to'] },
    ],
    cargo: [],
    locations: shipment(world).locations!.map((stop) => ({ ...stop, cargoActions: [] })),
  })

const enter = (order: { id: number }, body: object, caller = anna): Promise<Answer> =>
  caller.post(`orders/${order.id}/extras`, { kind: 'waiting_time', ...body })
async function entered(order: { id: number }, body: object): Promise<Extra> {
  const { status, body: extra } = await enter(order, body)
  expect(status, JSON.stringify(extra)).toBe(201)
  return extra
}
const decide = (order: { id: number }, { id, version }: Extra, to: string, caller = anna): Promise<Answer> =>
  caller.post(`orders/${order.id}/extras/${id}/state`, { to }, { version })
async function approved(order: { id: number }, body: object): Promise<Extra> {
  const { status, body: extra } = await decide(order, await entered(order, body), 'approved')
  expect(status, JSON.stringify(extra)).toBe(200)
  return extra
}
const read = async (order: { id: number }): Promise<Order> => (await anna.get(`orders/${order.id}`)).body
const listed = async (order: { id: number }): Promise<Extra[]> =>
  (await anna.get(`orders/${order.id}/extras`)).body.items
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
const cancel = async (order: Order) => {
  const { version } = await read(order)
  const { status, body } = await anna.post(
    `orders/${order.id}/status`,
    { to: 'canceled', reason: 'No truck' },
    { version },
  )
  expect(status, JSON.stringify(body)).toBe(200)
}

describe('extras that are refused', () => {
  it('are those of who is not signed in, has no right to orders, or may not know of this one', async () => {
    const order = await priced()
    const extra = await entered(order, { priceCents: 4000 })
    const path = `orders/${order.id}/extras`
    const knock = async (caller: Caller) =>
      [
        await caller.get(path),
        await enter(order, { priceCents: 1 }, caller),
        await caller.put(`${path}/${extra.id}`, { kind: 'tolls', priceCents: 1 }, { version: 1 }),
        await caller.delete(`${path}/${extra.id}`, { version: 1 }),
        await decide(order, extra, 'refused', caller),
      ].map(({ status }) => status)
    expect(await knock(app.anonymous)).toEqual([401, 401, 401, 401, 401])
    expect(await knock(jonas)).toEqual([404, 404, 404, 404, 404])
    // Who processes invoices looks and decides, and writes nothing.
    expect(await knock(clerk)).toEqual([200, 403, 403, 403, 200])
    const other = await priced()
    expect((await anna.delete(`orders/${other.id}/extras/${extra.id}`, { version: 2 })).status).toBe(404)
  })

  it('say neither price nor cost, name a foreign route, or leave open which of two carriers is paid', async () => {
    const order = await twoLegs()
    const other = await priced()
    expect(faults(await enter(order, {}))).toEqual([422, 'priceCents price_or_cost_missing'])
    expect(faults(await enter(order, { costCents: 100, routeId: other.routes[0]!.id }))).toEqual([
      422,
      'routeId unknown_reference',
    ])
    expect(faults(await enter(order, { costCents: 100 }))).toEqual([422, 'routeId required'])
    expect(faults(await enter(order, { priceCents: 100, sourceOrderId: other.id }))).toEqual([
      422,
      'sourceOrderId unknown_reference',
    ])
    expect((await enter(order, { priceCents: 100 })).status).toBe(201)
    expect((await enter(order, { costCents: 100, routeId: order.routes[1]!.id })).status).toBe(201)
  })

  it('are of a canceled order, but for what its cancellation costs', async () => {
    const order = await priced()
    await cancel(order)
    expect(faults(await enter(order, { priceCents: 100 }))).toEqual([409, 'kind extra_of_canceled'])
    expect((await enter(order, { kind: 'cancellation', priceCents: 20_000 })).status).toBe(201)
  })

  it('are one more than an order can have', async () => {
    const order = await make()
    await app.database.pool.query(
      `insert into order_extra ("orderId", kind, quantity, unit, "priceCents", "createdAt")
        select $1, 'tolls', 1, 'flat', 100, now() from generate_series(1, $2)`,
      [order.id, MOST_EXTRAS],
    )
    expect(faults(await enter(order, { priceCents: 1 }))).toEqual([422, ' too_many'])
  })

  it('were changed meanwhile, or are decided', async () => {
    const order = await priced()
    const extra = await entered(order, { priceCents: 4000 })
    const path = `orders/${order.id}/extras/${extra.id}`
    const body = { kind: 'waiting_time', priceCents: 5000 }
    expect((await anna.put(path, body, { version: 7 })).body.code).toBe('stale_version')
    const { body: now } = await decide(order, extra, 'approved')
    expect(faults(await anna.put(path, body, { version: now.version }))).toEqual([409, 'state extra_decided'])
    expect(faults(await anna.delete(path, { version: now.version }))).toEqual([409, 'state extra_decided'])
    const { body: again } = await decide(order, now, 'open')
    expect((await anna.put(path, body, { version: again.version })).body).toMatchObject({ netPriceCents: 5000 })
    expect((await anna.delete(path, { version: again.version + 1 })).status).toBe(204)
    expect(await listed(order)).toEqual([])
  })
})

describe('an extra', () => {
  it('counts in the margin once approved, and leaves price, cost and version of the order as they were', async () => {
    const order = await priced()
    const before = { customerPriceCents: 120_000, carrierCostCents: 90_000, incomeCents: 30_000, marginBp: 2500 }
    // 2.5 hours at 42.50 and 33.33: half a cent goes away from zero.
    const extra = await entered(order, {
      quantity: 2.5,
      unit: 'hour',
      priceCents: 4250,
      costCents: 3333,
    })
    expect(extra).toMatchObject({ state: 'open', netPriceCents: 10_625, netCostCents: 8333, isBilled: false })
    expect(await read(order)).toMatchObject({ ...before, approvedExtras: [], version: order.version })
    const done = await decide(order, extra, 'approved', clerk)
    expect(done.body).toMatchObject({ state: 'approved', decidedAt: expect.any(String) })
    expect(await read(order)).toMatchObject({
      customerPriceCents: 120_000,
      carrierCostCents: 90_000,
      incomeCents: 32_292,
      marginBp: Math.round((32_292 / 130_625) * 10_000),
      approvedExtras: [{ routeId: null, priceCents: 10_625, costCents: 8333 }],
      version: order.version,
    })
    // Who has the order open saves as before, and the margin stays right.
    const saved = await anna.patch(`orders/${order.id}`, { customerPriceCents: 100_000 }, { version: order.version })
    expect(saved.body).toMatchObject({ incomeCents: 12_292 })
    await decide(order, done.body, 'open')
    expect(await read(order)).toMatchObject({ incomeCents: 10_000, approvedExtras: [] })
  })

  it('refused counts nowhere, and can be removed', async () => {
    const order = await priced()
    const extra = await entered(order, { priceCents: -500 })
    const { body: refused } = await decide(order, extra, 'refused')
    expect(refused).toMatchObject({ state: 'refused', netPriceCents: -500 })
    expect(await read(order)).toMatchObject({ incomeCents: 30_000 })
    expect((await anna.delete(`orders/${order.id}/extras/${extra.id}`, { version: refused.version })).status).toBe(204)
  })

  it('is never lost where two people enter and approve at once', async () => {
    const order = await priced()
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((cents) => approved(order, { priceCents: cents * 100 })))
    expect(answers).toHaveLength(6)
    expect(await listed(order)).toHaveLength(6)
    expect(await read(order)).toMatchObject({ incomeCents: 32_100 })
    const extra = await entered(order, { costCents: 100 })
    const both = await Promise.all([decide(order, extra, 'approved'), decide(order, extra, 'refused', clerk)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('is told in the history of its order', async () => {
    const order = await priced()
    await approved(order, { priceCents: 4000, note: 'Ramp was closed' })
    const { body } = await anna.get(`audit-entries?orderId=${order.id}`)
    expect(body.items.map(({ action }: { action: string }) => action)).toEqual([
      'extraApproved',
      'extraAdded',
      'created',
    ])
    expect(body.items[0].changes).toEqual([{ path: 'extra.state', from: 'open', to: 'approved' }])
    expect(body.items[1].changes).toContainEqual({ path: 'extra.netPriceCents', from: null, to: 4000 })
  })

  it('keeps its route in the order, and goes with its order', async () => {
    const order = await twoLegs()
    await entered(order, { costCents: 100, routeId: order.routes[1]!.id })
    const { version } = await read(order)
    const saved = await anna.patch(`orders/${order.id}`, { routes: [{ id: order.routes[0]!.id }] }, { version })
    expect([saved.status, saved.body.code]).toEqual([409, 'in_use'])
    const plain = await make()
    await entered(plain, { priceCents: 100 })
    expect((await anna.delete(`orders/${plain.id}`)).status).toBe(204)
  })

  it('is not taken along by a copy', async () => {
    const order = await priced()
    await approved(order, { priceCents: 100 })
    const copy = await anna.post(`orders/${order.id}/duplicate`, {}, { version: order.version })
    expect(copy.status, JSON.stringify(copy.body)).toBe(201)
    expect(await listed(copy.body)).toEqual([])
  })
})

describe('extras of merged orders', () => {
  const source = () => make({ ...shipment(world), customerPriceCents: 50_000 })
  const merge = async (...orders: Order[]): Promise<Order> => {
    const { status, body } = await anna.post('orders/merge', {
      orderIds: orders.map(({ id }) => id),
      carrierCompanyId: world.carrier.id,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }

  it('go to the result and name the order that is billed; splitting it gives them back', async () => {
    const [first, second] = [await source(), await source()]
    await approved(first, { priceCents: 4000, costCents: 1000 })
    await entered(second, { kind: 'tolls', priceCents: 700 })
    const result = await merge(first, second)
    expect(await listed(result)).toMatchObject([
      { sourceOrder: { id: first.id, title: first.number }, state: 'approved', netPriceCents: 4000 },
      { sourceOrder: { id: second.id }, state: 'open' },
    ])
    expect(result.approvedExtras).toEqual([{ routeId: null, priceCents: 4000, costCents: 1000 }])
    expect((await read(first)).approvedExtras).toEqual([])
    // The source shows what is billed to it, and takes nothing more.
    expect(await listed(first)).toHaveLength(1)
    expect(faults(await enter(first, { priceCents: 1 }))).toEqual([409, 'status order_merged'])
    const back = await anna.post(`orders/${result.id}/unmerge`, {}, { version: result.version })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect(await listed(first)).toMatchObject([{ sourceOrder: null, netPriceCents: 4000 }])
    expect((await read(first)).approvedExtras).toEqual([{ routeId: null, priceCents: 4000, costCents: 1000 }])
    expect(await listed(result)).toEqual([])
    expect((await read(result)).approvedExtras).toEqual([])
  })

  it('name their source where the customer pays; one of the result’s own keeps it together', async () => {
    const [first, second] = [await source(), await source()]
    const result = await merge(first, second)
    expect(faults(await enter(result, { priceCents: 100 }))).toEqual([422, 'sourceOrderId required'])
    expect((await enter(result, { priceCents: 100, sourceOrderId: first.id })).status).toBe(201)
    expect((await read(result)).unmergeObstacles).toEqual([])
    await entered(result, { costCents: 100 })
    expect((await read(result)).unmergeObstacles).toEqual(['unmerge_edited'])
  })
})
