import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import type { DriverPage, RouteDriverLink } from '@waybill/contract/public/driver-link'
import { createVault, oneKey } from '../../kit/context/vault.ts'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { exifOf, placeBytes, POZNAN, withExif } from '../../../test/exif.ts'
import { carried, caseWorker, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let customerId: number
let dispatcher: Caller

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ago = (ms: number): string => new Date(app.clock.now().getTime() - ms).toISOString()

const MONEY = { customerPriceCents: 123_456 }
async function newOrder(more: object = {}, status: 'new' | 'scheduled' = 'scheduled'): Promise<Order> {
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      ...MONEY,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      ...more,
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return status === 'new' ? made.body : moved(made.body, { to: status })
}
const read = async ({ id }: Pick<Order, 'id'>): Promise<Order> => (await app.admin.get(`orders/${id}`)).body
async function moved(order: Order, body: object): Promise<Order> {
  const { version } = await read(order)
  const answer = await app.admin.post(`orders/${order.id}/status`, body, { version })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const staffView = async ({ routes }: Order): Promise<RouteDriverLink> =>
  (await dispatcher.get<RouteDriverLink>(`routes/${routes[0]!.id}/driver-link`)).body

/** Makes the link of an order's first route; answers its token. */
async function linkOf(order: Order): Promise<string> {
  const linkId = (await staffView(order)).link?.id ?? null
  const { version } = await read(order)
  const made = await dispatcher.post(`routes/${order.routes[0]!.id}/driver-link`, { linkId }, { version })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.link.url.split('/').at(-1)
}

let calls = 0
/** The way of a telephone: each call from a line of its own. */
const from = () => ({ ip: `2001:db8:d:${((calls += 1)).toString(16)}::1` })
const open = (token: string) => app.anonymous.get(`drive/${token}`, from()) as Promise<Answer<DriverPage>>

// One point of a picture.
const TINY_JPEG = [
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////',
  '////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
]

let keys = 0
const newKey = (): string => (keys += 1).toString(16).padStart(32, '0')
const report = (order: Order, place: number, kind: string, more: object = {}) => ({
  key: newKey(),
  stopId: order.locations[place]!.id,
  kind,
  at: ago(60_000),
  ...more,
})
const tell = (token: string, body: object): Promise<Answer> =>
  app.anonymous.post(`drive/${token}/reports`, body, from())
async function send(token: string, fields: Record<string, string | number>, bytes = FILES.png()): Promise<Answer> {
  const { body, contentType } = await encodeForm({ fields, file: { name: 'CMR.png', bytes } })
  return app.anonymous.post(`drive/${token}/files`, body, { ...from(), headers: { 'content-type': contentType } })
}
const faultsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
]
const kindsTold = async (order: Order) => (await staffView(order)).reports.map(({ kind }) => kind)
const documentsOf = async ({ id }: Order) =>
  (await dispatcher.get(`documents?orderId=${id}`)).body.items as {
    id: number
    title: string
    documentType: string
    acceptance: string | null
    locationIds: number[] | null
  }[]
async function storedFiles(): Promise<number> {
  const { kept, staged } = app.ports.fileStore
  return (await kept()).length + (await staged())
}

describe('a link that opens nothing', () => {
  const without = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })

  test('unknown, changed, malformed, revoked, foreign and ended links are one answer in every call', async () => {
    const order = await newOrder()
    const everyCall = (token: string) => [
      () => open(token),
      () => tell(token, report(order, 0, 'arrived')),
      () => send(token, report(order, 0, 'cmr')),
    ]
    const revoked = await linkOf(order)
    expect((await open(revoked)).status).toBe(200)
    const current = await linkOf(order)
    const bytes = Buffer.from(current, 'base64url')
    bytes[5]! ^= 1
    const before = await storedFiles()
    const answers: Answer[] = []
    const { vault } = app.ports
    app.ports.vault = createVault(oneKey('the key of quite another installation, long enough'))
    for (const call of everyCall(current)) answers.push(await call())
    app.ports.vault = vault
    for (const dead of ['x', '%20', 'a'.repeat(43), bytes.toString('base64url'), `${current}A`, revoked])
      for (const call of everyCall(dead)) answers.push(await call())
    const expected = without(answers[0]!)
    expect(expected).toMatchObject({ status: 404, code: 'not_found' })
    for (const answer of answers) expect(without(answer)).toEqual(expected)
    expect((await open(current)).status).toBe(200)
    expect(await kindsTold(order)).toEqual([])
    expect(await storedFiles()).toBe(before)
  })

  test('it ends a week after the last stop, and with its carrier; our own drivers have one as well', async () => {
    const order = await newOrder({}, 'new')
    const token = await linkOf(order)
    const [, to] = order.locations
    const { endsAt } = (await staffView(order)).link!
    expect(Date.parse(endsAt)).toBe(Date.parse('2026-12-01T06:00:00Z') + 7 * DAY_MS)
    const now = app.clock.now().getTime()
    app.clock.advance(Date.parse(endsAt) - now + 1000)
    expect((await open(token)).status).toBe(404)
    app.clock.advance(now - app.clock.now().getTime())
    expect((await open(token)).status).toBe(200)

    const { version } = await read(order)
    const routes = [
      { id: order.routes[0]!.id, locationIds: [order.locations[0]!.id, to!.id], assignment: { ownFleet: true } },
    ]
    const saved = await app.admin.patch(`orders/${order.id}`, { routes }, { version })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect((await open(token)).status).toBe(404)
    expect((await open(await linkOf(order))).body).toMatchObject({ number: order.routes[0]!.number, language: 'de' })
  })

  test('nobody who drives means no link; revoking ends it at once, and what was told stays', async () => {
    const bare = await newOrder({ routes: [{ locationKeys: ['from', 'to'] }] }, 'new')
    const refused = await dispatcher.post(
      `routes/${bare.routes[0]!.id}/driver-link`,
      { linkId: null },
      { version: bare.version },
    )
    expect(faultsOf(refused)).toEqual([422, 'linkId assignment_missing'])
    const order = await newOrder()
    const token = await linkOf(order)
    expect((await tell(token, report(order, 0, 'arrived'))).status).toBe(200)
    const { version } = await read(order)
    const path = `routes/${order.routes[0]!.id}/driver-link`
    expect((await dispatcher.post(path, { linkId: null }, { version })).status).toBe(409)
    expect((await dispatcher.delete(path, { version: version - 1 })).status).toBe(409)
    expect((await dispatcher.delete(path, { version })).status).toBe(204)
    expect((await open(token)).status).toBe(404)
    expect(await kindsTold(order)).toEqual(['arrived'])
  })

  test('of six who make one at once, five are told that there is one', async () => {
    const order = await newOrder()
    const path = `routes/${order.routes[0]!.id}/driver-link`
    const many = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => dispatcher.post(path, { linkId: null }, { version: order.version })),
    )
    expect(many.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
  })

  test('a person who may not know of the order learns and makes nothing', async () => {
    const order = await newOrder()
    const stranger = (await app.userWith('ASSIGNED_ORDERS')).caller
    const path = `routes/${order.routes[0]!.id}/driver-link`
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.post(path, { linkId: null }, { version: order.version })).status).toBe(404)
    expect((await stranger.delete(path, { version: order.version })).status).toBe(404)
  })
})

describe('what the page shows', () => {
  test('the stops of its route with goods and notes, and no price, customer or other route', async () => {
    const [loading, unloading] = shipment(world).locations!
    const order = await newOrder(
      {
        internalComments: 'Marge niedrig',
        locations: [
          { ...loading, reference: 'VT-7781', comment: 'Rampe 6', specialInstructions: 'Weste', phone: '+32 9 1' },
          unloading,
          { ...unloading, key: 'more', city: 'Gdynia', cargoActions: [] },
        ],
        routes: [
          { ...carried(world), locationKeys: ['from', 'to'] },
          { ...carried(world), locationKeys: ['more'] },
        ],
      },
      'new',
    )
    const token = await linkOf(order)
    const { status, body } = await open(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ language: 'pl', number: order.routes[0]!.number, plateNumber: 'PO 4T112' })
    expect(body.stops).toMatchObject([
      {
        kind: 'loading',
        city: 'Hamburg',
        reference: 'VT-7781',
        notes: ['Rampe 6', 'Weste'],
        termin: { dateFrom: '2026-11-30', timeFrom: '08:00' },
        goods: [{ action: 'PICK_UP', title: 'Pallets', quantity: 4, weightKg: 1200 }],
      },
      { kind: 'unloading', city: 'Poznań', goods: [{ action: 'DROP_OFF', title: 'Pallets' }] },
    ])
    const text = JSON.stringify(body)
    for (const secret of ['Nordlicht', '123456', '90000', 'Marge', 'Gdynia', 'Cents'])
      expect(text).not.toContain(secret)
  })

  test('names and rings its case worker until that person leaves', async () => {
    const worker = await caseWorker(app)
    const token = await linkOf(await newOrder({ caseWorkerId: worker.id }))
    const contact = async () => (await open(token)).body.contact
    expect(await contact()).toEqual(worker.contact)
    await worker.leave()
    const { name, phone } = await contact()
    expect(name).toBeNull()
    expect(phone).not.toBe(worker.contact.phone)
  })

  test('looking changes nothing', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const tables = ['driver_link', 'driver_report', 'status_move', 'audit_entry']
    const state = async () =>
      Promise.all([
        read(order),
        ...tables.map(async (table) => (await app.database.pool.query(`select count(*) from ${table}`)).rows),
      ])
    const before = await state()
    for (let times = 0; times < 3; times += 1) await open(token)
    expect(await state()).toEqual(before)
  })
})

describe('what is refused', () => {
  let order: Order
  let token: string
  beforeEach(async () => {
    order = await newOrder()
    token = await linkOf(order)
  })

  test('a stop of another route, of another order, and a canceled one', async () => {
    const other = await newOrder()
    const { version, locations } = await read(order)
    const canceled = locations.map(({ country: _c, countryCode: _k, position: _p, routeId: _r, ...stop }, place) => ({
      ...stop,
      canceledAt: place === 1 ? ago(0) : null,
    }))
    expect((await app.admin.patch(`orders/${order.id}`, { locations: canceled }, { version })).status).toBe(200)
    expect((await open(token)).body.stops).toHaveLength(1)
    for (const stopId of [other.locations[0]!.id, locations[1]!.id, 999_999]) {
      expect(faultsOf(await tell(token, report(order, 0, 'arrived', { stopId })))).toEqual([
        422,
        'stopId unknown_reference',
      ])
      const before = await storedFiles()
      expect(faultsOf(await send(token, { ...report(order, 0, 'cmr'), stopId }))).toEqual([
        422,
        'stopId unknown_reference',
      ])
      expect(await storedFiles()).toBe(before)
    }
    expect(await kindsTold(other)).toEqual([])
  })

  test('a time that has not come, one before the order, and none at all', async () => {
    const wrong = async (at: unknown) => faultsOf(await tell(token, report(order, 0, 'arrived', { at })))
    expect(await wrong(ago(-HOUR_MS))).toEqual([422, 'at in_the_future'])
    expect(await wrong(ago(100 * DAY_MS))).toEqual([422, 'at long_before_order'])
    expect((await wrong('yesterday')).slice(0, 2)).toEqual([422, 'at invalid_date'])
    expect(await kindsTold(order)).toEqual([])
  })

  test('a step back, a step twice, a step that a stop does not have, and loading before arriving', async () => {
    expect(faultsOf(await tell(token, report(order, 0, 'unloaded')))).toEqual([422, 'kind invalid_value'])
    expect((await tell(token, report(order, 0, 'arrived', { at: ago(HOUR_MS) }))).status).toBe(200)
    expect(faultsOf(await tell(token, report(order, 0, 'arrived')))).toEqual([422, 'kind already_told'])
    expect(faultsOf(await tell(token, report(order, 0, 'loaded', { at: ago(2 * HOUR_MS) })))).toEqual([
      422,
      'at before_arrival',
    ])
    const second = await newOrder()
    const secondToken = await linkOf(second)
    expect((await tell(secondToken, report(second, 0, 'loaded'))).status).toBe(200)
    expect(faultsOf(await tell(secondToken, report(second, 0, 'arrived')))).toEqual([422, 'kind step_back'])
    expect((await read(second)).status).toBe('in_transit')
  })

  test('anything of a transport that was canceled, which the page says', async () => {
    await moved(order, { to: 'canceled', reason: 'storniert' })
    expect((await open(token)).body).toMatchObject({ isCanceled: true, stops: [] })
    const refused = await tell(token, report(order, 0, 'arrived'))
    expect(faultsOf(refused)).toEqual([409, ' transport_canceled'])
    expect((await send(token, report(order, 0, 'cmr'))).status).toBe(409)
  })

  test('words that say nothing, a signature of nobody, and fields that nobody knows', async () => {
    expect(faultsOf(await tell(token, report(order, 0, 'damage', { text: ' ' })))).toEqual([422, 'text required'])
    expect(faultsOf(await send(token, report(order, 1, 'signature')))).toEqual([422, 'signedBy required'])
    expect((await tell(token, report(order, 0, 'arrived', { status: 'completed' }))).status).toBe(422)
    expect((await tell(token, report(order, 0, 'arrived', { key: 'x' }))).status).toBe(422)
    expect(
      (await tell(token, report(order, 0, 'arrived', { position: { latitude: 91, longitude: 0, accuracyM: 1 } })))
        .status,
    ).toBe(422)
  })

  test('a file that is no picture, whatever it is called', async () => {
    const before = await storedFiles()
    for (const bytes of [FILES.exe(), FILES.html(), FILES.pdf()])
      expect((await send(token, report(order, 0, 'cmr'), bytes)).status).toBe(415)
    expect(await storedFiles()).toBe(before)
    expect(await documentsOf(order)).toEqual([])
  })
})

describe('what is told', () => {
  test('times become those of the stops and move the route on, never to its end', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const times = { arrived: ago(5 * HOUR_MS), loaded: ago(4 * HOUR_MS), there: ago(2 * HOUR_MS), done: ago(HOUR_MS) }
    const steps = [
      [0, 'arrived', times.arrived, 'scheduled'],
      [0, 'loaded', times.loaded, 'in_transit'],
      [1, 'arrived', times.there, 'arrived'],
      [1, 'unloaded', times.done, 'delivered'],
    ] as const
    for (const [place, kind, at, status] of steps) {
      expect((await tell(token, report(order, place, kind, { at }))).status).toBe(200)
      expect((await read(order)).status, kind).toBe(status)
    }
    const after = await read(order)
    expect(after.locations).toMatchObject([
      { arrivedAt: times.arrived, loadedAt: times.loaded },
      { arrivedAt: times.there, unloadedAt: times.done },
    ])
    expect(after.statusDates).toMatchObject({ in_transit: times.loaded, arrived: times.there, delivered: times.done })
    const { rows } = await app.database.pool.query(
      `select action, "actorId" from audit_entry where "ownerKind" = 'order' and "ownerId" = $1 order by id`,
      [order.id],
    )
    const byDriver = rows.filter(({ action }) => /river/.test(action) && !/Link/.test(action))
    expect(byDriver.map(({ action }) => action)).toEqual([
      'driverTold_arrived',
      'driverTold_loaded',
      'movedByDriver',
      'driverTold_arrived',
      'movedByDriver',
      'driverTold_unloaded',
      'movedByDriver',
    ])
    expect(byDriver.every(({ actorId }) => actorId === null)).toBe(true)
  })

  test('a route that nobody has planned yet is not moved, and no step is taken back by an old time', async () => {
    const order = await newOrder({}, 'new')
    const token = await linkOf(order)
    expect((await tell(token, report(order, 0, 'loaded'))).status).toBe(200)
    expect(await read(order)).toMatchObject({ status: 'new' })
    await moved(order, { to: 'scheduled' })
    await moved(order, { to: 'in_transit' })
    await moved(order, { to: 'delivered', at: ago(0) })
    // The telephone was without a network for hours.
    expect((await tell(token, report(order, 1, 'arrived', { at: ago(HOUR_MS) }))).status).toBe(200)
    expect(await read(order)).toMatchObject({ status: 'delivered' })
  })

  test('a time that staff typed stays, and the driver’s stands beside it', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const typed = ago(3 * HOUR_MS)
    const { version, locations } = await read(order)
    const body = locations.map((stop, place) => {
      const { country: _c, countryCode: _k, position: _p, routeId: _r, ...own } = stop
      return place === 0 ? { ...own, arrivedAt: typed } : own
    })
    const saved = await app.admin.patch(`orders/${order.id}`, { locations: body }, { version })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    const at = ago(2 * HOUR_MS)
    expect((await tell(token, report(order, 0, 'arrived', { at }))).status).toBe(200)
    expect((await read(order)).locations[0]!.arrivedAt).toBe(typed)
    expect((await staffView(order)).reports).toMatchObject([{ kind: 'arrived', at, isWritten: false }])
  })

  test('a time before the arrival that staff typed is told, and moves nothing', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const { version, locations } = await read(order)
    const body = locations.map((stop, place) => {
      const { country: _c, countryCode: _k, position: _p, routeId: _r, ...own } = stop
      return place === 0 ? { ...own, arrivedAt: ago(HOUR_MS) } : own
    })
    expect((await app.admin.patch(`orders/${order.id}`, { locations: body }, { version })).status).toBe(200)
    expect((await tell(token, report(order, 0, 'loaded', { at: ago(2 * HOUR_MS) }))).status).toBe(200)
    expect(await read(order)).toMatchObject({ status: 'scheduled', locations: [{ loadedAt: null }, {}] })
    expect((await staffView(order)).reports).toMatchObject([{ kind: 'loaded', isWritten: false }])
  })

  test('what the link before had taken is one by the renewed link, too, and the old one takes no more', async () => {
    const order = await newOrder()
    const old = await linkOf(order)
    const [arrived, cmr] = [report(order, 0, 'arrived'), report(order, 0, 'cmr')]
    expect((await tell(old, arrived)).status).toBe(200)
    expect((await send(old, cmr)).status).toBe(200)
    const renewed = await linkOf(order)
    // The telephone had no answer to these, and sends them by the new link.
    expect((await tell(renewed, arrived)).status).toBe(200)
    expect((await send(renewed, cmr)).status).toBe(200)
    const waiting = report(order, 0, 'loaded')
    expect((await tell(old, waiting)).status).toBe(404)
    expect((await tell(renewed, waiting)).status).toBe(200)
    expect(await kindsTold(order)).toEqual(['arrived', 'cmr', 'loaded'])
    expect(await documentsOf(order)).toHaveLength(1)
  })

  test('the same report again, ten times at once, is one', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const body = report(order, 0, 'loaded')
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(token, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect((await tell(token, body)).status).toBe(200)
    expect(await kindsTold(order)).toEqual(['loaded'])
    const { rows } = await app.database.pool.query(
      'select 1 from status_move where "orderId" = $1 and "actorId" is null',
      [order.id],
    )
    expect(rows).toHaveLength(1)
    // A key that was something else is no repeat.
    expect((await tell(token, { ...report(order, 1, 'arrived'), key: body.key })).status).toBe(409)
  })

  test('two who tell the same step at once: one of them is told that it is known', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const answers = await Promise.all([
      tell(token, report(order, 0, 'arrived')),
      tell(token, report(order, 0, 'arrived')),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await kindsTold(order)).toEqual(['arrived'])
  })

  test('place, words and who signed reach staff, a picture once, without what its camera wrote into it', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const position = { latitude: 53.54321, longitude: 9.98765, accuracyM: 12 }
    expect((await tell(token, report(order, 0, 'arrived', { position }))).status).toBe(200)
    expect((await tell(token, report(order, 0, 'damage', { text: '2 cartons wet' }))).status).toBe(200)
    const jpeg = withExif(
      Buffer.from(TINY_JPEG.join(''), 'base64'),
      exifOf({ orientation: 6, place: POZNAN, make: 'Phone', takenAt: '2026:11:30 08:10:00' }),
    )
    const picture = report(order, 1, 'cmr')
    const bytes = Uint8Array.from(jpeg)
    const answers = await Promise.all([
      send(token, picture, bytes),
      send(token, picture, bytes),
      send(token, picture, bytes),
    ])
    expect(
      answers.map(({ status, body }) => [status, body.code]),
      JSON.stringify(answers[0]!.body),
    ).toEqual(Array.from({ length: 3 }, () => [200, undefined]))
    expect((await send(token, { ...report(order, 1, 'signature'), signedBy: 'P. Moser' })).status).toBe(200)
    expect((await send(token, report(order, 0, 'cmr'))).status).toBe(200)
    expect((await send(token, report(order, 1, 'pallets'))).status).toBe(200)

    const files = await documentsOf(order)
    expect(files.map(({ documentType }) => documentType).toSorted()).toEqual([
      'CMR_NOTE',
      'PALLET_CERTIFICATE',
      'PROOF_OF_DELIVERY',
      'PROOF_OF_DELIVERY',
    ])
    const pods = files.filter(({ documentType }) => documentType === 'PROOF_OF_DELIVERY')
    for (const { acceptance, locationIds } of pods)
      expect({ acceptance, locationIds }).toEqual({ acceptance: 'toCheck', locationIds: [order.locations[1]!.id] })
    expect(await app.ports.fileStore.kept()).toHaveLength(await countKept())

    const { reports } = await staffView(order)
    expect(reports).toMatchObject([
      { kind: 'arrived', position },
      { kind: 'damage', text: '2 cartons wet' },
      { kind: 'cmr', document: { contentType: 'image/jpeg' } },
      { kind: 'signature', signedBy: 'P. Moser', document: { contentType: 'image/png' } },
      { kind: 'cmr' },
      { kind: 'pallets' },
    ])
    const { fileKey } = (
      await app.database.pool.query('select "fileKey" from document where id = $1', [reports[2]!.document!.id])
    ).rows[0]
    const kept = await app.ports.files.read(fileKey)
    for (const part of placeBytes(POZNAN)) expect(kept.includes(part)).toBe(false)
    expect(kept.includes('Phone')).toBe(false)
  })

  const countKept = async () =>
    Number((await app.database.pool.query('select count(distinct "fileKey") from document')).rows[0].count)

  test('the database keeps what was told as it was', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    await tell(token, report(order, 0, 'arrived'))
    const { pool } = app.database
    await expect(pool.query('update driver_link set nonce = nonce || nonce')).rejects.toThrow()
    await expect(
      pool.query(`insert into driver_report ("orderId", "linkId", "routeId", "locationId", key, kind, at, "receivedAt")
        select "orderId", "linkId", "routeId", "locationId", repeat('f', 32), kind, at, "receivedAt" from driver_report
        where "orderId" = ${order.id}`),
    ).rejects.toThrow('already_told__kind')
  })
})
