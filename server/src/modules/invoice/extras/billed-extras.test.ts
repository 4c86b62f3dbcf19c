import { beforeAll, describe, expect, it } from 'vitest'
import type { InvoiceCheck } from '@waybill/contract/invoice/checking'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import type { Extra } from '@waybill/contract/order/extra'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
let clerk: Caller
let other: Caller

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  other = (await app.userWith('INVOICES_PROCESSING')).caller
})

async function make(more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await app.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 120_000, ...more }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const carriedOrder = () => make({ routes: [{ ...carried(world), locationKeys: ['from', 'to'] }] })

async function entered(order: { id: number }, body: object): Promise<Extra> {
  const answer = await app.admin.post(`orders/${order.id}/extras`, { kind: 'waiting_time', ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const decide = (order: { id: number }, { id, version }: Extra, to: string): Promise<Answer> =>
  clerk.post(`orders/${order.id}/extras/${id}/state`, { to }, { version })
const approved = async (order: { id: number }, body: object): Promise<Extra> =>
  (await decide(order, await entered(order, body), 'approved')).body
const extrasOf = async (order: { id: number }): Promise<Extra[]> =>
  (await clerk.get(`orders/${order.id}/extras`)).body.items
const read = async (order: { id: number }): Promise<Order> => (await app.admin.get(`orders/${order.id}`)).body

const bill = (...orderIds: number[]): Promise<Answer> => clerk.post('invoices', { entityType: 'customer', orderIds })
async function billed(...orders: { id: number }[]): Promise<Invoice> {
  const { status, body } = await bill(...orders.map(({ id }) => id))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
const move = (invoice: { id: number; version: number }, to: string, reason: string | null = null): Promise<Answer> =>
  clerk.post(`invoices/${invoice.id}/status`, { to, reason }, { version: invoice.version })

describe('a customer’s invoice of extras', () => {
  it('refuses a line of an extra that is open, not the customer’s, of another order, or billed already', async () => {
    const order = await make()
    const foreign = await approved(await make(), { priceCents: 500 })
    const open = await entered(order, { priceCents: 500 })
    const costs = await approved(order, { costCents: 500 })
    const line = { text: 'Waiting', unitPriceCents: 500, vatBp: 1900, vatCategory: 'S', orderId: order.id }
    for (const { id } of [open, costs, foreign]) {
      const body = { entityType: 'customer', orderIds: [order.id], lines: [{ ...line, extraId: id }] }
      expect(faults(await clerk.post('invoices', body))).toEqual([422, 'lines.0.extraId extra_not_approved'])
    }
    const extra = (await decide(order, open, 'approved')).body
    const both = {
      entityType: 'customer',
      orderIds: [order.id],
      lines: [0, 1].map(() => ({ ...line, extraId: extra.id })),
    }
    expect(faults(await clerk.post('invoices', both))).toEqual([422, 'lines.1.extraId duplicate_key'])
    const once = { ...both, lines: both.lines.slice(1) }
    const answers = await Promise.all([clerk.post('invoices', once), other.post('invoices', once)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(faults(answers.find(({ status }) => status === 409)!)).toEqual([409, 'lines extra_billed'])
  })

  it('has the freight first, then what is approved and the customer’s, with the VAT of the freight', async () => {
    const order = await make()
    const extra = await approved(order, { quantity: 2.5, unit: 'hour', priceCents: 4250 })
    const own = await approved(order, { kind: 'tolls', text: 'Toll Tauern tunnel', priceCents: 1400, costCents: 1400 })
    await approved(order, { costCents: 700 })
    await entered(order, { priceCents: 900 })
    const invoice = await billed(order)
    const vat = { vatBp: 1900, vatCategory: 'S', orderId: order.id }
    expect(invoice.lines).toMatchObject([
      { ...vat, kind: 'freight', netCents: 120_000, extraId: null },
      { ...vat, kind: 'extra', text: `Standzeit ${order.number} (Stunden)`, netCents: 10_625, extraId: extra.id },
      { ...vat, kind: 'extra', text: 'Toll Tauern tunnel', netCents: 1400, extraId: own.id },
    ])
    expect(invoice.amountCents).toBe(132_025)
  })

  it('keeps what it bills from being changed, until it is canceled', async () => {
    const order = await make()
    const extra = await approved(order, { priceCents: 4000 })
    const invoice = await billed(order)
    expect(await extrasOf(order)).toMatchObject([{ isBilled: true, invoice: { id: invoice.id } }])
    expect(faults(await decide(order, extra, 'open'))).toEqual([409, 'state extra_billed'])
    await expect(
      app.database.pool.query(`update order_extra set "priceCents" = 1 where id = $1`, [extra.id]),
    ).rejects.toMatchObject({ constraint: 'conflict__state__extra_billed' })
    await expect(app.database.pool.query('delete from order_extra where id = $1', [extra.id])).rejects.toMatchObject({
      constraint: 'conflict__state__extra_billed',
    })
    // Who sees orders and no invoices learns that it is billed, not where.
    const worker = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await worker.get(`orders/${order.id}/extras`)).body.items).toMatchObject([
      { isBilled: true, invoice: null },
    ])
    expect((await move(invoice, 'canceled')).status).toBe(200)
    expect(await extrasOf(order)).toMatchObject([{ isBilled: false, invoice: null }])
    expect((await billed(order)).lines).toHaveLength(2)
  })

  it('taken back by its correction frees them after sending, too', async () => {
    const order = await make()
    await approved(order, { priceCents: 4000 })
    const invoice = await billed(order)
    const sent = await move(invoice, 'sent')
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const correction = await clerk.post(
      `invoices/${invoice.id}/correction`,
      { reason: 'Wrong recipient' },
      { version: sent.body.version },
    )
    expect(correction.status, JSON.stringify(correction.body)).toBe(201)
    expect(correction.body.lines.map(({ extraId }: { extraId: number | null }) => extraId)).toEqual([null, null])
    expect((await extrasOf(order))[0]!.isBilled).toBe(true)
    expect((await move(correction.body, 'sent')).status).toBe(200)
    expect((await extrasOf(order))[0]!.isBilled).toBe(false)
    expect((await billed(order)).amountCents).toBe(124_000)
  })

  it('that comes later has the late extras alone; without any the freight is refused as before', async () => {
    const order = await make()
    await billed(order)
    expect((await bill(order.id)).body.code).toBe('already_invoiced')
    const late = await approved(order, { kind: 'tolls', priceCents: 900 })
    expect((await billed(order)).lines).toMatchObject([{ kind: 'extra', extraId: late.id, netCents: 900 }])
    expect((await bill(order.id)).body.code).toBe('already_invoiced')
  })

  it('of a canceled order has its cancellation fee alone', async () => {
    const order = await make()
    const canceled = await app.admin.post(
      `orders/${order.id}/status`,
      { to: 'canceled', reason: 'No truck' },
      { version: order.version },
    )
    expect(canceled.status).toBe(200)
    expect(faults(await bill(order.id))).toEqual([422, 'orderIds.0 order_canceled'])
    await approved(order, { kind: 'cancellation', priceCents: 20_000 })
    expect((await billed(order)).lines).toMatchObject([{ kind: 'extra', netCents: 20_000 }])
  })

  it('of a merge’s source has what the result carries for it', async () => {
    const payer = await world.customer('Kaltenbach Gemüse GmbH', 'DE')
    const [first, second] = [await make(), await make({ customerIds: [payer] })]
    const result = await app.admin.post('orders/merge', {
      orderIds: [first.id, second.id],
      carrierCompanyId: world.carrier.id,
    })
    const extra = await approved(result.body, { priceCents: 800, costCents: 600, sourceOrderId: second.id })
    expect((await billed(first)).lines).toHaveLength(1)
    const invoice = await billed(second)
    expect(invoice.billingCustomerId).toBe(payer)
    expect(invoice.lines).toMatchObject([{ kind: 'freight' }, { extraId: extra.id, orderId: second.id, netCents: 800 }])
    // The margin counts it on the result, once.
    expect((await read(result.body)).approvedExtras).toEqual([{ routeId: null, priceCents: 800, costCents: 600 }])
    expect((await read(second)).approvedExtras).toEqual([])
  })
})

describe('a carrier’s invoice with extras', () => {
  const today = () => app.clock.now().toISOString().slice(0, 10)
  let numbers = 0
  async function received(order: Order, amountCents: number, more: object = {}): Promise<InvoiceCheck> {
    const made = await clerk.post('invoices', {
      entityType: 'carrier',
      carrierCompanyId: world.carrier.id,
      orderIds: [order.id],
      number: `FV/X/${(numbers += 1)}`,
      amountCents,
      vatBp: 0,
      documentCreationDate: today(),
      ...more,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return (await clerk.get(`invoices/${made.body.id}/check`)).body
  }
  const amountOf = (check: InvoiceCheck) => check.checks.find(({ key }) => key === 'amount')!
  const approve = (check: InvoiceCheck, amount: string | null, caller = clerk): Promise<Answer> =>
    caller.post(
      `invoices/${check.id}/approve`,
      { seen: check.seen, answers: { amount }, reason: 'As telephoned' },
      { version: check.version },
    )

  it('is compared with agreed cost and approved extras of its route', async () => {
    const order = await carriedOrder()
    await approved(order, { costCents: 8500 })
    await entered(order, { kind: 'tolls', costCents: 300 })
    const check = await received(order, 98_500)
    expect(amountOf(check).expected).toMatchObject({ says: 'amountAgreed', values: { agreedCents: 98_500 } })
    expect(check.margin).toMatchObject({ before: { incomeCents: 21_500 }, after: { incomeCents: 21_500 } })
    const routes = await clerk.get(
      `invoices/carrier-routes?carrierCompanyId=${world.carrier.id}&ids[]=${order.routes[0]!.id}`,
    )
    expect(routes.body.items).toMatchObject([{ agreedCents: 98_500, invoicedCents: 98_500 }])
    expect((await clerk.get(`invoices/${check.id}`)).body.invoicedRoutes).toMatchObject([{ differenceCents: 0 }])
  })

  it('books the answered difference on the order; taking the approval back takes it back', async () => {
    const order = await carriedOrder()
    const check = await received(order, 98_500)
    expect(amountOf(check).expected.values).toMatchObject({ differenceCents: 8500 })
    expect((await approve(check, null)).status).toBe(422)
    const done = await approve(check, 'tolls')
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    const booked = {
      kind: 'tolls',
      state: 'approved',
      netCostCents: 8500,
      priceCents: null,
      note: 'As telephoned',
      routeId: order.routes[0]!.id,
    }
    expect(await extrasOf(order)).toMatchObject([booked])
    expect(await read(order)).toMatchObject({ incomeCents: 21_500, carrierCostCents: 90_000, version: order.version })
    expect(amountOf(done.body).expected.says).toBe('amountAgreed')
    expect((await other.post(`invoices/${check.id}/approve/undo`, {}, { version: done.body.version })).status).toBe(409)
    expect(await extrasOf(order)).toHaveLength(1)
    const back = await clerk.post(`invoices/${check.id}/approve/undo`, {}, { version: done.body.version })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect(await extrasOf(order)).toEqual([])
    expect(await read(order)).toMatchObject({ incomeCents: 30_000 })
    const { body } = await app.admin.get(`audit-entries?orderId=${order.id}`)
    expect(body.items.map(({ action }: { action: string }) => action)).toEqual([
      'extraRemoved',
      'extraBooked',
      'created',
    ])
  })

  it('over several routes books each difference where it belongs; less than agreed is a deduction', async () => {
    const [first, second] = [await carriedOrder(), await carriedOrder()]
    const check = await received(first, 176_000, {
      orderIds: [],
      allocations: [
        { routeId: first.routes[0]!.id, netCents: 85_000 },
        { routeId: second.routes[0]!.id, netCents: 91_000 },
      ],
    })
    expect((await approve(check, 'deduction')).status).toBe(200)
    expect(await extrasOf(first)).toMatchObject([{ kind: 'deduction', netCostCents: -5000 }])
    expect(await extrasOf(second)).toMatchObject([{ kind: 'deduction', netCostCents: 1000 }])
    expect([(await read(first)).incomeCents, (await read(second)).incomeCents]).toEqual([35_000, 29_000])
  })

  const given = (carrierCompanyId: number, costCents: number | null) => ({
    assignment: { carrierCompanyId, costCents, vatBp: 0 },
  })

  it('over routes of which one has no agreed cost books its share there; taking it back takes that back', async () => {
    const [agreed, open] = [
      await carriedOrder(),
      await make({ routes: [{ ...given(world.carrier.id, null), locationKeys: ['from', 'to'] }] }),
    ]
    const body = {
      orderIds: [],
      allocations: [
        { routeId: agreed.routes[0]!.id, netCents: 90_000 },
        { routeId: open.routes[0]!.id, netCents: 20_000 },
      ],
    }
    const check = await received(agreed, 110_000, body)
    expect(amountOf(check).expected).toMatchObject({ says: 'amountDiffers', values: { differenceCents: 20_000 } })
    const done = await approve(check, 'waiting')
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    expect(await extrasOf(agreed)).toEqual([])
    expect(await extrasOf(open)).toMatchObject([{ kind: 'waiting_time', netCostCents: 20_000, state: 'approved' }])
    expect(amountOf(done.body).expected.says).toBe('amountAgreed')
    // The next one for both is compared with what stands there by now.
    const next = await received(agreed, 500, {
      orderIds: [],
      allocations: [
        { routeId: agreed.routes[0]!.id, netCents: 300 },
        { routeId: open.routes[0]!.id, netCents: 200 },
      ],
    })
    expect(amountOf(next).expected.values).toMatchObject({ agreedCents: 0, differenceCents: 500 })
    const back = await clerk.post(`invoices/${check.id}/approve/undo`, {}, { version: done.body.version })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect(await extrasOf(open)).toEqual([])
  })

  it('for routes without any agreed cost asks for no difference, and books none', async () => {
    const open = await make({ routes: [{ ...given(world.carrier.id, null), locationKeys: ['from', 'to'] }] })
    const check = await received(open, 20_000, { routeId: open.routes[0]!.id })
    expect(amountOf(check)).toMatchObject({ expected: { says: 'amountOpen' } })
    expect(amountOf(check)).not.toHaveProperty('answer')
    expect((await approve(check, null)).status).toBe(200)
    expect(await extrasOf(open)).toEqual([])
  })

  it('books on a route that another carrier drives by now, and owes that one nothing of it', async () => {
    const next = await app.admin.post('carrier-companies', { title: 'Elbtal Cargo', countryId: world.countries.DE })
    const [agreed, left] = [await carriedOrder(), await carriedOrder()]
    const { id, locationIds } = left.routes[0]!
    const passed = await app.admin.patch(
      `orders/${left.id}`,
      { routes: [{ id, locationIds, ...given(next.body.id, 80_000) }] },
      { version: left.version },
    )
    expect(passed.status, JSON.stringify(passed.body)).toBe(200)
    const check = await received(agreed, 97_000, {
      orderIds: [],
      allocations: [
        { routeId: agreed.routes[0]!.id, netCents: 90_000 },
        { routeId: id, netCents: 7_000 },
      ],
    })
    const before = (await read(left)).incomeCents!
    expect((await approve(check, 'waiting')).status).toBe(200)
    expect(await extrasOf(left)).toMatchObject([{ netCostCents: 7_000, routeId: id }])
    expect((await read(left)).incomeCents).toBe(before - 7_000)
    const theirs = await received(left, 80_000, { carrierCompanyId: next.body.id, routeId: id })
    expect(amountOf(theirs).expected).toMatchObject({ says: 'amountAgreed', values: { agreedCents: 80_000 } })
  })

  it('that fits books nothing, and one more for the same route is a difference of its own', async () => {
    const order = await carriedOrder()
    const check = await received(order, 90_000)
    expect((await approve(check, null)).status).toBe(200)
    expect(await extrasOf(order)).toEqual([])
    const again = await received(order, 4000)
    expect(amountOf(again).expected.values).toMatchObject({ agreedCents: 0, differenceCents: 4000 })
    expect((await approve(again, 'waiting')).status).toBe(200)
    expect(await extrasOf(order)).toMatchObject([{ kind: 'waiting_time', netCostCents: 4000 }])
  })

  it('whose booked extra the customer pays already cannot be taken back', async () => {
    const order = await carriedOrder()
    const check = await received(order, 95_000)
    const done = await approve(check, 'waiting')
    const [booked] = await extrasOf(order)
    const open = await decide(order, booked!, 'open')
    const changed = await app.admin.put(
      `orders/${order.id}/extras/${booked!.id}`,
      { kind: 'waiting_time', priceCents: 6000, costCents: 5000, routeId: booked!.routeId },
      { version: open.body.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    await decide(order, changed.body, 'approved')
    await billed(order)
    const back = await clerk.post(`invoices/${check.id}/approve/undo`, {}, { version: done.body.version })
    expect(faults(back)).toEqual([409, 'state extra_billed'])
    expect((await clerk.get(`invoices/${check.id}`)).body.status).toBe('approved')
  })

  const hold = ({ id, version }: { id: number; version: number }): Promise<Answer> =>
    clerk.post(`invoices/${id}/problem`, { kind: 'amount', text: 'Too much after all' }, { version })

  it.each(['by the check', 'by its status'])(
    'set aside %s takes what was booked back, canceled and sent anew',
    async (way) => {
      const order = await carriedOrder()
      const check = await received(order, 95_000)
      const done = await approve(check, 'waiting')
      expect(await read(order)).toMatchObject({ incomeCents: 25_000 })
      const held =
        way === 'by the check' ? await hold(done.body) : await move(done.body, 'in_progress', 'Too much after all')
      expect(held.status, JSON.stringify(held.body)).toBe(200)
      expect(await extrasOf(order)).toEqual([])
      expect(await read(order)).toMatchObject({ incomeCents: 30_000 })
      const seen = (await clerk.get(`invoices/${check.id}/check`)).body
      expect(seen).toMatchObject({ differenceKind: null, approvalReason: null })
      const canceled = await move((await clerk.get(`invoices/${check.id}`)).body, 'canceled')
      expect(canceled.status, JSON.stringify(canceled.body)).toBe(200)
      // A better one, of what was agreed, is no difference.
      expect(amountOf(await received(order, 90_000)).expected.says).toBe('amountAgreed')
      expect(await read(order)).toMatchObject({ incomeCents: 30_000 })
    },
  )

  it('is not set aside while the customer pays what it has booked', async () => {
    const order = await carriedOrder()
    const check = await received(order, 95_000)
    const done = await approve(check, 'waiting')
    const [booked] = await extrasOf(order)
    const open = await decide(order, booked!, 'open')
    const changed = await app.admin.put(
      `orders/${order.id}/extras/${booked!.id}`,
      { kind: 'waiting_time', priceCents: 6000, costCents: 5000, routeId: booked!.routeId },
      { version: open.body.version },
    )
    await decide(order, changed.body, 'approved')
    await billed(order)
    const refused = await hold(done.body)
    expect(faults(refused)).toEqual([409, 'state extra_billed'])
    expect(refused.body.errors[0].message).toContain('invoice')
    expect(faults(await move(done.body, 'in_progress', 'Too much'))).toEqual([409, 'state extra_billed'])
    expect((await clerk.get(`invoices/${check.id}`)).body.status).toBe('approved')
    expect(await extrasOf(order)).toHaveLength(1)
  })
})

describe('extras that wait', () => {
  const waiting = async (invoiceId: number) => (await clerk.get(`invoices/${invoiceId}/extras`)).body.items

  it('are told to who processes invoices, of an invoice that is there', async () => {
    const invoice = await billed(await make())
    const { caller } = await app.userWith('ORDERS_MANAGEMENT')
    const headers = { 'group-filter': '999999' }
    expect((await app.anonymous.get(`invoices/${invoice.id}/extras`)).status).toBe(401)
    expect((await caller.get(`invoices/${invoice.id}/extras`)).status).toBe(403)
    expect((await app.admin.get(`invoices/${invoice.id}/extras`, { headers })).status).toBe(404)
    expect((await clerk.get('invoices/999999/extras')).status).toBe(404)
  })

  it('of a customer’s invoice are open ones, and approved ones that nobody bills, as lines', async () => {
    const order = await make()
    const billedOne = await approved(order, { priceCents: 500 })
    const invoice = await billed(order)
    const open = await entered(order, { quantity: 2, unit: 'hour', priceCents: 4250, note: 'Gate 4' })
    await entered(order, { costCents: 700 })
    await entered(await make(), { priceCents: 900 })
    const refused = await entered(order, { priceCents: 300 })
    await decide(order, refused, 'refused')
    const first = {
      id: open.id,
      onOrder: { id: order.id, title: order.number },
      orderId: order.id,
      netPriceCents: 8500,
      isOpen: true,
      note: 'Gate 4',
      lineText: `Standzeit ${order.number} (Stunden)`,
    }
    expect(await waiting(invoice.id)).toMatchObject([first])
    const decided = await decide(order, open, 'approved')
    expect(await waiting(invoice.id)).toMatchObject([{ ...first, version: decided.body.version, isOpen: false }])
    const { lines, version } = (await clerk.get(`invoices/${invoice.id}`)).body as Invoice
    const added = {
      ...lines[0]!,
      id: undefined,
      kind: 'extra',
      text: first.lineText,
      quantity: 2,
      unitPriceCents: 4250,
    }
    const { netCents: _net, ...line } = { ...added, extraId: open.id }
    const stored = lines.map(({ netCents: _own, ...one }) => one)
    const { status, body } = await clerk.patch(`invoices/${invoice.id}`, { lines: [...stored, line] }, { version })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(await waiting(invoice.id)).toEqual([])
    expect(body.lines.map((one: { extraId: number | null }) => one.extraId)).toEqual([null, billedOne.id, open.id])
  })

  it('of a carrier’s invoice are open ones that this carrier is paid', async () => {
    const order = await carriedOrder()
    const open = await entered(order, { costCents: 4500 })
    await entered(order, { priceCents: 900 })
    await approved(order, { costCents: 300 })
    const invoice = async (carrierCompanyId: number) => {
      const made = await clerk.post('invoices', {
        entityType: 'carrier',
        carrierCompanyId,
        orderIds: [order.id],
        number: `FV/W/${carrierCompanyId}`,
        amountCents: 95_000,
        vatBp: 0,
        documentCreationDate: '2026-11-20',
      })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return made.body.id as number
    }
    const id = await invoice(world.carrier.id)
    expect(await waiting(id)).toMatchObject([{ id: open.id, netCostCents: 4500, isOpen: true }])
    await decide(order, open, 'approved')
    expect(await waiting(id)).toEqual([])
    const { checks } = (await clerk.get(`invoices/${id}/check`)).body as InvoiceCheck
    const cost = order.routes[0]!.assignment!.costCents!
    expect(checks.find(({ key }) => key === 'amount')!.expected.values).toMatchObject({
      agreedCents: cost + 300 + 4500,
    })
  })
})
