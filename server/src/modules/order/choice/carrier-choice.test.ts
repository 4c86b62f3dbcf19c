import { beforeAll, describe, expect, it } from 'vitest'
import type { CarrierChoice, CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import { addDays } from '@waybill/contract/kit/local-time'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { postalArea } from '@waybill/contract/order/lane'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number
let clerk: { caller: Caller; id: number }
let own: { caller: Caller; id: number }

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Wohnwelt Rhein GmbH', 'DE')
  clerk = await test.userWith('ORDERS_MANAGEMENT')
  own = await test.userWith('ASSIGNED_ORDERS')
})

const today = new Date().toISOString().slice(0, 10)

let made = 0
async function carrier(title: string, papers: object | null = {}, more: object = {}): Promise<number> {
  made += 1
  const { status, body } = await test.admin.post('carrier-companies', {
    title: `${title} ${made}`,
    countryId: world.countries.IT,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  if (papers !== null) await giveCarrierPapers(test.admin, body.id, papers)
  return body.id
}

interface Trip {
  from?: string
  to?: string
  /** days from today on which it is loaded; unloaded two days later */
  day?: number
  carrierId?: number | null
  costCents?: number | null
  late?: boolean
  more?: Partial<OrderInput>
  position?: { latitude: number; longitude: number }
}

const stopsOf = ({ from = '33100', to = '50226', day = -20, position }: Trip) => [
  {
    kind: 'loading' as const,
    termin: { kind: 'fix' as const, dateFrom: addDays(today, day), timeFrom: '08:00' },
    countryId: world.countries.IT,
    postal: from,
    city: 'Udine',
    latitude: 46.06,
    longitude: 13.24,
    cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' as const }],
  },
  {
    kind: 'unloading' as const,
    termin: { kind: 'fix' as const, dateFrom: addDays(today, day + 2), timeFrom: '12:00' },
    countryId: world.countries.DE,
    postal: to,
    city: 'Frechen',
    ...position,
    cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' as const }],
  },
]

async function orderWith(trip: Trip, caller = clerk.caller): Promise<Order> {
  const { carrierId = null, costCents = 118_000 } = trip
  const { status, body } = await caller.post(
    'orders',
    plainOrder(world, customerId, {
      customerPriceCents: 154_000,
      cargo: [{ key: 'c', title: 'Furniture', quantity: 31, weightKg: 9300 }],
      locations: stopsOf(trip),
      routes: [{ distanceKm: 1048, assignment: { carrierCompanyId: carrierId, costCents } }],
      ...trip.more,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** A transport that is on its way, or has arrived: in time or an hour late. */
async function driven(trip: Trip, caller = clerk.caller): Promise<Order> {
  const order = await orderWith(trip, caller)
  const day = addDays(today, (trip.day ?? -20) + 2)
  await test.database.pool.query(`update route set status = 'scheduled' where "orderId" = $1`, [order.id])
  await test.database.pool.query(`update "order" set status = 'scheduled' where id = $1`, [order.id])
  if (trip.late !== undefined)
    await test.database.pool.query(
      `update location set "arrivedAt" = $2, "unloadedAt" = $2 where "orderId" = $1 and kind = 'unloading'`,
      [order.id, `${day}T${trip.late ? '13' : '10'}:00:00Z`],
    )
  return order
}

/** Three unloadings on another lane, so that one knows how punctual it is. */
async function measured(carrierId: number, lates: boolean[] = [false, false, false]): Promise<void> {
  for (const late of lates) await driven({ carrierId, from: '80331', to: '20095', late })
}

const path = (order: Order, query = '') => `orders/${order.id}/routes/${order.routes[0]!.id}/carriers${query}`
async function choices(order: Order, query = '', caller = clerk.caller): Promise<CarrierChoices> {
  const { status, body } = await caller.get<CarrierChoices>(path(order, query))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const placesOf = ({ items }: CarrierChoices) => items.map(({ id, why }) => [id, why])
const of = ({ items }: CarrierChoices, id: number): CarrierChoice | undefined => items.find((one) => one.id === id)

describe('carriers for a route', () => {
  it('are for who may see the order, and of one of its routes alone', async () => {
    const order = await orderWith({ day: 7 })
    const other = await orderWith({ day: 7 })
    const buyer = await test.userWith('CARRIER_MANAGEMENT')
    for (const [caller, status] of [
      [test.anonymous, 401],
      [buyer.caller, 403],
      [own.caller, 404],
    ] as const)
      expect((await caller.get(path(order))).status).toBe(status)
    expect((await clerk.caller.get(`orders/${order.id}/routes/${other.routes[0]!.id}/carriers`)).status).toBe(404)
    expect((await clerk.caller.get(`orders/999999/routes/${order.routes[0]!.id}/carriers`)).status).toBe(404)
    expect((await clerk.caller.get(path(order, '?sort=title'))).status).toBe(422)
  })

  it('stand in an order that can be read: the cheapest of those above 90 % on time first', {
    tags: 'long',
  }, async () => {
    const lane = { from: '11100', to: '66111' }
    const dear = await carrier('Gruber Trans')
    const cheap = await carrier('Friulana')
    const late = await carrier('Moravia')
    const unknown = await carrier('Szalay')
    const blocked = await carrier('Adria Linee', { until: addDays(today, 1) })
    for (const id of [dear, cheap, blocked]) await measured(id)
    await measured(late, [true, true, false])
    await driven({ ...lane, carrierId: dear, costCents: 122_000 })
    await driven({ ...lane, carrierId: cheap, costCents: 130_000, day: -60 })
    const newest = await driven({ ...lane, carrierId: cheap, costCents: 118_000, day: -10 })
    await driven({ ...lane, carrierId: late, costCents: 100_000 })
    await driven({ ...lane, carrierId: unknown, costCents: 101_000 })
    await driven({ ...lane, carrierId: blocked, costCents: 90_000 })
    const found = await choices(await orderWith({ ...lane, day: 7 }))
    expect(placesOf(found)).toEqual([
      [cheap, 'cheapestPunctual'],
      [dear, 'punctual'],
      [late, 'lessPunctual'],
      [unknown, 'notMeasured'],
      [blocked, 'notCleared'],
    ])
    expect(found).toMatchObject({
      lane: { from: { countryCode: 'IT', area: '11' }, to: { countryCode: 'DE', area: '66' } },
      revenueCents: 154_000,
      limitCents: 141_680,
      lastDay: addDays(today, 9),
    })
    expect(found.items[0]).toMatchObject({
      trips: 2,
      priceCents: 118_000,
      averageCents: 124_000,
      averagePerKmCents: 118,
      onTime: { inTime: 3, measured: 3 },
      isCleared: true,
    })
    expect(
      found.items[0]!.prices.map(({ number, priceCents, perKmCents }) => [number, priceCents, perKmCents]),
    ).toEqual([
      [newest.routes[0]!.number, 118_000, 113],
      [expect.any(String), 130_000, 124],
    ])
    expect(of(found, blocked)!.reasons.map(({ code }) => code)).toEqual(['licence_ends', 'insurance_ends'])
  })

  it('drove the same two postal areas, or those beside them, in the same direction', async () => {
    const beside = await carrier('Beside')
    const away = await carrier('Away')
    const back = await carrier('Back')
    await driven({ from: '41100', to: '71222', carrierId: beside })
    await driven({ from: '44100', to: '71222', carrierId: away })
    await driven({
      carrierId: back,
      more: {
        locations: stopsOf({ from: '42100', to: '72222' }).map((stop) => ({
          ...stop,
          countryId: stop.kind === 'loading' ? world.countries.DE : world.countries.IT,
        })),
      },
    })
    const only = await orderWith({ from: '42000', to: '72000', day: 7, carrierId: away })
    expect(placesOf(await choices(only))).toEqual([[beside, 'notMeasured']])
    const nowhere = await orderWith({ from: '4', to: '72000', day: 7 })
    expect(await choices(nowhere)).toMatchObject({ lane: null, items: [] })
  })

  it('are told of foreign orders in averages alone, and of too few in none', async () => {
    const lane = { from: '55100', to: '88111' }
    const id = await carrier('Foreign')
    const first = await driven({ ...lane, carrierId: id, costCents: 90_001 })
    await driven({ ...lane, carrierId: id, costCents: 100_000 })
    const mine = await orderWith({ ...lane, day: 7 }, own.caller)
    const few = await choices(mine, '', own.caller)
    expect(few.items).toMatchObject([
      { id, trips: 2, prices: [], averageCents: null, averagePerKmCents: null, priceCents: null, why: 'noPrice' },
    ])
    await driven({ ...lane, carrierId: id, costCents: 110_000 })
    const enough = await choices(mine, '', own.caller)
    expect(enough.items).toMatchObject([{ trips: 3, prices: [], averageCents: 100_000, priceCents: 100_000 }])
    const told = JSON.stringify(enough)
    for (const word of [first.number, '90001', '110000']) expect(told).not.toContain(word)
    const paid = await driven({ ...lane, carrierId: id, costCents: 120_000 }, own.caller)
    expect((await choices(mine, '', own.caller)).items).toMatchObject([
      { trips: 4, prices: [{ number: paid.routes[0]!.number, priceCents: 120_000 }], priceCents: 120_000 },
    ])
  })

  it('that never drove the lane come by where they unload before the pick-up, the nearest first', async () => {
    const near = await carrier('Near')
    const nearer = await carrier('Nearer')
    const over = await carrier('Over')
    const at = (latitude: number) => ({ position: { latitude, longitude: 13.24 } })
    const unloads = (carrierId: number, latitude: number, day: number) => {
      const [load, drop] = stopsOf({ day })
      const back = [
        { ...load!, countryId: world.countries.DE, postal: '50226', city: 'Frechen' },
        { ...drop!, countryId: world.countries.IT, postal: '22100', city: 'Udine', ...at(latitude).position },
      ]
      return driven({ carrierId, day, more: { locations: back } })
    }
    await unloads(near, 45.5, 4)
    await unloads(nearer, 46, 4)
    await unloads(over, 46, -10)
    const found = await choices(await orderWith({ from: '23100', to: '77100', day: 7 }))
    expect(placesOf(found)).toEqual([
      [nearer, 'near'],
      [near, 'near'],
    ])
    expect(found.items[0]!.before).toMatchObject({ countryCode: 'IT', city: 'Udine', km: 9 })
    expect(found.items[0]!.priceCents).toBeNull()
  })

  it('say what went wrong with them: deviations that they caused, and invoices with a problem', async () => {
    const lane = { from: '66100', to: '33111' }
    const id = await carrier('Troubled', {}, { vehicleTypeIds: [world.vehicleTypeId] })
    await driven({ ...lane, carrierId: id, more: { deviations: ['CARRIER_LEVEL_2', 'CUSTOMER_LEVEL_1'] } })
    const order = await driven({ ...lane, carrierId: id, more: { deviations: ['CUSTOMER_LEVEL_1'] } })
    const invoice = await test.admin.post('invoices', {
      entityType: 'carrier',
      carrierCompanyId: id,
      orderIds: [order.id],
      number: 'R 1',
      amountCents: 118_000,
      vatBp: 0,
      totalCents: 118_000,
    })
    expect(invoice.status, JSON.stringify(invoice.body)).toBe(201)
    await test.database.pool.query(`update invoice set "inProgressAt" = now() where id = $1`, [invoice.body.id])
    const found = await choices(await orderWith({ ...lane, day: 7 }))
    expect(found.items).toMatchObject([{ id, deviations: 1, problemInvoices: 1, vehicleTypes: [expect.any(String)] }])
  })

  it('are found by their name, active ones alone, whether they know the lane or not', async () => {
    const id = await carrier('Žilina Preprava')
    await carrier('Žilina Inactive', null, { state: 'inactive' })
    const order = await orderWith({ from: '98100', to: '98111', day: 7 })
    expect(placesOf(await choices(order))).toEqual([])
    expect(placesOf(await choices(order, '?q=zilina'))).toEqual([[id, 'new']])
  })

  it('know postal areas as the database does', async () => {
    const examples = ['D-22113', '60-189', ' pl-60 700', 'SW1A 1AA', '4057', '9', '', null, 'Ä-1', 'A-1010', '00-001']
    const { rows } = await test.database.pool.query<{ area: string | null }>(
      `select postal_area(postal) as area from unnest($1::text[]) with ordinality as given(postal, n) order by n`,
      [examples],
    )
    expect(rows.map(({ area }) => (area?.length === 2 ? area : null))).toEqual(examples.map(postalArea))
  })
})
