import { beforeAll, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { carried, exampleOrders, orderWorld, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let examples: Awaited<ReturnType<typeof exampleOrders>>

beforeAll(async () => {
  world = await orderWorld(test)
  examples = await exampleOrders(world)
})

const create = async (body: OrderInput, caller: Caller = test.admin): Promise<Order> => {
  const answer = await caller.post('orders', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const duplicate = (order: Order, body: object = {}, caller: Caller = test.admin) =>
  caller.post(`orders/${order.id}/duplicate`, body, { version: order.version })
const copied = async (order: Order, body: object = {}): Promise<Order> => {
  const answer = await duplicate(order, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const way = (order: Order) =>
  order.locations.map(({ kind, city, cargoActions }) => [
    kind,
    city,
    ...cargoActions.map(({ cargoId, action }) => `${action} ${order.cargo.findIndex(({ id }) => id === cargoId)}`),
  ])
const dates = (order: Order) =>
  order.locations.map(({ termin }) => termin && [termin.dateFrom, termin.timeFrom, termin.dateTo, termin.timeTo])

describe('a copy of an order', () => {
  it('is not made for who is not signed in, has another right, or may not know of it', async () => {
    const order = await create(examples['urgent van'].body)
    expect((await duplicate(order, {}, test.anonymous)).status).toBe(401)
    expect((await duplicate(order, {}, (await test.userWith('CUSTOMER_MANAGEMENT')).caller)).status).toBe(403)
    const assigned = await test.userWith('ASSIGNED_ORDERS')
    expect((await duplicate(order, {}, assigned.caller)).status).toBe(404)
    const { body: shared } = await test.admin.patch(
      `orders/${order.id}`,
      { managerIds: [assigned.id] },
      { version: order.version },
    )
    const made = await duplicate(shared, {}, assigned.caller)
    expect(made.status).toBe(201)
    expect(made.body.managerIds).toContain(assigned.id)
    expect((await assigned.caller.get(`orders/${made.body.id}`)).status).toBe(200)
  })

  it('is made of what was read, and of sensible wishes', async () => {
    const order = await create(examples['urgent van'].body)
    expect((await test.admin.post(`orders/${order.id}/duplicate`, {})).body.code).toBe('version_required')
    for (const wish of [
      { mode: 'swap' },
      { dates: 'guess' },
      { dates: 'keep', shiftDays: 0.5 },
      { dates: 'keep', shiftDays: 100_000 },
      { dates: 'drop', shiftDays: 7 },
    ])
      expect((await duplicate(order, wish)).status, JSON.stringify(wish)).toBe(422)
    await test.admin.patch(`orders/${order.id}`, { description: 'x' }, { version: order.version })
    expect((await duplicate(order)).body.code).toBe('stale_version')
  })

  it('moves no date out of the years that a date can have', async () => {
    const { locations, ...body } = examples['urgent van'].body
    for (const termin of [
      { kind: 'fix', dateFrom: '2999-12-31' },
      { kind: 'period', dateFrom: '2999-12-30', dateTo: '2999-12-31' },
    ] as const) {
      const order = await create({ ...body, locations: locations!.map((stop) => ({ ...stop, termin })) })
      const answer = await duplicate(order, { dates: 'keep', shiftDays: 1 })
      expect(answer.status, termin.kind).toBe(422)
      expect(answer.body.errors).toMatchObject([{ path: 'shiftDays', code: 'invalid_value' }])
    }
  })

  it('takes customers, cargo, stops and terms over, and nothing that happened', async () => {
    const order = await create({
      ...examples['chilled goods from two pick-ups'].body,
      routes: [carried(world)],
      originalMessage: 'Dear all …',
      internalComments: 'Called twice',
      invoiceText: 'PO on the invoice',
      description: 'Chilled',
      paymentPeriodDays: 21,
      isLiftRequired: true,
      customerOrderNumber: 'PF-1',
      deviations: ['CARRIER_LEVEL_1'],
      disposition: 'FOR_SALE',
    })
    const { body: scheduled } = await test.admin.post(`orders/${order.id}/status`, {
      to: 'scheduled',
      version: order.version,
    })
    expect(scheduled.status).toBe('scheduled')
    const answer = await duplicate(scheduled)
    const copy = answer.body as Order
    expect(answer.headers.location).toBe(`/api/orders/${copy.id}`)
    expect(copy.id).not.toBe(order.id)
    expect(copy.number).not.toBe(order.number)
    expect(copy).toMatchObject({
      status: 'new',
      customerIds: order.customerIds,
      billingCustomerId: order.billingCustomerId,
      departmentId: order.departmentId,
      customerPriceCents: 235_000,
      paymentPeriodDays: 21,
      isLiftRequired: true,
      invoiceText: 'PO on the invoice',
      description: 'Chilled',
      routes: [],
      originalMessage: null,
      internalComments: null,
      customerOrderNumber: null,
      deviations: [],
      disposition: null,
    })
    expect(way(copy)).toEqual(way(order))
    expect(dates(copy)).toEqual([null, null, null])
    expect(copy.locations.map(({ reference }) => reference)).toEqual([null, null, null])
    const { id: _id, customer: _customer, ...line } = copy.cargo[0]!
    expect(order.cargo[0]).toMatchObject(line)
    expect((await test.admin.get(`documents?orderId=${copy.id}`)).body.items).toEqual([])
    expect((await test.admin.get(`orders/${order.id}`)).body).toMatchObject({
      version: scheduled.version,
      status: 'scheduled',
    })
  })

  it('keeps the dates, as they are or moved', async () => {
    const order = await create(examples['steel beams, too heavy and without a price'].body)
    expect(dates(await copied(order, { dates: 'keep' }))).toEqual(dates(order))
    expect(dates(await copied(order, { dates: 'keep', shiftDays: 28 }))).toEqual([
      ['2026-12-28', null, '2027-01-01', null],
      ['2027-01-05', null, null, null],
    ])
    expect(dates(await copied(order, { dates: 'keep', shiftDays: -30 }))).toEqual([
      ['2026-10-31', null, '2026-11-04', null],
      ['2026-11-08', null, null, null],
    ])
  })

  it('leaves out what was canceled', async () => {
    const { cargo, locations, ...body } = examples['furniture for two drops'].body
    const order = await create({
      ...body,
      cargo: cargo!,
      locations: locations!.map((stop, index) =>
        index === 1 ? { ...stop, canceledAt: '2026-12-01T08:00:00Z' } : stop,
      ),
    })
    expect(way(await copied(order)).map(([, city]) => city)).toEqual(['Łódź', 'Frechen'])
    const whole = await create({ ...examples['urgent van'].body, routes: [carried(world)] })
    const { body: canceled } = await test.admin.post(`orders/${whole.id}/status`, {
      to: 'canceled',
      reason: 'by the customer',
      version: whole.version,
    })
    expect(way(await copied(canceled)).map(([, city]) => city)).toEqual(['Katowice', 'Ingolstadt'])
  })

  it('is made once, however often it is asked for with one key', async () => {
    const order = await create(examples['urgent van'].body)
    const send = () =>
      test.admin.post(
        `orders/${order.id}/duplicate`,
        {},
        { version: order.version, headers: { 'idempotency-key': 'copy-once' } },
      )
    expect((await send()).body.id).toBe((await send()).body.id)
  })
})

describe('a return load', () => {
  it('goes the other way: what was dropped off last is picked up first, without a price', async () => {
    const order = await create(examples['furniture for two drops'].body)
    const back = await copied(order, { mode: 'return' })
    expect(way(back)).toEqual([
      ['loading', 'Frechen', 'PICK_UP 1', 'PICK_UP 2'],
      ['loading', 'Bielefeld', 'PICK_UP 0'],
      ['unloading', 'Łódź', 'DROP_OFF 0', 'DROP_OFF 1', 'DROP_OFF 2'],
    ])
    expect(back).toMatchObject({
      customerPriceCents: null,
      customerVatBp: 0,
      customerIds: order.customerIds,
      status: 'new',
    })
    expect(back.locations[0]).toMatchObject({
      companyTitle: 'Wohnwelt Rhein GmbH',
      postal: '50226',
      timeZone: 'Europe/Berlin',
    })
    expect(dates(back)).toEqual([null, null, null])
  })

  it('keeps dates in the order in which they come', async () => {
    const order = await create(examples['part load to Basel over the customs'].body)
    const back = await copied(order, { mode: 'return', dates: 'keep', shiftDays: 7 })
    expect(back.locations.map(({ kind, city, termin }) => [kind, city, termin?.dateFrom ?? null])).toEqual([
      ['loading', 'Basel', '2026-12-03'],
      ['customs', 'Weil am Rhein', null],
      ['unloading', 'Wrocław', '2026-12-07'],
    ])
    expect(back.firstLoadingAt! < back.lastUnloadingAt!).toBe(true)
  })

  it('of one that was stored under an older rule says what is wrong with it now', async () => {
    const order = await create(examples['urgent van'].body)
    await test.database.pool.query(`update cargo set title = repeat('x', 5000) where "orderId" = $1`, [order.id])
    const answer = await duplicate(order)
    expect([answer.status, answer.body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'cargo.0.title', code: 'too_long' }),
    ])
  })
})
