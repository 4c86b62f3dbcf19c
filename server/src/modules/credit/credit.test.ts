import type { CreditRows, CustomerCredit } from '@waybill/contract/credit/credit'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

// Noon: the same day in Pago Pago, the next one in Kiritimati.
const test = useTestApp({ beginsOn: '2026-11-23T12:00:00Z' })
let world: OrderWorld
let clerk: Caller
let dispatcher: Caller

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  dispatcher = (await test.userWith('ORDERS_MANAGEMENT')).caller
})

const today = () => test.clock.now().toISOString().slice(0, 10)
const dayIn = (days: number) => new Date(test.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

const limited = (title: string, creditLimitCents: number | null, code: 'DE' | 'PL' = 'DE') =>
  world.customer(title, code, { creditLimitCents })

/** A planned carrier on it, so that nothing but the limit keeps it back. */
async function orderFor(customerId: number, customerPriceCents: number, more: Record<string, unknown> = {}) {
  const { status, body } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      routes: [carried(world)],
      customerPriceCents,
      customerVatBp: 0,
      ...more,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const schedule = (order: { id: number; version: number }, caller = dispatcher) =>
  caller.post(`orders/${order.id}/status`, { to: 'scheduled' }, { version: order.version })

const read = async (id: number) => (await dispatcher.get(`orders/${id}`)).body
const creditOf = async (id: number): Promise<CustomerCredit> => (await clerk.get(`customers/${id}/credit`)).body
const faults = (body: { errors?: { path: string; code: string }[] }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)

describe('credit limits', () => {
  it('show sums to who processes invoices alone, who lifts them; who looks after customers sets them', async () => {
    const id = await limited('Rechte GmbH', 100_000)
    const lift = { reason: 'Zahlt morgen', until: dayIn(3) }
    for (const caller of [dispatcher, (await test.userWith('CUSTOMER_MANAGEMENT')).caller]) {
      expect((await caller.get(`customers/${id}/credit`)).status).toBe(403)
      expect((await caller.post(`customers/${id}/credit-lifts`, lift)).status).toBe(403)
      expect((await caller.post('credit-lifts/1/end')).status).toBe(403)
    }
    expect((await clerk.get(`customers/${id}/credit-standing`)).status).toBe(403)
    expect((await clerk.patch(`customers/${id}`, { creditLimitCents: 1 }, { version: 1 })).status).toBe(403)
    for (const path of ['customers/999999/credit', 'customers/999999/credit-lifts', 'credit-lifts/999999/end'])
      expect(
        (await (path.endsWith('credit') ? clerk.get(path) : clerk.post(path, path.includes('lifts/') ? {} : lift)))
          .status,
      ).toBe(404)
    expect((await dispatcher.get('customers/999999/credit-standing')).status).toBe(404)
    const refused = await test.admin.patch(`customers/${id}`, { creditLimitCents: -1 }, { version: 1 })
    expect(faults(refused.body)?.[0]).toContain('creditLimitCents')
  })

  it('keep an order from being planned, not from being saved, and hold for nothing later', async () => {
    const id = await limited('Grenze GmbH', 100_000)
    const first = await orderFor(id, 79_999)
    expect(first.credit).toBe(null)
    const planned = await schedule(first)
    expect(planned.status, JSON.stringify(planned.body)).toBe(200)
    expect(planned.body.credit).toBe(null)
    const second = await orderFor(id, 20_001)
    expect((await read(second.id)).credit).toBe('near')
    const third = await orderFor(id, 20_002)
    expect(third.credit).toBe('over')
    const refused = await schedule(third)
    expect([refused.status, faults(refused.body)]).toEqual([422, ['billingCustomerId credit_limit']])
    const { body: obstacles } = await dispatcher.get(`orders/obstacles?to=scheduled&id[]=${third.id}`)
    expect(JSON.stringify(obstacles)).toContain('credit_limit')
    // Exactly the limit is within it.
    expect((await schedule(await read(second.id))).status).toBe(200)
    expect(await creditOf(id)).toMatchObject({
      limitCents: 100_000,
      openCents: 0,
      deliveredCents: 0,
      underWayCents: 100_000,
      usedCents: 100_000,
      standing: 'near',
    })
    // What is planned goes on, whatever else there is.
    const at = test.clock.now().toISOString()
    const moved = await dispatcher.post(
      `orders/${first.id}/status`,
      { to: 'in_transit', at },
      { version: planned.body.version },
    )
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  })

  it('say near or over while an order is entered, its price with VAT included, and no sum', async () => {
    const id = await limited('Eingabe GmbH', 100_000)
    const standing = async (query: string) =>
      (await dispatcher.get(`customers/${id}/credit-standing${query}`)).body as object
    expect(await standing('')).toEqual({ standing: null })
    expect(await standing('?netCents=79999&vatBp=0')).toEqual({ standing: null })
    expect(await standing('?netCents=80000&vatBp=0')).toEqual({ standing: 'near' })
    // 19 % of Germany, where one of our companies is
    expect(await standing('?netCents=84034')).toEqual({ standing: 'near' })
    expect(await standing('?netCents=84035')).toEqual({ standing: 'over' })
    expect(await standing('?netCents=84034&vatBp=1900')).toEqual({ standing: 'near' })
    expect((await dispatcher.get(`customers/${id}/for-order`)).body.hasCreditLimit).toBe(true)
    const free = await limited('Ohne Limit GmbH', null)
    expect((await dispatcher.get(`customers/${free}/credit-standing?netCents=99999999999`)).body).toEqual({
      standing: null,
    })
    expect((await dispatcher.get(`customers/${id}/credit-standing?netCents=-5`)).status).toBe(422)
  })

  it('count what is billed once: the invoice in place of the order, until it is paid', async () => {
    const id = await limited('Weg GmbH', 100_000)
    const order = await orderFor(id, 60_000)
    const planned = (await schedule(order)).body
    expect(await creditOf(id)).toMatchObject({ underWayCents: 60_000, usedCents: 60_000 })
    const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: 60_000, vatBp: 0, vatCategory: 'Z' }
    const { body: draft } = await clerk.post('invoices', {
      entityType: 'customer',
      orderIds: [planned.id],
      lines: [{ ...line, orderId: planned.id }],
    })
    expect(await creditOf(id)).toMatchObject({ openCents: 0, usedCents: 60_000 })
    const { body: sent } = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
    expect(await creditOf(id)).toMatchObject({ openCents: 60_000, underWayCents: 0, usedCents: 60_000 })
    const paid = await clerk.post('payments', {
      companyId: sent.companyId,
      customerId: id,
      valueDate: today(),
      amountCents: 60_000,
      shares: [{ invoiceId: sent.id, amountCents: 60_000 }],
    })
    expect(paid.status, JSON.stringify(paid.body)).toBe(201)
    expect(await creditOf(id)).toMatchObject({ openCents: 0, usedCents: 0, standing: null })
  })

  it('stand beside what customers owe, of those that have one', async () => {
    const billed = async (title: string, limit: number | null) => {
      const id = await limited(title, limit)
      const order = await orderFor(id, 90_000)
      const { body: draft } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
      const sent = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
      expect(sent.status, JSON.stringify(sent.body)).toBe(200)
      return { id, companyId: sent.body.companyId as number }
    }
    const near = await billed('Offen Nahe GmbH', 100_000)
    const over = await billed('Offen Drüber GmbH', 50_000)
    const free = await billed('Offen Frei GmbH', null)
    const silent = await limited('Schuldet Nichts GmbH', 100_000)
    const path = 'open-items/credit'
    expect((await dispatcher.get(path)).status).toBe(403)
    const { items } = (await clerk.get<CreditRows>(path)).body
    expect(items.filter(({ customerId }) => [near.id, over.id, free.id, silent].includes(customerId))).toEqual([
      { customerId: near.id, limitCents: 100_000, usedCents: 90_000, standing: 'near' },
      { customerId: over.id, limitCents: 50_000, usedCents: 90_000, standing: 'over' },
    ])
    const elsewhere = await test.admin.get(path, { headers: { 'group-filter': '999999' } })
    expect(elsewhere.body.items).toEqual([])
  })

  it('come to the same beside all debtors as alone, whatever became of an order', { tags: 'long' }, async () => {
    const id = await limited('Buchführung GmbH', 10_000_000)
    const [owed, first, second] = [await orderFor(id, 100), await orderFor(id, 20_000), await orderFor(id, 3_000_000)]
    const billed = async (orderId: number) => {
      const { body: draft } = await clerk.post('invoices', { entityType: 'customer', orderIds: [orderId] })
      const { body } = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
      return body as { id: number; version: number }
    }
    await billed(owed.id)
    const used = async () => {
      const alone = (await creditOf(id)).usedCents
      const { items } = (await clerk.get<CreditRows>('open-items/credit')).body
      expect(items.find(({ customerId }) => customerId === id)?.usedCents).toBe(alone)
      return alone
    }
    const move = async (order: { id: number }, to: string) => {
      const { version } = await read(order.id)
      const { status, body } = await test.admin.post(`orders/${order.id}/status`, { to, reason: 'x' }, { version })
      expect(status, JSON.stringify(body)).toBe(200)
    }
    expect(await used()).toBe(100)
    await move(first, 'scheduled')
    await move(second, 'scheduled')
    expect(await used()).toBe(3_020_100)
    // Billed, it is owed; taken back, it waits again.
    const invoice = await billed(first.id)
    expect(await used()).toBe(3_020_100)
    const { body: correction } = await clerk.post(
      `invoices/${invoice.id}/correction`,
      { reason: 'Storno' },
      { version: invoice.version },
    )
    const sent = await clerk.post(`invoices/${correction.id}/status`, { to: 'sent' }, { version: correction.version })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(await used()).toBe(3_020_100)
    await move(second, 'canceled')
    expect(await used()).toBe(20_100)
    await move(second, 'new')
    await move(second, 'scheduled')
    expect(await used()).toBe(3_020_100)
    // A merge’s result carries its sources, which count once.
    const sources = [await orderFor(id, 5000, { routes: [] }), await orderFor(id, 6000, { routes: [] })]
    const { status, body: merged } = await test.admin.post('orders/merge', {
      orderIds: sources.map((order) => order.id),
      carrierCompanyId: world.carrier.id,
    })
    expect(status, JSON.stringify(merged)).toBe(201)
    expect(await used()).toBe(3_020_100)
    await move(merged, 'scheduled')
    expect(await used()).toBe(3_031_100)
  })

  it('are lifted until a day with a reason, and end by themselves or by hand', async () => {
    const id = await limited('Aufhebung GmbH', 1000)
    const order = await orderFor(id, 50_000)
    const path = `customers/${id}/credit-lifts`
    for (const [body, fault] of [
      [{ reason: 'x', until: dayIn(-1) }, 'until in_the_past'],
      [{ reason: 'x', until: dayIn(91) }, 'until lift_too_long'],
      [{ reason: ' ', until: dayIn(1) }, 'reason required'],
    ] as const)
      expect(faults((await clerk.post(path, body)).body)).toEqual([fault])
    const free = await limited('Frei GmbH', null)
    expect((await clerk.post(`customers/${free}/credit-lifts`, { reason: 'x', until: today() })).status).toBe(409)

    const lifted = await clerk.post<CustomerCredit>(path, { reason: 'Zahlt morgen', until: dayIn(2) })
    expect([lifted.status, lifted.body.lift?.reason]).toEqual([201, 'Zahlt morgen'])
    expect((await read(order.id)).credit).toBe('near')
    const ended = await clerk.post(`credit-lifts/${lifted.body.lift!.id}/end`)
    expect([ended.status, ended.body.lift]).toEqual([200, null])
    expect((await clerk.post(`credit-lifts/${lifted.body.lift!.id}/end`)).status).toBe(409)
    expect((await schedule(order)).status).toBe(422)
    const again = await Promise.all([1, 2].map((n) => clerk.post(path, { reason: `Zusage ${n}`, until: dayIn(2) })))
    expect(again.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
    const { rows } = await test.database.pool.query(
      `select count(*)::int as count from credit_lift where "customerId" = $1 and "endedAt" is null`,
      [id],
    )
    expect(rows[0].count).toBe(1)
    expect((await schedule(order)).status).toBe(200)
    const { body: history } = await test.admin.get(`audit-entries?customerId=${id}`)
    const actions = history.items.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['creditLifted', 'creditLiftEnded']))
  })

  it('are lifted until the day is over where our company is, whatever day it is elsewhere', async () => {
    const id = await limited('Mitternacht GmbH', 100)
    const order = await orderFor(id, 10_000)
    const company = (await test.admin.get('companies')).body.items[0]
    const moveTo = async (timeZone: string) => {
      const { version } = (await test.admin.get(`companies/${company.id}`)).body
      expect((await test.admin.patch(`companies/${company.id}`, { timeZone }, { version })).status).toBe(200)
    }
    const path = `customers/${id}/credit-lifts`
    await moveTo('Pacific/Kiritimati')
    const lift = { reason: 'Heute noch', until: today() }
    expect(faults((await clerk.post(path, lift)).body)).toEqual(['until in_the_past'])
    await moveTo('Pacific/Pago_Pago')
    expect((await clerk.post(path, lift)).status).toBe(201)
    await moveTo('Pacific/Kiritimati')
    expect(await creditOf(id)).toMatchObject({ lift: null })
    expect((await schedule(order)).status).toBe(422)
    await moveTo('Pacific/Pago_Pago')
    expect(await creditOf(id)).toMatchObject({ lift: { until: today() } })
    expect((await schedule(order)).status).toBe(200)
    await moveTo(company.timeZone)
  })

  it('are asked of each source’s customer before a merge, and of its result', async () => {
    const near = await limited('Quelle Eins GmbH', 100_000)
    const other = await limited('Quelle Zwei GmbH', 100_000)
    const plain = (customerId: number, cents: number) => orderFor(customerId, cents, { routes: [] })
    const orders = [await plain(near, 60_000), await plain(near, 60_000), await plain(other, 10_000)]
    const merge = (ids: number[]) =>
      test.admin.post('orders/merge', { orderIds: ids, carrierCompanyId: world.carrier.id })
    // Each alone is within the limit; both together are not.
    expect(orders.map(({ credit }) => credit)).toEqual([null, null, null])
    const refused = await merge(orders.map(({ id }) => id))
    expect([refused.status, faults(refused.body)]).toEqual([
      422,
      ['orderIds.0 credit_limit', 'orderIds.1 credit_limit'],
    ])
    const merged = await merge([orders[0].id, orders[2].id])
    expect(merged.status, JSON.stringify(merged.body)).toBe(201)
    expect(merged.body.credit).toBe(null)
    // Meanwhile the customer's limit is lowered: the result is kept back, and counts once when it is planned.
    const change = async (creditLimitCents: number) => {
      const { version } = (await test.admin.get(`customers/${near}`)).body
      await test.admin.patch(`customers/${near}`, { creditLimitCents }, { version })
    }
    await change(50_000)
    expect(faults((await schedule(await read(merged.body.id))).body)).toEqual(['billingCustomerId credit_limit'])
    await change(60_000)
    expect((await schedule(await read(merged.body.id))).status).toBe(200)
    expect([(await creditOf(near)).usedCents, (await creditOf(other)).usedCents]).toEqual([60_000, 10_000])
  })
})
