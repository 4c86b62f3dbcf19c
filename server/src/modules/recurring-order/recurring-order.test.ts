import { beforeAll, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { RecurringOrder, RecurringOrders } from '@waybill/contract/order/recurring/recurring-order'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { findRecurringOrders, makeRecurringOrders } from './index.ts'

// A Monday; Wednesday is a holiday in Poland.
const test = useTestApp({ beginsOn: '2026-11-09T09:00:00Z' })
const DAY_MS = 86_400_000
let world: OrderWorld
let dispatcher: { caller: Caller; id: number }
let assigned: { caller: Caller; id: number }

beforeAll(async () => {
  world = await orderWorld(test)
  dispatcher = await test.userWith('ORDERS_MANAGEMENT')
  assigned = await test.userWith('ASSIGNED_ORDERS')
})

const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

let count = 0
/** Hamburg on Monday at eight, Poznań a day later at seven. */
async function order(more: Partial<OrderInput> = {}, caller = dispatcher.caller): Promise<Order> {
  const customerId = await world.customer(`Papierwerk ${(count += 1)}`, 'DE')
  const { status, body } = await caller.post('orders', plainOrder(world, customerId, { ...shipment(world), ...more }))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const schedule = (more: object = {}) => ({
  title: 'Hamburg – Poznań',
  weekdays: [1, 2, 3, 4, 5],
  fromDay: '2026-11-09',
  ...more,
})
const create = (orderId: number, more: object = {}, caller = dispatcher.caller): Promise<Answer> =>
  caller.post('recurring-orders', { ...schedule(), orderId, ...more })
async function recurring(more: object = {}, of: Partial<OrderInput> = {}, caller = dispatcher.caller) {
  const { status, body } = await create((await order(of, caller)).id, more, caller)
  expect(status, JSON.stringify(body)).toBe(201)
  return body as RecurringOrder
}
const change = (one: RecurringOrder, more: object, caller = dispatcher.caller): Promise<Answer> =>
  caller.put(`recurring-orders/${one.id}`, schedule(more), { version: one.version })
const act = (one: RecurringOrder, what: string, body: object = {}, caller = dispatcher.caller): Promise<Answer> =>
  caller.post(`recurring-orders/${one.id}/${what}`, body, { version: one.version })
async function done(answer: Promise<Answer>): Promise<RecurringOrder> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const read = async ({ id }: { id: number }, caller = dispatcher.caller): Promise<RecurringOrder> =>
  (await caller.get(`recurring-orders/${id}`)).body
const list = async (query: string, caller = dispatcher.caller): Promise<RecurringOrders> =>
  (await caller.get(`recurring-orders?${query}`)).body
const run = ({ id }: { id: number }) => makeRecurringOrders.handle(jobContext(test), { recurringOrderId: id })
/** As the job leaves it. */
async function ran(one: RecurringOrder): Promise<RecurringOrder> {
  await run(one)
  return read(one)
}
const daysOf = ({ made }: RecurringOrder): string[] => made.map(({ day }) => day).toSorted()
const orderOn = async (one: RecurringOrder, day: string): Promise<Order> => {
  const { order: made } = (await read(one)).made.find((planned) => planned.day === day)!
  return (await test.admin.get(`orders/${made.id}`)).body
}
/** Sessions end by the clock: who asks does it afterwards. */
async function later<Result>(days: number, work: () => Promise<Result>): Promise<Result> {
  test.clock.advance(days * DAY_MS)
  try {
    return await work()
  } finally {
    test.clock.advance(-days * DAY_MS)
  }
}

describe('a recurring order', () => {
  it('is made and seen by who may see the order, with the right to it', async () => {
    const [own, foreign] = [await order({}, assigned.caller), await order()]
    expect((await create(own.id, {}, test.anonymous)).status).toBe(401)
    expect((await create(own.id, {}, (await test.userWith('CUSTOMER_MANAGEMENT')).caller)).status).toBe(403)
    expect(faults(await create(foreign.id, {}, assigned.caller))).toEqual([422, 'orderId unknown_reference'])
    const mine = (await create(own.id, {}, assigned.caller)).body as RecurringOrder
    const theirs = await recurring()
    expect((await assigned.caller.get(`recurring-orders/${theirs.id}`)).status).toBe(404)
    for (const [what, body] of [
      ['state', { to: 'paused' }],
      ['take-over', {}],
      ['make', { day: '2026-11-16' }],
    ] as const)
      expect((await act(theirs, what, body, assigned.caller)).status, what).toBe(404)
    expect((await change(theirs, {}, assigned.caller)).status).toBe(404)
    expect((await list('', assigned.caller)).items.map(({ id }) => id)).toEqual([mine.id])
    expect((await list('')).items.map(({ id }) => id)).toEqual(expect.arrayContaining([mine.id, theirs.id]))
    expect((await test.admin.get(`audit-entries?recurringOrderId=${mine.id}`)).body.items).toMatchObject([
      { action: 'created' },
    ])
    expect((await assigned.caller.get(`audit-entries?recurringOrderId=${theirs.id}`)).status).toBe(404)
  })

  it('refuses what is no pattern, and names each place', async () => {
    const { id } = await order()
    const refused = async (more: object) => faults(await create(id, more))
    expect(await refused({ weekdays: [] })).toEqual([422, 'weekdays required'])
    expect((await refused({ weekdays: [8] }))[0]).toBe(422)
    expect((await refused({ everyWeeks: 5 }))[0]).toBe(422)
    expect((await refused({ daysAhead: 61 }))[0]).toBe(422)
    expect(await refused({ untilDay: '2026-11-08' })).toEqual([422, 'untilDay ends_before_start'])
    expect(await refused({ orderId: 999_999 })).toEqual([422, 'orderId unknown_reference'])
    const undriven = await order({ locations: [], cargo: [] })
    expect(faults(await create(undriven.id))).toEqual([422, 'orderId pick_up_and_drop_off_missing'])
  })

  it('is changed by the version that was read, and no more once it is ended', async () => {
    const made = await recurring()
    const paused = await done(act(made, 'state', { to: 'paused' }))
    expect(paused).toMatchObject({ state: 'paused', nextDay: null })
    expect((await act(made, 'state', { to: 'active' })).status).toBe(409)
    expect((await act(paused, 'state', { to: 'paused' })).body.code).toBe('conflict')
    const ended = await done(act(paused, 'state', { to: 'ended' }))
    expect((await change(ended, {})).body.code).toBe('conflict')
    expect((await act(ended, 'state', { to: 'active' })).body.code).toBe('conflict')
    expect((await act(ended, 'make', { day: '2026-11-16' })).body.code).toBe('conflict')
    expect(daysOf(await ran(ended))).toEqual([])
  })
})

describe('the orders of a pattern', () => {
  it('are made a week ahead without holidays, once, and know where they come from', async () => {
    const one = await ran(await recurring({}, { customerPriceCents: 148_000, internalComments: 'Ramp 4' }))
    // Tuesday's is unloaded on the Polish holiday; a week ahead is Monday, today is Monday.
    expect(daysOf(one)).toEqual(['2026-11-09', '2026-11-12', '2026-11-13', '2026-11-16'])
    expect(one).toMatchObject({ nextDay: '2026-11-17', madeCount: 4, lane: { unloadingAfterDays: 1 } })
    const made = await orderOn(one, '2026-11-12')
    expect(made).toMatchObject({
      status: 'new',
      creatorId: dispatcher.id,
      customerPriceCents: 148_000,
      internalComments: 'Ramp 4',
      routes: [],
      firstLoadingAt: '2026-11-12T07:00:00.000Z',
    })
    expect(made.managerIds).toContain(dispatcher.id)
    expect(made.locations.map(({ termin }) => [termin?.dateFrom, termin?.timeFrom])).toEqual([
      ['2026-11-12', '08:00'],
      ['2026-11-13', '07:00'],
    ])
    expect((await dispatcher.caller.get(`orders/${made.id}/recurring-order`)).body).toEqual({
      recurringOrder: { id: one.id, title: 'Hamburg – Poznań' },
    })
    expect((await dispatcher.caller.get(`orders/${one.source!.id}/recurring-order`)).body).toEqual({
      recurringOrder: null,
    })
    expect((await dispatcher.caller.get('orders/999999/recurring-order')).status).toBe(404)
    expect(await ran(one)).toEqual(one)
    await later(1, () => run(one))
    expect(daysOf(await read(one)).at(-1)).toBe('2026-11-17')
  })

  it('tell their customers where that is ticked; those of the time before it was asked go on telling', async () => {
    const mailsOf = async ({ id }: Order) =>
      ((await test.admin.get(`emails?orderId=${id}`)).body.items as Email[]).map(({ type }) => type)
    const quiet = await recurring({ daysAhead: 0 })
    expect(quiet.tellsCustomer).toBe(false)
    expect(daysOf(await ran(quiet))).toContain('2026-11-09')
    expect(await mailsOf(await orderOn(quiet, '2026-11-09'))).toEqual([])
    const telling = await recurring({ daysAhead: 0, tellsCustomer: true })
    await run(telling)
    expect(await mailsOf(await orderOn(telling, '2026-11-09'))).toEqual(['order_created'])
    await test.asOwner(`update recurring_order set "tellsCustomer" = default where id = ${quiet.id}`)
    expect((await read(quiet)).tellsCustomer).toBe(true)
  })

  it('are made once, also by two servers at the same moment', async () => {
    const one = await recurring()
    await Promise.all([run(one), run(one), run(one)])
    const { made } = await read(one)
    expect(new Set(made.map(({ day }) => day)).size).toBe(made.length)
    const customerId = one.customer.id
    // The order itself, and one for each day.
    expect((await dispatcher.caller.get(`orders?customerId[]=${customerId}`)).body.total).toBe(made.length + 1)
    await expect(
      test.database.pool.query(
        `insert into recurring_day ("recurringOrderId", day, "orderNumber", "madeAt") values ($1, $2, 'x', now())`,
        [one.id, made[0]!.day],
      ),
    ).rejects.toMatchObject({ constraint: 'conflict__recurring_day' })
  })

  it('are found each hour by the day of their company, and none for days that are over', async () => {
    const one = await recurring({ weekdays: [4], fromDay: '2026-11-01' })
    const far = await recurring({ weekdays: [5], fromDay: '2026-12-04' })
    const found: number[] = []
    const ctx = jobContext(test)
    const jobs = {
      enqueue: async (_ctx: unknown, _name: string, data: { recurringOrderId: number }) =>
        void found.push(data.recurringOrderId),
    }
    await findRecurringOrders.handle({ ...ctx, ports: { ...ctx.ports, jobs } as unknown as typeof ctx.ports }, {})
    expect(found).toContain(one.id)
    expect(found).not.toContain(far.id)
    // The server was away for two weeks.
    await later(15, () => run(one))
    expect(daysOf(await read(one))).toEqual(['2026-11-26'])
  })

  it('stay as they are when the pattern changes, and the pattern when its order does', async () => {
    const made = await order()
    const one = await ran((await create(made.id, { weekdays: [1] })).body)
    expect(daysOf(one)).toEqual(['2026-11-09', '2026-11-16'])
    expect(
      (await dispatcher.caller.patch(`orders/${made.id}`, { description: 'other' }, { version: made.version })).status,
    ).toBe(200)
    const changed = await ran(await done(change(one, { weekdays: [4], daysAhead: 11 })))
    expect(daysOf(changed)).toEqual(['2026-11-09', '2026-11-12', '2026-11-16', '2026-11-19'])
    expect((await orderOn(changed, '2026-11-19')).description).toBeNull()
    // Until somebody takes the template anew.
    const taken = await dispatcher.caller.put(
      `recurring-orders/${one.id}/template`,
      { orderId: made.id },
      { version: changed.version },
    )
    expect(taken.status).toBe(200)
    await later(7, () => run(one))
    expect((await orderOn(one, '2026-11-26')).description).toBe('other')
    expect((await orderOn(one, '2026-11-19')).description).toBeNull()
  })

  it('that were deleted are not made again unless somebody asks', async () => {
    const one = await ran(await recurring({ weekdays: [4] }))
    const made = await orderOn(one, '2026-11-12')
    expect((await test.admin.delete(`orders/${made.id}`, { version: made.version })).status).toBe(204)
    const gone = await ran(one)
    expect(gone.made).toEqual([{ day: '2026-11-12', order: { id: null, number: made.number }, isGone: true }])
    const again = await done(act(gone, 'make', { day: '2026-11-12' }))
    expect(again.made).toMatchObject([{ day: '2026-11-12', isGone: false }])
    expect((await act(again, 'make', { day: '2026-11-12' })).body.code).toBe('conflict')
  })

  it('of a day that is left out are made when somebody asks, in the name of who does', async () => {
    const one = await recurring({ weekdays: [2, 4], leftOut: ['2026-11-12'] })
    expect(daysOf(await ran(one))).toEqual([])
    expect(faults(await act(one, 'make', { day: '2026-11-08' }))).toEqual([422, 'day invalid_value'])
    const made = await done(act(one, 'make', { day: '2026-11-12' }, test.admin))
    expect(daysOf(made)).toEqual(['2026-11-12'])
    expect((await orderOn(made, '2026-11-12')).creatorId).not.toBe(dispatcher.id)
  })

  it('have carrier and cost where that is wanted, without driver and plate', async () => {
    const one = await ran(await recurring({ weekdays: [4], withRoutes: true }, { routes: [carried(world)] }))
    expect(one.template.routes).toMatchObject([{ carrierCompany: { id: world.carrier.id }, costCents: 90_000 }])
    const made = await orderOn(one, '2026-11-12')
    expect(made.routes).toMatchObject([
      {
        status: 'new',
        assignment: { carrierCompanyId: world.carrier.id, costCents: 90_000, drivers: [], plateNumber: null },
      },
    ])
    expect(made.routes[0]!.locationIds).toHaveLength(2)
  })
})

describe('a recurring order that makes nothing', () => {
  it('is to be followed up where nobody keeps it who may, until somebody takes it over', async () => {
    const keeper = await test.userWith('ORDERS_MANAGEMENT')
    const one = await recurring({ weekdays: [4] }, {}, keeper.caller)
    const { body: person } = await test.admin.get(`users/${keeper.id}`)
    expect(
      (await test.admin.patch(`users/${keeper.id}`, { state: 'inactive' }, { version: person.version })).status,
    ).toBe(200)
    expect(await ran(one)).toMatchObject({ made: [], fault: { reason: 'keeper' } })
    const { items } = await list('show=followUp')
    expect(items).toContainEqual(expect.objectContaining({ id: one.id, faultReason: 'keeper' }))
    const taken = await done(act(one, 'take-over'))
    expect(taken).toMatchObject({ keeper: { id: dispatcher.id }, fault: null })
    expect((await act(taken, 'take-over')).body.code).toBe('conflict')
    expect(daysOf(await ran(taken))).toEqual(['2026-11-12'])
  })

  it('is to be followed up with the reason where the order is refused, and goes on once it is mended', async () => {
    const one = await recurring({ weekdays: [4] })
    const stored = await test.database.pool.query('select template from recurring_order where id = $1', [one.id])
    const write = (template: object) =>
      test.database.pool.query('update recurring_order set template = $2 where id = $1', [one.id, template])
    await write({ ...stored.rows[0].template, contactPersonId: 999_999 })
    const refused = await ran(one)
    expect(refused).toMatchObject({ made: [], fault: { reason: 'refused', day: '2026-11-12' } })
    expect(refused.fault!.messages).toHaveLength(1)
    expect((await list('show=followUp')).items).toContainEqual(
      expect.objectContaining({ id: one.id, faultReason: 'refused' }),
    )
    await write(stored.rows[0].template)
    expect(await ran(one)).toMatchObject({ fault: null, madeCount: 1 })
  })

  it('is to be followed up where Waybill itself fails, which the log then tells, and tells of no refusal', async () => {
    const one = await recurring({ weekdays: [4] })
    const [ctx, told] = [jobContext(test), [] as unknown[]]
    ctx.log.error = (...given: unknown[]) => void told.push(given)
    const makeWith = async (change: string) => {
      await test.database.pool.query(`update recurring_order set template = ${change} where id = $1`, [one.id])
      await makeRecurringOrders.handle(ctx, { recurringOrderId: one.id })
      const { items } = await list('show=followUp')
      expect(items).toContainEqual(expect.objectContaining({ id: one.id, faultReason: 'refused' }))
    }
    await makeWith(`template || '{"contactPersonId": 999999}'`)
    expect(told).toEqual([])
    await makeWith(`template - 'locations'`)
    expect(told).toMatchObject([[{ id: one.id, err: expect.any(TypeError) }, expect.stringContaining('not made')]])
  })
})

it('recurring orders are listed by their next day, narrowed by state, customer and words', async () => {
  const own = await world.customer('Żywiec Napoje', 'PL')
  const stops = { customerIds: [own] }
  const [second, first] = [await recurring({ weekdays: [5] }, stops), await recurring({ weekdays: [1] }, stops)]
  const paused = await done(act(await recurring({}, stops), 'state', { to: 'paused' }))
  const ids = async (query: string) => (await list(query)).items.map(({ id }) => id)
  expect(await ids(`customerId=${own}`)).toEqual([first.id, second.id])
  expect(await ids(`customerId=${own}&show=all`)).toEqual([first.id, second.id, paused.id])
  expect(await ids(`customerId=${own}&show=paused`)).toEqual([paused.id])
  expect(await ids('q=zywiec poznan')).toEqual([first.id, second.id])
  expect((await list(`customerId=${own}`)).counts).toEqual({ active: 2, followUp: 0, paused: 1, ended: 0, all: 3 })
})
