import { beforeAll, describe, expect, test } from 'vitest'
import type { CarrierRoute, Invoice } from '@waybill/contract/invoice/invoice'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
let clerk: Caller
let dispatcher: Caller
let otherCarrierId: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Hansa Bau GmbH', 'DE')
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
  const other = await app.admin.post('carrier-companies', { title: 'Rhein Spedition', countryId: world.countries.DE })
  otherCarrierId = other.body.id
})

interface Leg {
  costCents: number
  carrierCompanyId?: number
  paymentPeriodDays?: number | null
}

/** An order with one route per leg, each from Hamburg to a town of its own. */
async function orderWith(...legs: Leg[]): Promise<Order> {
  const stop = (key: string, kind: 'loading' | 'unloading', city: string, day: string) => ({
    key,
    kind,
    termin: { kind: 'fix' as const, dateFrom: day, timeFrom: '08:00' },
    countryId: kind === 'loading' ? world.countries.DE : world.countries.PL,
    city,
    cargoActions: [
      { cargoKey: key.slice(-1), action: kind === 'loading' ? ('PICK_UP' as const) : ('DROP_OFF' as const) },
    ],
  })
  const body: Partial<OrderInput> = {
    cargo: legs.map((_, leg) => ({ key: String(leg), title: 'Pallets', quantity: 1 })),
    locations: legs.flatMap((_, leg) => [
      stop(`from${leg}`, 'loading', 'Hamburg', '2026-11-30'),
      stop(`to${leg}`, 'unloading', `Town ${leg}`, `2026-12-0${leg + 1}`),
    ]),
    routes: legs.map(({ costCents, carrierCompanyId = world.carrier.id, paymentPeriodDays = null }, leg) => ({
      locationKeys: [`from${leg}`, `to${leg}`],
      assignment: { carrierCompanyId, costCents, vatBp: 0, paymentPeriodDays, plateNumber: `PO ${leg}` },
    })),
  }
  const { status, body: order } = await app.admin.post('orders', plainOrder(world, customerId, body))
  expect(status, JSON.stringify(order)).toBe(201)
  return order
}

let count = 0
const bodyOf = (more: object = {}) => ({
  entityType: 'carrier',
  carrierCompanyId: world.carrier.id,
  number: `FV ${(count += 1)}/2026`,
  vatBp: 0,
  ...more,
})
const write = (more: object): Promise<Answer> => clerk.post('invoices', bodyOf(more))
async function written(more: object): Promise<Invoice> {
  const { status, body } = await write(more)
  expect([status, body.errors]).toEqual([201, undefined])
  return body
}
const read = async ({ id }: { id: number }): Promise<Invoice> => (await clerk.get(`invoices/${id}`)).body
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
]
const routeIds = (order: Order): number[] => order.routes.map(({ id }) => id)
const shares = (...nets: [routeId: number, netCents: number][]) =>
  nets.map(([routeId, netCents]) => ({ routeId, netCents }))
const today = () => localOf(app.clock.now(), 'Europe/Berlin').date

describe('the routes of a carrier’s invoice are refused', () => {
  test('where they do not add up to its net amount, at saving and at changing', async () => {
    const [one, two] = routeIds(await orderWith({ costCents: 100 }, { costCents: 200 }))
    const refused = await write({ amountCents: 301, allocations: shares([one!, 100], [two!, 200]) })
    expect(codes(refused)).toEqual([422, 'allocations allocations_sum'])
    const invoice = await written({ amountCents: 300, allocations: shares([one!, 100], [two!, 200]) })
    const changed = await clerk.patch(
      `invoices/${invoice.id}`,
      { amountCents: 299, totalCents: 299 },
      { version: invoice.version },
    )
    expect(codes(changed)).toEqual([422, 'allocations allocations_sum'])
    expect((await read(invoice)).amountCents).toBe(300)
  })

  test('where one stands there twice, is another carrier’s, or is not there at all', async () => {
    const [own, foreign] = routeIds(
      await orderWith({ costCents: 100 }, { costCents: 200, carrierCompanyId: otherCarrierId }),
    )
    expect(codes(await write({ amountCents: 200, allocations: shares([own!, 100], [own!, 100]) }))).toEqual([
      422,
      'allocations.1.routeId duplicate_key',
    ])
    expect(codes(await write({ amountCents: 200, allocations: shares([own!, 100], [foreign!, 100]) }))).toEqual([
      422,
      'allocations.1.routeId not_of_carrier',
    ])
    expect(codes(await write({ amountCents: 100, allocations: shares([99_999_999, 100]) }))).toEqual([
      422,
      'allocations.0.routeId not_of_carrier',
    ])
    expect(codes(await write({ amountCents: 100, routeId: foreign }))).toEqual([422, 'routeId not_of_carrier'])
  })

  test('beside orders or a route that say something else, and on a customer’s invoice', async () => {
    const [one, two] = [await orderWith({ costCents: 100 }), await orderWith({ costCents: 100 })]
    const allocations = shares([routeIds(one)[0]!, 100])
    expect(codes(await write({ amountCents: 100, allocations, orderIds: [two.id] }))).toEqual([
      422,
      'orderIds read_only',
    ])
    expect(codes(await write({ amountCents: 100, allocations, routeId: routeIds(two)[0] }))).toEqual([
      422,
      'routeId read_only',
    ])
    expect(codes(await clerk.post('invoices', { entityType: 'customer', orderIds: [one.id], allocations }))).toEqual([
      422,
      'allocations invalid_value',
    ])
  })

  test('by the database too, when the transaction ends', async () => {
    const [one, two] = routeIds(await orderWith({ costCents: 100 }, { costCents: 200 }))
    const invoice = await written({ amountCents: 300, allocations: shares([one!, 100], [two!, 200]) })
    const asked = (text: string) =>
      app.database.pool.query(text, [invoice.id]).then(
        () => 'done',
        ({ constraint }: { constraint?: string }) => constraint,
      )
    const why = 'conflict__allocations__allocations_sum'
    expect(await asked('update invoice_allocation set "netCents" = "netCents" + 1 where "invoiceId" = $1')).toBe(why)
    expect(await asked('delete from invoice_allocation where "netCents" = 100 and "invoiceId" = $1')).toBe(why)
    expect(await asked('update invoice set "amountCents" = 1, "totalCents" = 1, "vatCents" = 0 where id = $1')).toBe(
      why,
    )
    expect(await read(invoice)).toMatchObject({ amountCents: 300, allocations: [{ netCents: 100 }, { netCents: 200 }] })
  })

  test('while an invoice is for a route, its order cannot be saved without that route', async () => {
    const order = await orderWith({ costCents: 100 })
    await written({ amountCents: 100, allocations: shares([routeIds(order)[0]!, 100]) })
    const saved = await app.admin.patch(`orders/${order.id}`, { routes: [] }, { version: order.version })
    expect([saved.status, saved.body.code]).toEqual([409, 'in_use'])
  })
})

describe('a carrier’s invoice for routes', () => {
  test('of two orders says of each what was agreed, and its orders follow from them', async () => {
    const [first, second] = [
      await orderWith({ costCents: 100_00 }, { costCents: 200_00 }),
      await orderWith({ costCents: 300_00 }),
    ]
    const ids = [...routeIds(first), ...routeIds(second)]
    const allocations = shares([ids[0]!, 100_00], [ids[2]!, 310_00], [ids[1]!, 200_00])
    const invoice = await written({ amountCents: 610_00, allocations })
    expect(invoice).toMatchObject({
      allocations,
      orderIds: [first.id, second.id],
      routeId: null,
      warnings: ['amount_differs'],
    })
    expect(
      invoice.invoicedRoutes.map(({ title, agreedCents, differenceCents }) => [title, agreedCents, differenceCents]),
    ).toEqual([
      [`${first.number}/1`, 100_00, 0],
      [`${second.number}/1`, 300_00, 10_00],
      [`${first.number}/2`, 200_00, 0],
    ])
    expect(invoice.invoicedRoutes[2]).toMatchObject({
      order: { id: first.id, title: first.number },
      from: { countryCode: 'DE', city: 'Hamburg' },
      to: { countryCode: 'PL', city: 'Town 1' },
      day: '2026-12-02',
    })
    for (const order of [first, second]) {
      const { items } = (await clerk.get(`invoices?orderId[]=${order.id}`)).body
      expect(items.map(({ id }: Invoice) => id)).toEqual([invoice.id])
    }
    // What was read may be sent back, and a share be taken out of it.
    const back = await clerk.put(`invoices/${invoice.id}`, invoice, { version: invoice.version })
    expect(back.status, JSON.stringify(back.body.errors)).toBe(200)
    const fewer = await clerk.patch(
      `invoices/${invoice.id}`,
      { allocations: allocations.slice(0, 1), amountCents: 100_00, totalCents: 100_00 },
      { version: back.body.version },
    )
    expect(fewer.body).toMatchObject({ orderIds: [first.id], routeId: ids[0], warnings: [] })
  })

  test('takes a route alone, or an order with one route of the carrier, as a single share', async () => {
    const order = await orderWith({ costCents: 100 }, { costCents: 100, carrierCompanyId: otherCarrierId })
    const [own] = routeIds(order)
    expect(await written({ amountCents: 100, routeId: own })).toMatchObject({
      allocations: shares([own!, 100]),
      orderIds: [order.id],
      routeId: own,
    })
    const another = await orderWith({ costCents: 70 })
    const invoice = await written({ amountCents: 70, orderIds: [another.id] })
    expect(invoice.allocations).toEqual(shares([routeIds(another)[0]!, 70]))
    // The only share follows the amount, and another order brings its own route.
    const dearer = await clerk.patch(
      `invoices/${invoice.id}`,
      { amountCents: 80, totalCents: 80 },
      { version: invoice.version },
    )
    expect(dearer.body.allocations).toEqual(shares([routeIds(another)[0]!, 80]))
    const third = await orderWith({ costCents: 70 })
    const moved = await clerk.patch(`invoices/${invoice.id}`, { orderIds: [third.id] }, { version: 2 })
    expect(moved.body).toMatchObject({ allocations: shares([routeIds(third)[0]!, 80]), orderIds: [third.id] })
  })

  test('of an order with several routes of the carrier is of none until somebody says which', async () => {
    const order = await orderWith({ costCents: 100 }, { costCents: 100 })
    expect(await written({ amountCents: 200, orderIds: [order.id] })).toMatchObject({
      allocations: [],
      orderIds: [order.id],
      routeId: null,
      agreedDue: null,
      warnings: [],
    })
  })

  test('may come again for an extra; only the later one differs from what was agreed', async () => {
    const order = await orderWith({ costCents: 500 })
    const allocations = shares([routeIds(order)[0]!, 500])
    const freight = await written({ amountCents: 500, allocations })
    const extra = await written({ amountCents: 60, allocations: shares([routeIds(order)[0]!, 60]) })
    expect(extra).toMatchObject({
      warnings: ['amount_differs'],
      invoicedRoutes: [{ invoicedCents: 500, netCents: 60, differenceCents: 60 }],
    })
    expect(await read(freight)).toMatchObject({ warnings: [], invoicedRoutes: [{ invoicedCents: 0 }] })
    await clerk.post(`invoices/${freight.id}/status`, { to: 'canceled' }, { version: freight.version })
    expect(await read(extra)).toMatchObject({ invoicedRoutes: [{ invoicedCents: 0, differenceCents: -440 }] })
  })

  test('may come from who had the route before another carrier took it', async () => {
    const order = await orderWith({ costCents: 500 })
    const [route] = order.routes
    const taken = await app.admin.patch(
      `orders/${order.id}`,
      { routes: [{ ...route, assignment: { ...route!.assignment, driverIds: [], carrierCompanyId: otherCarrierId } }] },
      { version: order.version },
    )
    expect(taken.status, JSON.stringify(taken.body.errors)).toBe(200)
    expect(await written({ amountCents: 150, routeId: route!.id })).toMatchObject({
      invoicedRoutes: [{ agreedCents: null, differenceCents: 150 }],
      warnings: ['amount_differs'],
    })
  })
})

describe('routes to write an invoice for', () => {
  const listed = async (query: string, caller = clerk): Promise<CarrierRoute[]> => {
    const { status, body } = await caller.get(`invoices/carrier-routes?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.items
  }

  test('are refused to who does not process invoices, and without a carrier', async () => {
    expect((await dispatcher.get(`invoices/carrier-routes?carrierCompanyId=${otherCarrierId}`)).status).toBe(403)
    expect(codes(await clerk.get('invoices/carrier-routes'))).toEqual([422, 'carrierCompanyId required'])
    expect((await dispatcher.get(`invoices/carrier-number?carrierCompanyId=1&number=1`)).status).toBe(403)
  })

  test('are those of the carrier that no invoice is there for; by their ids the others, too', async () => {
    const carrierCompanyId = (
      await app.admin.post('carrier-companies', { title: 'Nowa Trasa', countryId: world.countries.PL })
    ).body.id
    const leg = (costCents: number) => ({ costCents, carrierCompanyId })
    const order = await orderWith(leg(100), leg(200), { costCents: 300 })
    const later = await orderWith(leg(400))
    const [one, two, foreign] = routeIds(order)
    const query = `carrierCompanyId=${carrierCompanyId}`
    expect((await listed(query)).map(({ id }) => id)).toEqual([routeIds(later)[0], two, one])
    expect((await listed(`${query}&q=${order.number}/2`)).map(({ id }) => id)).toEqual([two, one])
    expect((await listed(`${query}&orderId[]=${later.id}`)).map(({ id }) => id)).toEqual([routeIds(later)[0]])
    expect((await listed(query)).at(-1)).toMatchObject({
      title: `${order.number}/1`,
      agreedCents: 100,
      agreedVatBp: 0,
      paymentPeriodDays: 30,
      podArrivedOn: null,
      invoicedCents: 0,
    })
    const invoice = await written({ carrierCompanyId, amountCents: 100, routeId: one })
    expect((await listed(query)).map(({ id }) => id)).toEqual([routeIds(later)[0], two])
    const byId = await listed(`${query}&ids[]=${one}&ids[]=${foreign}`)
    expect(byId.map(({ id, invoicedCents }) => [id, invoicedCents])).toEqual([[one, 100]])
    await clerk.post(`invoices/${invoice.id}/status`, { to: 'canceled' }, { version: invoice.version })
    expect(await listed(query)).toHaveLength(3)
  })

  test('a number that the carrier has used is known before it is saved, however it is written', async () => {
    const invoice = await written({ number: 'RE 2026/77-A', amountCents: 100 })
    const asked = async (number: string, more = '') =>
      (
        await clerk.get(
          `invoices/carrier-number?carrierCompanyId=${world.carrier.id}&number=${encodeURIComponent(number)}${more}`,
        )
      ).body
    const taken = { isTaken: true, invoice: { id: invoice.id, title: 'RE 2026/77-A' } }
    expect(await asked('re-2026-77a')).toEqual(taken)
    const free = { isTaken: false, invoice: null }
    expect(await asked('RE 2026/77-A', `&exceptId=${invoice.id}`)).toEqual(free)
    expect(await asked('RE 2026/78-A')).toEqual(free)
    await clerk.post(`invoices/${invoice.id}/status`, { to: 'canceled' }, { version: invoice.version })
    expect(await asked('RE 2026/77-A')).toEqual(free)
  })
})

describe('the payment period of a carrier', () => {
  const carrierPeriod = async (paymentPeriodDays: number | null): Promise<Answer> => {
    const { version } = (await app.admin.get(`carrier-companies/${otherCarrierId}`)).body
    return app.admin.patch(`carrier-companies/${otherCarrierId}`, { paymentPeriodDays }, { version })
  }
  const leg = (paymentPeriodDays: number | null) => ({
    costCents: 100,
    carrierCompanyId: otherCarrierId,
    paymentPeriodDays,
  })
  const proof = (order: Order, more: Record<string, string | number> = {}) =>
    upload(dispatcher, {
      fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, ...more },
      file: { name: 'pod.pdf', bytes: FILES.pdf() },
    })
  const invoiceOf = (order: Order, more: object = {}) =>
    written({
      carrierCompanyId: otherCarrierId,
      amountCents: 100 * order.routes.length,
      allocations: order.routes.map(({ id }) => ({ routeId: id, netCents: 100 })),
      ...more,
    })

  // Sessions end before a day is over: what happened is set back in place of the clock.
  const age = (table: 'invoice' | 'document', id: number, days: number) =>
    app.database.pool.query(
      `update ${table} set "createdAt" = "createdAt" - make_interval(days => $2)
        ${table === 'invoice' ? ', "dueDate" = "dueDate" - $2' : ''} where id = $1`,
      [id, days],
    )

  test('is refused beyond a year and below nothing', async () => {
    expect(codes(await carrierPeriod(366))).toEqual([422, 'paymentPeriodDays too_big'])
    expect(codes(await carrierPeriod(-1))).toEqual([422, 'paymentPeriodDays too_small'])
    const order = plainOrder(world, customerId, { routes: [{ assignment: { paymentPeriodDays: 366 } }] })
    expect(codes(await app.admin.post('orders', order))).toEqual([422, 'routes.0.assignment.paymentPeriodDays too_big'])
  })

  test('is the assignment’s, else the carrier’s, else 30 days; the longest of several routes counts', async () => {
    const order = await orderWith(leg(null))
    const due = async (of: Order) => (await invoiceOf(of)).agreedDue
    expect(await due(order)).toEqual({ date: addDays(today(), 30), isExpected: true })
    expect((await carrierPeriod(45)).body.paymentPeriodDays).toBe(45)
    expect(await due(order)).toEqual({ date: addDays(today(), 45), isExpected: true })
    expect(await due(await orderWith(leg(14)))).toEqual({ date: addDays(today(), 14), isExpected: true })
    expect(await due(await orderWith(leg(14), leg(60), leg(0)))).toEqual({
      date: addDays(today(), 60),
      isExpected: true,
    })
    await carrierPeriod(null)
  })

  test('counts from the arrival of invoice and proof of delivery; what is due as agreed moves with it', async () => {
    const order = await orderWith(leg(20))
    const invoice = await invoiceOf(order)
    const typed = await invoiceOf(order, { dueDate: addDays(today(), 7) })
    expect(invoice.dueDate).toBe(addDays(today(), 20))
    await age('invoice', invoice.id, 5)
    const { body: document } = await proof(order)
    const arrived = addDays(today(), 20)
    const moved = await read(invoice)
    expect(moved).toMatchObject({
      dueDate: arrived,
      version: invoice.version + 1,
      agreedDue: { date: arrived, isExpected: false },
    })
    expect(await read(typed)).toMatchObject({ dueDate: typed.dueDate, version: typed.version })
    // A refused one has not arrived.
    await dispatcher.post(`documents/${document.id}/refuse`, { reason: 'not signed' }, { version: document.version })
    const fromInvoice = addDays(today(), 15)
    expect(await read(invoice)).toMatchObject({ dueDate: fromInvoice, agreedDue: { isExpected: true } })
    // A date of one's own is kept from then on.
    const current = await read(invoice)
    const kept = await clerk.patch(`invoices/${invoice.id}`, { notes: 'seen' }, { version: current.version })
    expect(kept.body.dueDate).toBe(fromInvoice)
    const other = await clerk.patch(
      `invoices/${invoice.id}`,
      { dueDate: addDays(today(), 90) },
      { version: kept.body.version },
    )
    await proof(order)
    expect((await read(invoice)).dueDate).toBe(other.body.dueDate)
  })

  test('does not begin before the invoice, where the proof of delivery was there first', async () => {
    const order = await orderWith(leg(10))
    await age('document', (await proof(order)).body.id, 3)
    expect((await invoiceOf(order)).agreedDue).toEqual({ date: addDays(today(), 10), isExpected: false })
  })
})
