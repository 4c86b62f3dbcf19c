import { beforeAll, describe, expect, test } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { DriverPage, RouteDriverLink, TruckLink } from '@waybill/contract/public/driver-link'
import { createVault, oneKey } from '../../kit/context/vault.ts'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const app = useTestApp({ beginsOn: '2026-11-30T09:00:00Z' })
let world: OrderWorld
let customerId: number
let dispatcher: Caller

const DAY = '2026-11-30'

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

let plates = 0
/** A truck of ours with a plate of its own. */
async function newTruck(more: object = {}): Promise<{ id: number; plate: string; version: number }> {
  const plate = `HH-WB ${(plates += 1) + 2000}`
  const made = await app.admin.post('vehicles', { title: plate, kind: 'truck', ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return { id: made.body.id, plate, version: made.body.version }
}

type Stop = NonNullable<OrderInput['locations']>[number]
const at = (stop: Stop, city: string, dateFrom: string, timeFrom: string): Stop => ({
  ...stop,
  city,
  termin: { kind: 'fix', dateFrom, timeFrom },
})

/** A scheduled order that a truck of ours drives, from one town and time to another. */
async function driven(
  plate: string,
  [from, fromDay, fromTime]: readonly [string, string, string],
  [to, toDay, toTime]: readonly [string, string, string],
  more: object = {},
): Promise<Order> {
  const { cargo, locations } = shipment(world)
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      cargo: cargo!,
      customerPriceCents: 123_456,
      locations: [at(locations![0]!, from, fromDay, fromTime), at(locations![1]!, to, toDay, toTime)],
      routes: [{ locationKeys: ['from', 'to'], assignment: { ownFleet: true, plateNumber: plate, costCents: 70_000 } }],
      ...more,
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id, version } = made.body as Order
  const moved = await app.admin.post(`orders/${id}/status`, { to: 'scheduled' }, { version })
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  return moved.body
}

const pathOf = (truck: { id: number }, day = DAY) => `vehicles/${truck.id}/driver-links/${day}`
const shown = async (truck: { id: number }, day = DAY): Promise<TruckLink> =>
  (await dispatcher.get<TruckLink>(pathOf(truck, day))).body

/** Makes the link of a truck; answers its token. */
async function linkOf(truck: { id: number }, day = DAY): Promise<string> {
  const linkId = (await shown(truck, day)).link?.id ?? null
  const made = await dispatcher.post(pathOf(truck, day), { linkId })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.link.url.split('/').at(-1)
}

let calls = 0
/** The way of a telephone: each call from a line of its own. */
const from = () => ({ ip: `2001:db8:7:${((calls += 1)).toString(16)}::1` })
const open = (token: string) => app.anonymous.get(`drive/${token}`, from()) as Promise<Answer<DriverPage>>
let keys = 0
const newKey = (): string => (keys += 1).toString(16).padStart(32, '0')
const ago = (ms: number): string => new Date(app.clock.now().getTime() - ms).toISOString()
const report = (order: Order, place: number, kind: string, more: object = {}) => ({
  key: newKey(),
  stopId: order.locations[place]!.id,
  kind,
  at: ago(60_000),
  ...more,
})
const tell = (token: string, body: object): Promise<Answer> =>
  app.anonymous.post(`drive/${token}/reports`, body, from())
async function send(token: string, fields: Record<string, string | number>): Promise<Answer> {
  const { body, contentType } = await encodeForm({ fields, file: { name: 'CMR.png', bytes: FILES.png() } })
  return app.anonymous.post(`drive/${token}/files`, body, { ...from(), headers: { 'content-type': contentType } })
}
const faultsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
]
const toldOf = async ({ routes }: Order) =>
  (await dispatcher.get<RouteDriverLink>(`routes/${routes[0]!.id}/driver-link`)).body.reports
const read = async ({ id }: Pick<Order, 'id'>): Promise<Order> => (await app.admin.get(`orders/${id}`)).body

describe('a truck’s link that opens nothing', () => {
  test('unknown, changed, foreign, revoked and ended ones are one answer, as is that of a truck sold', async () => {
    const truck = await newTruck()
    const order = await driven(truck.plate, ['Hamburg', DAY, '08:00'], ['Poznań', '2026-12-01', '07:00'])
    const without = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })
    const everyCall = (token: string) => [
      () => open(token),
      () => tell(token, report(order, 0, 'arrived')),
      () => send(token, report(order, 0, 'cmr')),
    ]
    const answers: Answer[] = []
    const ask = async (token: string) => {
      for (const call of everyCall(token)) answers.push(await call())
    }
    const revoked = await linkOf(truck)
    expect((await open(revoked)).status).toBe(200)
    const current = await linkOf(truck)
    const bytes = Buffer.from(current, 'base64url')
    bytes[5]! ^= 1
    const { vault } = app.ports
    app.ports.vault = createVault(oneKey('the key of quite another installation, long enough'))
    await ask(current)
    app.ports.vault = vault
    for (const dead of ['x', 'a'.repeat(43), bytes.toString('base64url'), `${current}A`, revoked]) await ask(dead)
    expect((await open(current)).status).toBe(200)

    const { endsAt } = (await shown(truck)).link!
    expect(endsAt).toBe('2026-12-09T00:00:00.000Z')
    const ahead = Date.parse(endsAt) - app.clock.now().getTime() + 1000
    app.clock.advance(ahead)
    await ask(current)
    app.clock.advance(-ahead)
    const sold = await app.admin.patch(`vehicles/${truck.id}`, { state: 'inactive' }, { version: truck.version })
    expect(sold.status, JSON.stringify(sold.body)).toBe(200)
    await ask(current)

    const expected = without(answers[0]!)
    expect(expected).toMatchObject({ status: 404, code: 'not_found' })
    for (const answer of answers) expect(without(answer)).toEqual(expected)
    expect(await toldOf(order)).toEqual([])
  })

  test('there is none of a trailer, of a carrier’s truck, of nothing, and of days that are over', async () => {
    const trailer = await newTruck({ kind: 'trailer' })
    const promised = await newTruck({ kind: 'carrier', carrierCompanyId: world.carrier.id })
    for (const none of [trailer, promised, { id: 999_999 }]) {
      expect((await dispatcher.get(pathOf(none))).status).toBe(404)
      expect((await dispatcher.post(pathOf(none), { linkId: null })).status).toBe(404)
      expect((await dispatcher.delete(pathOf(none))).status).toBe(404)
    }
    const truck = await newTruck()
    expect((await dispatcher.get(pathOf(truck, '2026-02-30'))).status).toBe(404)
    expect(faultsOf(await dispatcher.post(pathOf(truck, '2026-11-20'), { linkId: null }))).toEqual([
      422,
      'day in_the_past',
    ])
    expect((await dispatcher.delete(pathOf(truck))).status).toBe(404)
  })

  test('of six who make one at once, five are told that there is one; revoking ends it at once', async () => {
    const truck = await newTruck()
    const many = await Promise.all([1, 2, 3, 4, 5, 6].map(() => dispatcher.post(pathOf(truck), { linkId: null })))
    expect(many.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const token = (await shown(truck)).link!.url.split('/').at(-1)!
    expect((await open(token)).body).toMatchObject({ number: truck.plate, day: DAY, stops: [] })
    expect((await dispatcher.delete(pathOf(truck))).status).toBe(204)
    expect((await open(token)).status).toBe(404)
    expect((await shown(truck)).link).toBeNull()
    const { items } = (await app.admin.get(`audit-entries?vehicleId=${truck.id}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['driverLinkMade', 'driverLinkRevoked']),
    )
  })
})

describe('what a truck’s page shows', () => {
  test('every stop of its routes in two days as they come, each with its route, and nothing else', async () => {
    const truck = await newTruck()
    const other = await newTruck()
    const long = await driven(truck.plate, ['Hamburg', DAY, '08:00'], ['Gent', '2026-12-01', '14:00'])
    const between = await driven(
      // A plate is one however it is written.
      truck.plate.replace('-', ' ').toLowerCase(),
      ['Bremen', DAY, '11:00'],
      ['Köln', '2026-12-01', '07:00'],
    )
    await driven(truck.plate, ['Gent', '2026-12-02', '08:00'], ['Gdynia', '2026-12-04', '08:00'])
    await driven(truck.plate, ['Turku', '2026-11-27', '08:00'], ['Oulu', '2026-11-29', '08:00'])
    await driven(other.plate, ['Porto', DAY, '08:00'], ['Braga', DAY, '16:00'])
    await driven('', ['Sofia', DAY, '08:00'], ['Varna', DAY, '16:00'], {
      routes: [
        {
          ...carried(world),
          locationKeys: ['from', 'to'],
          assignment: { ...carried(world).assignment, plateNumber: truck.plate },
        },
      ],
    })
    const token = await linkOf(truck)
    const { status, body } = await open(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ number: truck.plate, plateNumber: truck.plate, day: DAY, isCanceled: false })
    const [first, second] = [long.routes[0]!.number, between.routes[0]!.number]
    expect(body.stops.map(({ number, city }) => `${number} ${city}`)).toEqual([
      `${first} Hamburg`,
      `${second} Bremen`,
      `${second} Köln`,
      `${first} Gent`,
    ])
    expect(body.stops[0]).toMatchObject({ goods: [{ action: 'PICK_UP', title: 'Pallets', quantity: 4 }] })
    const text = JSON.stringify(body)
    for (const secret of ['Nordlicht', '123456', '70000', 'Gdynia', 'Turku', 'Porto', 'Sofia', 'Cents'])
      expect(text).not.toContain(secret)
    expect((await shown(truck)).routes).toEqual([
      { orderId: long.id, number: first, places: ['Hamburg', 'Gent'] },
      { orderId: between.id, number: second, places: ['Bremen', 'Köln'] },
    ])

    const later = await driven(truck.plate, ['Aachen', '2026-12-01', '09:00'], ['Lille', '2026-12-02', '09:00'])
    expect((await open(token)).body.stops.map(({ city }) => city)).toContain('Aachen')
    const canceled = await app.admin.post(
      `orders/${later.id}/status`,
      { to: 'canceled', reason: 'Kunde braucht es nicht mehr' },
      { version: later.version },
    )
    expect(canceled.status, JSON.stringify(canceled.body)).toBe(200)
    expect((await open(token)).body.stops.map(({ city }) => city)).not.toContain('Aachen')
  })

  test('it speaks as the driver of the truck does, and looking changes nothing', async () => {
    const driver = await app.userWith()
    const profile = (await driver.caller.get('profile')).body
    const chosen = await driver.caller.patch('profile', { defaultLanguage: 'pl' }, { version: profile.version })
    expect(chosen.status, JSON.stringify(chosen.body)).toBe(200)
    const truck = await newTruck({ driverId: driver.id })
    await driven(truck.plate, ['Hamburg', DAY, '08:00'], ['Gent', '2026-12-01', '14:00'])
    const token = await linkOf(truck)
    const tables = ['truck_link', 'driver_report', 'status_move', 'audit_entry']
    const state = () =>
      Promise.all(tables.map(async (table) => (await app.database.pool.query(`select count(*) from ${table}`)).rows))
    const before = await state()
    const page = (await open(token)).body
    expect(page).toMatchObject({ language: 'pl', endsAt: '2026-12-09T00:00:00.000Z' })
    expect(page.company.title).not.toBe('')
    expect(await state()).toEqual(before)
  })
})

describe('what is told by a truck’s link', () => {
  test('goes to the route that has the stop: time, step and papers, once however often it is sent', async () => {
    const truck = await newTruck()
    const one = await driven(truck.plate, ['Hamburg', DAY, '08:00'], ['Gent', '2026-12-01', '14:00'])
    const other = await driven(truck.plate, ['Bremen', DAY, '09:00'], ['Köln', '2026-12-01', '07:00'])
    const token = await linkOf(truck)
    const arrived = report(other, 0, 'arrived')
    for (let times = 0; times < 3; times += 1) expect((await tell(token, arrived)).status).toBe(200)
    expect((await tell(token, report(other, 0, 'loaded'))).status).toBe(200)
    const [type] = (await open(token)).body.loadCarrierTypes
    const lines = [{ typeId: type!.id, given: 0, received: 8, damaged: 0 }]
    const exchange = { noteNumber: null, lines }
    expect((await tell(token, report(other, 0, 'loadCarriers', { exchange }))).status).toBe(200)
    const at = `orders/${other.id}/stops/${other.locations[0]!.id}/load-carriers`
    expect((await dispatcher.get(at)).body).toMatchObject({ lines, isAsTold: true })
    const cmr = report(other, 0, 'cmr')
    for (let times = 0; times < 2; times += 1) expect((await send(token, cmr)).status).toBe(200)
    expect((await toldOf(other)).map(({ kind }) => kind)).toEqual(['arrived', 'loaded', 'loadCarriers', 'cmr'])
    expect(await read(other)).toMatchObject({ status: 'in_transit', locations: [{ arrivedAt: arrived.at }, {}] })
    expect((await app.admin.get(`documents?orderId=${other.id}`)).body.items).toMatchObject([
      { documentType: 'CMR_NOTE' },
    ])
    expect(await toldOf(one)).toEqual([])
    expect(await read(one)).toMatchObject({ status: 'scheduled' })
    const { stops } = (await open(token)).body
    expect(stops.find(({ city }) => city === 'Bremen')!.told.map(({ kind }) => kind)).toEqual([
      'arrived',
      'loaded',
      'loadCarriers',
      'cmr',
    ])
  })

  test('a stop of another truck is unknown, also once it was planned onto that; a repeat is known', async () => {
    const truck = await newTruck()
    const other = await newTruck()
    const foreign = await driven(other.plate, ['Porto', DAY, '08:00'], ['Braga', DAY, '16:00'])
    const order = await driven(truck.plate, ['Hamburg', DAY, '08:00'], ['Gent', '2026-12-01', '14:00'])
    const token = await linkOf(truck)
    expect(faultsOf(await tell(token, report(foreign, 0, 'arrived')))).toEqual([422, 'stopId unknown_reference'])
    expect(faultsOf(await send(token, report(foreign, 0, 'cmr')))).toEqual([422, 'stopId unknown_reference'])
    expect(faultsOf(await tell(token, report(order, 0, 'unloaded')))).toEqual([422, 'kind invalid_value'])
    const taken = report(order, 0, 'remark', { text: 'Tor 3' })
    expect((await tell(token, taken)).status).toBe(200)
    expect(faultsOf(await tell(token, { ...taken, kind: 'damage' }))).toEqual([409])

    const { version, routes, locations } = await read(order)
    const planned = await app.admin.patch(
      `orders/${order.id}`,
      {
        routes: [
          {
            id: routes[0]!.id,
            locationIds: locations.map(({ id }) => id),
            assignment: { id: routes[0]!.assignment!.id, ownFleet: true, plateNumber: other.plate },
          },
        ],
      },
      { version },
    )
    expect(planned.status, JSON.stringify(planned.body)).toBe(200)
    expect((await tell(token, taken)).status).toBe(200)
    expect(faultsOf(await tell(token, report(order, 0, 'arrived')))).toEqual([422, 'stopId unknown_reference'])
    expect((await open(token)).body.stops).toEqual([])
    expect((await toldOf(order)).map(({ kind }) => kind)).toEqual(['remark'])
    expect((await tell(await linkOf(other), report(order, 0, 'arrived'))).status).toBe(200)
  })

  test('what a route’s own link has taken is not taken again by the truck’s, and the other way round', async () => {
    const truck = await newTruck()
    const order = await driven(truck.plate, ['Hamburg', DAY, '08:00'], ['Gent', '2026-12-01', '14:00'])
    const byTruck = await linkOf(truck)
    const route = await dispatcher.post(
      `routes/${order.routes[0]!.id}/driver-link`,
      { linkId: null },
      { version: order.version },
    )
    const byRoute = route.body.link.url.split('/').at(-1)
    const first = report(order, 0, 'arrived')
    const second = report(order, 0, 'remark', { text: 'Stau' })
    for (const token of [byRoute, byTruck]) expect((await tell(token, first)).status).toBe(200)
    for (const token of [byTruck, byRoute]) expect((await tell(token, second)).status).toBe(200)
    expect((await toldOf(order)).map(({ kind }) => kind)).toEqual(['arrived', 'remark'])
  })
})
