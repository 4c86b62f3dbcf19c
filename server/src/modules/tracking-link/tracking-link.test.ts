import { beforeAll, describe, expect, test } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { MARKS_A_MINUTE, type TrackingPage } from '@waybill/contract/public/tracking-link'
import { createVault, oneKey } from '../../kit/context/vault.ts'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { giveCarrierPapers } from '../../../test/carrier-papers.ts'
import { carried, caseWorker, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { FILES, upload } from '../../../test/upload.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let nordlicht: number
let kartonwerk: number
let dispatcher: Caller

beforeAll(async () => {
  world = await orderWorld(app)
  nordlicht = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  kartonwerk = await world.customer('Kartonwerk Süd GmbH', 'DE')
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

async function newOrder(more: Partial<OrderInput> = {}, customerId = nordlicht): Promise<Order> {
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerOrderNumber: '4500129877',
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      ...more,
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const read = async ({ id }: Pick<Order, 'id'>): Promise<Order> => (await app.admin.get(`orders/${id}`)).body
async function patch(order: Pick<Order, 'id'>, change: object): Promise<Order> {
  const { version } = await read(order)
  const { status, body } = await app.admin.patch(`orders/${order.id}`, change, { version })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
async function move(order: Pick<Order, 'id'>, to: string, more: object = {}): Promise<Order> {
  const { version } = await read(order)
  const { status, body } = await app.admin.post(`orders/${order.id}/status`, { to, ...more }, { version })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
/** Types a value at stops, by their place. */
const atStops = (order: Order, changes: readonly object[]) =>
  patch(order, {
    locations: order.locations.map(
      ({ id, country: _c, countryCode: _k, position: _p, routeId: _r, ...stop }, place) => ({
        id,
        ...stop,
        ...changes[place],
      }),
    ),
  })

const linksOf = async (order: Pick<Order, 'id'>, caller = dispatcher) =>
  (await caller.get(`orders/${order.id}/tracking-links`)).body.items as {
    customer: { id: number; title: string }
    link: { id: number; url: string; createdAt: string; expiresAt: string; sentAt: string | null } | null
  }[]
const linkFor = async (order: Pick<Order, 'id'>, customerId: number) =>
  (await linksOf(order)).find(({ customer }) => customer.id === customerId)!.link!

/** Makes the link of a customer; answers its token. */
async function trackedBy(
  order: Pick<Order, 'id'>,
  customerId = nordlicht,
  seen: number | null = null,
): Promise<string> {
  const { version } = await read(order)
  const made = await dispatcher.post(`orders/${order.id}/tracking-links`, { customerId, linkId: seen }, { version })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return new URL((await linkFor(order, customerId)).url).pathname.split('/').at(-1)!
}

let calls = 0
/** The way of a customer: each call from a line of its own, unless one is named. */
const from = (ip?: string) => ({ ip: ip ?? `2001:db8:7:${((calls += 1)).toString(16)}::1` })
const page = (token: string): Promise<Answer<TrackingPage>> =>
  app.anonymous.get(`track/${token}`, from()) as Promise<Answer<TrackingPage>>
const shown = async (token: string): Promise<TrackingPage> => {
  const { status, body } = await page(token)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const withoutRequest = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })

const pod = (mark: string) => ({
  name: `${mark}.pdf`,
  bytes: FILES.text(`%PDF-1.7\n% ${mark}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`),
})
async function addPod({ id }: Pick<Order, 'id'>, mark: string, fields: Record<string, string> = {}) {
  const sent = await upload(app.admin, {
    fields: { orderId: id, documentType: 'PROOF_OF_DELIVERY', ...fields },
    file: pod(mark),
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(201)
  return sent.body as { id: number; version: number }
}

/** Everything that reading could change, the counts of calls apart. */
async function kept(): Promise<string> {
  const { rows } = await app.database.pool.query<{ all: string }>(`
    select md5(concat(
      (select string_agg(l::text, '' order by id) from tracking_link l),
      (select string_agg(o::text, '' order by id) from "order" o),
      (select string_agg(a::text, '' order by id) from audit_entry a),
      (select string_agg(e::text, '' order by id) from email e),
      (select string_agg(d::text, '' order by id) from document d))) as all`)
  return rows[0]!.all
}

describe('a link that opens nothing', () => {
  test('unknown, changed, revoked, expired, foreign ones and those of a deleted order are one answer', async () => {
    const order = await newOrder()
    const revoked = await trackedBy(order)
    expect((await page(revoked)).status).toBe(200)
    const current = await trackedBy(order, nordlicht, (await linkFor(order, nordlicht)).id)
    const bytes = Buffer.from(current, 'base64url')
    bytes[7]! ^= 1
    const expired = await trackedBy(await newOrder())
    const { rows } = await app.database.pool.query('select max(id) as id from tracking_link')
    await app.asOwner(`alter table tracking_link disable trigger all;
      update tracking_link set "createdAt" = '2020-01-01',
        "expiresAt" = timestamptz '${app.clock.now().toISOString()}' - interval '1 second'
        where id = ${rows[0].id};
      alter table tracking_link enable trigger all`)
    const deleted = await newOrder({ routes: [] })
    const orphan = await trackedBy(deleted)
    const gone = await app.admin.delete(`orders/${deleted.id}`, { version: deleted.version })
    expect(gone.status, JSON.stringify(gone.body)).toBe(204)
    const foreign = await trackedBy(await newOrder())
    const callsOf = (token: string) => [
      () => app.anonymous.get(`track/${token}`, from()),
      () => app.anonymous.get(`track/${token}/mark`, from()),
      () => app.anonymous.get(`track/${token}/map`, from()),
      () => app.anonymous.get(`track/${token}/files/x`, from()),
    ]
    const { vault } = app.ports
    app.ports.vault = createVault(oneKey('the key of quite another installation, long enough'))
    const answers = await Promise.all(callsOf(foreign).map((call) => call()))
    app.ports.vault = vault
    expect((await page(foreign)).status).toBe(200)
    const upload = await dispatcher.post(
      `routes/${order.routes[0]!.id}/upload-link`,
      { linkId: null },
      { version: (await read(order)).version },
    )
    const ofCarrier = upload.body.link.url.split('/').at(-1)
    const dead = ['x', '%20', 'a'.repeat(43), bytes.toString('base64url'), `${current}A`]
    for (const token of [...dead, revoked, expired, orphan, ofCarrier])
      for (const call of callsOf(token)) answers.push(await call())
    const expected = withoutRequest(answers[0]!)
    expect(expected).toMatchObject({ status: 404, code: 'not_found' })
    for (const answer of answers) expect(withoutRequest(answer)).toEqual(expected)
    expect((await page(current)).status).toBe(200)
    expect((await app.anonymous.get(`upload-documents/${current}`, from())).status).toBe(404)
  })

  test('is over once its customer has left the order, and for the result of a merge that was undone', async () => {
    const order = await newOrder({ customerIds: [nordlicht, kartonwerk] })
    const token = await trackedBy(order, kartonwerk)
    expect((await page(token)).status).toBe(200)
    await patch(order, { customerIds: [nordlicht] })
    expect((await page(token)).status).toBe(404)
    const { result, sources } = await truck()
    const [ofResult, ofSource] = [await trackedBy(result), await trackedBy(sources[0])]
    expect((await page(ofResult)).status).toBe(200)
    const undone = await app.admin.post(`orders/${result.id}/unmerge`, { version: result.version })
    expect(undone.status, JSON.stringify(undone.body)).toBe(200)
    expect((await page(ofResult)).status).toBe(404)
    expect((await shown(ofSource)).state).toBe('planned')
  })

  test('is slowed after thirty wrong tries of an address, on whichever page, and learns nothing then', async () => {
    const token = await trackedBy(await newOrder())
    const ip = '203.0.113.9'
    // The minute must not change on the way.
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    const statuses: number[] = []
    for (let guess = 0; guess < 34; guess += 1) {
      const path = guess % 2 === 0 ? 'track' : 'upload-documents'
      statuses.push((await app.anonymous.get(`${path}/${'b'.repeat(40)}${guess}`, from(ip))).status)
    }
    expect(statuses).toEqual([...Array<number>(30).fill(404), ...Array<number>(4).fill(429)])
    expect((await app.anonymous.get(`track/${token}`, from(ip))).status).toBe(429)
    expect((await page(token)).status).toBe(200)
  })

  test('takes thirty calls in a minute, files included', async () => {
    const token = await trackedBy(await newOrder())
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    const statuses: number[] = []
    for (let call = 0; call < 16; call += 1) {
      statuses.push((await page(token)).status)
      statuses.push((await app.anonymous.get(`track/${token}/files/x`, from())).status)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})

describe('staff', () => {
  test('of other orders neither see, make nor revoke a link, and nobody without the right', async () => {
    const order = await newOrder()
    await trackedBy(order)
    const { id } = await linkFor(order, nordlicht)
    const { caller: stranger } = await app.userWith('ASSIGNED_ORDERS')
    const { caller: clerk } = await app.userWith('INVOICES_PROCESSING', 'CUSTOMER_MANAGEMENT')
    const { version } = await read(order)
    for (const [caller, status] of [
      [stranger, 404],
      [clerk, 403],
      [app.anonymous, 401],
    ] as const) {
      const path = `orders/${order.id}/tracking-links`
      const made = await caller.post(path, { customerId: nordlicht, linkId: id }, { version })
      const revoked = await caller.delete(`${path}/${nordlicht}`, { version })
      expect([(await caller.get(path)).status, made.status, revoked.status]).toEqual([status, status, status])
    }
    expect((await linkFor(order, nordlicht)).id).toBe(id)
  })

  test('make one upon the version they read, for a customer of the order, not over one they did not see', async () => {
    const order = await newOrder()
    const path = `orders/${order.id}/tracking-links`
    const make = (body: object, version = order.version) => dispatcher.post(path, body, { version })
    expect((await make({ customerId: nordlicht, linkId: null }, order.version + 1)).body.code).toBe('stale_version')
    expect((await make({ customerId: kartonwerk, linkId: null })).body.errors[0]).toMatchObject({
      path: 'customerId',
      code: 'unknown_reference',
    })
    expect((await dispatcher.post(path, { customerId: nordlicht, linkId: null })).status).toBe(428)
    expect((await dispatcher.delete(`${path}/${nordlicht}`, { version: order.version })).status).toBe(404)
    const many = await Promise.all([1, 2, 3, 4, 5, 6].map(() => make({ customerId: nordlicht, linkId: null })))
    expect(many.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const link = await linkFor(order, nordlicht)
    expect(link.url).toMatch(/\/track\/[\w-]{43}$/)
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBeGreaterThan(364 * 86_400_000)
    // The order is as it was: who types in it keeps what was typed.
    expect((await read(order)).version).toBe(order.version)
  })

  test('revoke one at once, also of an order that was merged, and the history tells it', async () => {
    const { sources } = await truck()
    const token = await trackedBy(sources[0])
    expect((await page(token)).status).toBe(200)
    const { version } = await read(sources[0])
    const revoked = await dispatcher.delete(`orders/${sources[0].id}/tracking-links/${nordlicht}`, { version })
    expect(revoked.status).toBe(204)
    expect((await page(token)).status).toBe(404)
    expect(await linksOf(sources[0])).toMatchObject([{ customer: { id: nordlicht }, link: null }])
    const { items } = (await dispatcher.get(`audit-entries?orderId=${sources[0].id}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['trackingLinkMade', 'trackingLinkRevoked']),
    )
  })
})

/** A truck that carries an order of each customer; the second is unloaded first. */
async function truck(more: [Partial<OrderInput>, Partial<OrderInput>] = [{}, {}]) {
  const part = (mark: string, days: [string, string]) => ({
    cargo: [{ key: 'c', title: `Goods of ${mark}`, quantity: 4, weightKg: 800 }],
    locations: [
      {
        key: 'from',
        kind: 'loading' as const,
        termin: { kind: 'fix' as const, dateFrom: days[0], timeFrom: '08:00' },
        countryId: world.countries.DE,
        city: `Load ${mark}`,
        cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' as const }],
      },
      {
        key: 'to',
        kind: 'unloading' as const,
        termin: { kind: 'before' as const, dateFrom: days[1], timeFrom: '16:00' },
        countryId: world.countries.PL,
        city: `Drop ${mark}`,
        cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' as const }],
      },
    ],
    routes: [],
  })
  const sources = [
    await newOrder({ ...part('Nord', ['2026-11-30', '2026-12-03']), ...more[0] }),
    await newOrder(
      { ...part('Karton', ['2026-11-30', '2026-12-02']), customerOrderNumber: 'KW-7', ...more[1] },
      kartonwerk,
    ),
  ] as const
  const { status, body } = await app.admin.post('orders/merge', {
    orderIds: sources.map(({ id }) => id),
    carrierCompanyId: world.carrier.id,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { result: body as Order, sources }
}

describe('the mark of a page', () => {
  const markOf = (token: string): Promise<Answer> => app.anonymous.get(`track/${token}/mark`, from())

  test('is another one as soon as the order, a proof of delivery, or the order that it went into is', async () => {
    const { sources, result } = await truck()
    const order = await newOrder()
    const [token, merged] = [await trackedBy(order), await trackedBy(sources[0])]
    const marks = new Set<string>()
    const seen = async (of: string): Promise<string> => {
      const { status, body } = await markOf(of)
      expect(status).toBe(200)
      expect(body).toEqual({ mark: (await shown(of)).mark })
      return body.mark
    }
    marks.add(await seen(token))
    expect(await seen(token)).toBe([...marks][0])
    await atStops(order, [{}, { plannedAt: '2026-12-01T09:30:00Z' }])
    marks.add(await seen(token))
    const pod = await upload(app.admin, {
      fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id },
      file: { name: 'CMR.pdf', bytes: FILES.pdf() },
    })
    expect(pod.status, JSON.stringify(pod.body)).toBe(201)
    marks.add(await seen(token))
    marks.add(await seen(merged))
    await patch(result, { description: 'Call before' })
    marks.add(await seen(merged))
    expect(marks.size).toBe(5)
  })

  test('is counted by itself: who looks takes no call from the page, and a hundred and twenty are enough', async () => {
    const token = await trackedBy(await newOrder())
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    const statuses: number[] = []
    for (let call = 0; call < MARKS_A_MINUTE + 2; call += 1) statuses.push((await markOf(token)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(MARKS_A_MINUTE)
    expect(statuses.slice(MARKS_A_MINUTE)).toEqual([429, 429])
    expect((await page(token)).status).toBe(200)
    app.clock.advance(60_000)
    expect((await markOf(token)).status).toBe(200)
  })
})

describe('the map of a page', () => {
  const HAMBURG = { latitude: 53.55, longitude: 9.99 }
  const POZNAN = { latitude: 52.41, longitude: 16.93 }
  const mapOf = (token: string) => app.anonymous.get(`track/${token}/map`, from())
  const numbersOn = ({ raw }: Answer) =>
    [...raw.toString('utf8').matchAll(/<text [^>]*>(\d+)<\/text>/g)].map(([, number]) => Number(number)).toSorted()

  test('is not there without two places, nor of a canceled order', async () => {
    const order = await newOrder()
    const token = await trackedBy(order)
    await atStops(order, [HAMBURG, { latitude: null, longitude: null }])
    expect((await shown(token)).hasMap).toBe(false)
    expect((await mapOf(token)).status).toBe(404)
    await atStops(await read(order), [HAMBURG, POZNAN])
    expect((await shown(token)).hasMap).toBe(true)
    await move(order, 'canceled', { reason: 'The customer has no goods' })
    expect((await shown(token)).hasMap).toBe(false)
    expect((await mapOf(token)).status).toBe(404)
  })

  test('has its stops by their numbers, driven ways apart from those to come, and changes nothing', async () => {
    const order = await newOrder()
    const token = await trackedBy(order)
    await atStops(order, [HAMBURG, POZNAN])
    const before = await read(order)
    const { mark } = await shown(token)
    const first = await app.anonymous.get(`track/${token}/map?mark=${encodeURIComponent(mark)}`, from())
    expect(first.status).toBe(200)
    expect(first.headers['content-type']).toContain('image/svg+xml')
    expect(numbersOn(first)).toEqual([1, 2])
    const svg = first.raw.toString('utf8')
    // West of the drop-off lies the loading, at about the same height.
    const [drop, load] = [...svg.matchAll(/<rect class="stop[^"]*" x="(\d+)" y="(\d+)"/g)].map(([, x, y]) => [+x!, +y!])
    expect(load![0]).toBeLessThan(drop![0]!)
    expect(svg).not.toContain('class="way done"')
    expect(await read(order)).toEqual(before)
    await move(order, 'scheduled')
    await move(order, 'in_transit', { at: app.clock.now().toISOString() })
    await move(order, 'delivered', { at: app.clock.now().toISOString() })
    expect((await mapOf(token)).raw.toString('utf8')).toContain('class="way done"')
  })

  test('at one place twice still shows the country around it', async () => {
    const order = await newOrder()
    const token = await trackedBy(order)
    await atStops(order, [HAMBURG, HAMBURG])
    const { status, raw } = await mapOf(token)
    expect(status).toBe(200)
    expect(raw.toString('utf8')).not.toMatch(/NaN|Infinity/)
    expect(/<path class="land" d="([^"]*)"/.exec(raw.toString('utf8'))![1]!.length).toBeGreaterThan(50)
  })
})

describe('what a link shows', () => {
  test('names and rings its case worker until that person leaves', async () => {
    const worker = await caseWorker(app)
    const token = await trackedBy(await newOrder({ caseWorkerId: worker.id }))
    const contact = async () => (await shown(token)).contact
    expect(await contact()).toEqual(worker.contact)
    await worker.leave()
    const { name, phone } = await contact()
    expect(name).toBeNull()
    expect(phone).not.toBe(worker.contact.phone)
  })

  test('is how the order stands, from planned to delivered, and changes nothing', async () => {
    const order = await newOrder({ caseWorkerId: (await app.admin.get('users')).body.items[0].id })
    const token = await trackedBy(order)
    const before = await kept()
    expect(await shown(token)).toMatchObject({
      language: 'de',
      reference: '4500129877',
      number: order.number,
      state: 'planned',
      stop: 0,
      delay: null,
      plateNumbers: [],
      files: [],
      stops: [
        {
          kind: 'loading',
          countryCode: 'DE',
          city: 'Hamburg',
          timeZone: 'Europe/Berlin',
          termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' },
          isDone: false,
        },
        { kind: 'unloading', countryCode: 'PL', city: 'Poznań', isDone: false },
      ],
      company: { title: expect.any(String) },
      contact: { name: expect.any(String) },
    })
    expect((await page(token)).headers['cache-control']).toBe('no-store')
    expect((await page(token)).headers['set-cookie']).toBeUndefined()
    expect(await kept()).toBe(before)
    const standing = async () => {
      const { state, stop } = await shown(token)
      return [state, stop]
    }
    await move(order, 'scheduled')
    expect(await standing()).toEqual(['planned', 0])
    app.clock.advance(Date.parse('2026-11-30T06:30:00Z') - app.clock.now().getTime())
    dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
    app.admin = app.withToken((await app.signIn('admin@waybill.example', 'Correct-Horse-7')).body.token)
    expect(await standing()).toEqual(['toLoading', 0])
    await atStops(await read(order), [{ arrivedAt: '2026-11-30T06:20:00Z' }, {}])
    expect(await standing()).toEqual(['loading', 0])
    await atStops(await read(order), [{ loadedAt: '2026-11-30T06:29:00Z' }, {}])
    expect(await standing()).toEqual(['loaded', 0])
    await move(order, 'in_transit')
    expect(await standing()).toEqual(['onTheWay', 1])
    app.clock.advance(Date.parse('2026-12-01T05:50:00Z') - app.clock.now().getTime())
    app.admin = app.withToken((await app.signIn('admin@waybill.example', 'Correct-Horse-7')).body.token)
    dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
    await move(order, 'arrived', { at: '2026-12-01T05:45:00Z' })
    expect(await standing()).toEqual(['arrived', 1])
    await move(order, 'delivered', { at: '2026-12-01T05:49:00Z' })
    const done = await shown(token)
    expect(done).toMatchObject({ state: 'delivered', stop: 1, delay: null })
    expect(done.stops.map(({ isDone }) => isDone)).toEqual([true, true])
    expect(done.stops[1]).toMatchObject({ unloadedAt: '2026-12-01T05:49:00.000Z', loadedAt: null })
  })

  test('follows a delay as soon as it is typed, and says so of one that nobody has typed', async () => {
    const order = await newOrder({
      locations: shipment(world).locations!.map((stop, place) => ({
        ...stop,
        termin: { kind: 'before', dateFrom: `2026-12-0${place + 3}`, timeFrom: '16:00' },
      })),
    })
    const token = await trackedBy(order)
    expect((await shown(token)).delay).toBeNull()
    await atStops(order, [{}, { plannedAt: '2026-12-04T14:59:00Z' }])
    expect((await shown(token)).stops[1]).toMatchObject({ lateMinutes: 0, expectedAt: '2026-12-04T14:59:00.000Z' })
    expect((await shown(token)).delay).toBeNull()
    await atStops(await read(order), [{}, { plannedAt: '2026-12-04T17:30:00Z', delayReason: 'A2 closed' }])
    expect(await shown(token)).toMatchObject({
      delay: {
        stop: 1,
        dueAt: '2026-12-04T15:00:00.000Z',
        expectedAt: '2026-12-04T17:30:00.000Z',
        reason: 'A2 closed',
      },
      stops: [{ lateMinutes: null }, { lateMinutes: 150 }],
    })
    await atStops(await read(order), [{ plannedAt: '2026-12-03T14:30:00Z' }, { plannedAt: null }])
    expect((await shown(token)).delay).toBeNull()
    await move(order, 'scheduled')
    const at = async (time: string) => {
      app.clock.advance(Date.parse(time) - app.clock.now().getTime())
      const { delay, stops } = await shown(token)
      return [delay, stops[0]!.expectedAt, stops[0]!.lateMinutes]
    }
    expect(await at('2026-12-03T14:45:00Z')).toEqual([null, '2026-12-03T14:30:00.000Z', 0])
    // The time that was planned went by with the appointment: nobody is called on time.
    expect(await at('2026-12-03T15:01:00Z')).toEqual([
      { stop: 0, dueAt: '2026-12-03T15:00:00.000Z', expectedAt: null, reason: null },
      null,
      null,
    ])
    app.admin = app.withToken((await app.signIn('admin@waybill.example', 'Correct-Horse-7')).body.token)
    dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
  })

  test('at customs is passed once the truck is further on its way, and expects nobody there then', async () => {
    const [first, last] = shipment(world).locations!
    const customs = { key: 'zoll', kind: 'customs' as const, countryId: world.countries.CH, city: 'Basel' }
    const order = await newOrder({
      locations: [first!, { ...customs, plannedAt: '2026-12-01T05:00:00Z' }, last!],
      routes: [{ ...carried(world), locationKeys: ['from', 'zoll', 'to'] }],
    })
    const token = await trackedBy(order)
    const atCustoms = async () => (await shown(token)).stops[1]
    expect(await atCustoms()).toMatchObject({ kind: 'customs', isDone: false, expectedAt: '2026-12-01T05:00:00.000Z' })
    const arrivedAt = new Date(app.clock.now().getTime() - 60_000).toISOString()
    await atStops(order, [{}, {}, { arrivedAt }])
    expect(await atCustoms()).toMatchObject({ isDone: true, expectedAt: null, arrivedAt: null })
  })

  test('where goods of two customers meet at one stop is what happens to the own ones there', async () => {
    const at = (key: string, kind: 'loading' | 'unloading' | 'other', cargoActions: object[], day: string) => ({
      key,
      kind,
      countryId: world.countries.DE,
      city: key,
      termin: { kind: 'before' as const, dateFrom: day, timeFrom: '16:00' },
      cargoActions,
    })
    const order = await newOrder({
      customerIds: [nordlicht, kartonwerk],
      cargo: [
        { key: 'n', customerId: nordlicht, title: 'Machines', quantity: 1 },
        { key: 'k', customerId: kartonwerk, title: 'Boxes', quantity: 1 },
      ],
      locations: [
        at('Kiel', 'loading', [{ cargoKey: 'n', action: 'PICK_UP' }], '2026-12-07'),
        at(
          'Hub',
          'other',
          [
            { cargoKey: 'n', action: 'DROP_OFF' },
            { cargoKey: 'k', action: 'PICK_UP' },
          ],
          '2026-12-08',
        ),
        at('Ulm', 'unloading', [{ cargoKey: 'k', action: 'DROP_OFF' }], '2026-12-09'),
      ] as OrderInput['locations'],
      routes: [{ ...carried(world), locationKeys: ['Kiel', 'Hub', 'Ulm'] }],
    })
    const now = app.clock.now().toISOString()
    await atStops(order, [{ loadedAt: now }, { loadedAt: now, unloadedAt: now }, {}])
    const [nord, karton] = [await shown(await trackedBy(order)), await shown(await trackedBy(order, kartonwerk))]
    expect(nord).toMatchObject({
      reference: '4500129877',
      state: 'delivered',
      stops: [
        { city: 'Kiel', kind: 'loading' },
        { city: 'Hub', kind: 'unloading', loadedAt: null },
      ],
    })
    // The number that the first customer gave the order is not the other one's to know.
    expect(karton).toMatchObject({
      reference: order.number,
      state: 'loaded',
      stops: [
        { city: 'Hub', kind: 'loading', unloadedAt: null },
        { city: 'Ulm', kind: 'unloading' },
      ],
    })
  })

  test('names who drives the own goods where the department lets customers know, once that is planned', async () => {
    const at = (city: string, kind: 'loading' | 'unloading', cargoKey: string) => ({
      key: city,
      kind,
      countryId: world.countries.DE,
      city,
      termin: { kind: 'before' as const, dateFrom: '2026-12-07', timeFrom: '16:00' },
      cargoActions: [{ cargoKey, action: kind === 'loading' ? ('PICK_UP' as const) : ('DROP_OFF' as const) }],
    })
    const other = await app.admin.post('carrier-companies', { title: 'Ebro Cargo SL', countryId: world.countries.DE })
    await giveCarrierPapers(app.admin, other.body.id)
    const theirs = carried(world).assignment
    const order = await newOrder({
      customerIds: [nordlicht, kartonwerk],
      cargo: [
        { key: 'n', customerId: nordlicht, title: 'Machines', quantity: 1 },
        { key: 'k', customerId: kartonwerk, title: 'Boxes', quantity: 1 },
      ],
      locations: [
        at('Kiel', 'loading', 'n'),
        at('Köln', 'unloading', 'n'),
        at('Bonn', 'loading', 'k'),
        at('Ulm', 'unloading', 'k'),
      ],
      routes: [
        { assignment: theirs, locationKeys: ['Kiel', 'Köln'] },
        { assignment: { ...theirs, driverIds: [], carrierCompanyId: other.body.id }, locationKeys: ['Bonn', 'Ulm'] },
      ],
    } as Partial<OrderInput>)
    const carrier = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body.title
    const tokens = [await trackedBy(order), await trackedBy(order, kartonwerk)]
    const named = async () => Promise.all(tokens.map(async (token) => (await shown(token)).carriers))
    const show = async (showsCarrier: boolean) => {
      const { version } = (await app.admin.get(`departments/${world.departmentId}`)).body
      const saved = await app.admin.patch(`departments/${world.departmentId}`, { showsCarrier }, { version })
      expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    }
    await move(order, 'scheduled')
    expect(await named()).toEqual([[], []])
    const { mark } = await shown(tokens[0]!)
    await show(true)
    expect(await named()).toEqual([[carrier], ['Ebro Cargo SL']])
    // Who looks at the page learns of it at once.
    expect((await shown(tokens[0]!)).mark).not.toBe(mark)
    await move(order, 'new', { reason: 'The carrier has no truck' })
    expect(await named()).toEqual([[], []])
    await move(order, 'scheduled')
    await show(false)
    for (const token of tokens) {
      const { raw } = await page(token)
      for (const name of [carrier, 'Ebro Cargo SL']) expect(raw.toString('utf8')).not.toContain(name)
    }
  })

  test('of a canceled order is that it is canceled, and nothing else', async () => {
    const order = await newOrder()
    const token = await trackedBy(order)
    await addPod(order, 'Signed')
    expect((await shown(token)).files).toHaveLength(1)
    const { key } = (await shown(token)).files[0]!
    await move(order, 'canceled', { reason: 'The customer has no goods' })
    expect(await shown(token)).toMatchObject({
      state: 'canceled',
      reference: '4500129877',
      stops: [],
      files: [],
      plateNumbers: [],
      delay: null,
    })
    expect((await page(token)).raw.toString('utf8')).not.toContain('no goods')
    expect((await app.anonymous.get(`track/${token}/files/${key}`, from())).status).toBe(404)
  })

  test('is a proof of delivery once it is accepted, under our name for it and by the rules for files', async () => {
    const order = await newOrder()
    const token = await trackedBy(order)
    const { id } = await addPod(order, 'Trans-Wielkopolska CMR')
    const decide = async (step: 'accept' | 'refuse', body: object) => {
      const { items } = (await app.admin.get(`documents?orderId=${order.id}`)).body
      const { version } = items.find((one: { id: number }) => one.id === id)
      const decided = await app.admin.post(`documents/${id}/${step}`, body, { version })
      expect(decided.status, JSON.stringify(decided.body)).toBe(200)
    }
    const [file] = (await shown(token)).files
    expect(file).toMatchObject({ title: `POD_${order.number}_1.pdf`, sizeBytes: expect.any(Number) })
    const path = `track/${token}/files/${file!.key}`
    const given = await app.anonymous.get(path, from())
    expect([given.status, given.raw.toString('latin1')]).toEqual([200, expect.stringContaining('Trans-Wielkopolska')])
    expect(given.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-type': 'application/pdf',
      'cache-control': expect.stringContaining('no-store'),
    })
    expect(String(given.headers['content-disposition'])).toContain(`POD_${order.number}_1.pdf`)
    const isGone = async () => {
      expect((await shown(token)).files).toEqual([])
      expect((await app.anonymous.get(path, from())).status).toBe(404)
    }
    // As one that came through a carrier's link.
    await app.database.pool.query(`update document set acceptance = 'toCheck', "acceptedAt" = null where id = $1`, [id])
    await isGone()
    await decide('refuse', { reason: 'No signature' })
    await isGone()
    await decide('accept', {})
    expect((await app.anonymous.get(path, from())).status).toBe(200)
    // The word of a file is one link's own.
    const other = await trackedBy(await newOrder())
    for (const key of [file!.key, `${id}`, '../1', ''])
      expect((await app.anonymous.get(`track/${other}/files/${encodeURIComponent(key)}`, from())).status).toBe(404)
    const invoice = await upload(app.admin, {
      fields: { orderId: order.id, documentType: 'OTHER_DOCUMENTS' },
      file: pod('Internal'),
    })
    expect(invoice.status).toBe(201)
    expect((await shown(token)).files).toHaveLength(1)
  })

  test('is of a merged truck the customer’s own part, before, during and after the merge', async () => {
    const { result, sources } = await truck()
    const [nord, karton] = [await trackedBy(sources[0]), await trackedBy(sources[1], kartonwerk)]
    const [nordOfTruck, kartonOfTruck] = [await trackedBy(result), await trackedBy(result, kartonwerk)]
    for (const token of [nord, nordOfTruck]) {
      const { body, raw } = await page(token)
      expect(body.stops.map(({ city }) => city)).toEqual(['Load Nord', 'Drop Nord'])
      expect(body.reference).toBe('4500129877')
      expect(raw.toString('utf8')).not.toMatch(/Karton|KW-7|Goods/)
    }
    for (const token of [karton, kartonOfTruck]) {
      const { body, raw } = await page(token)
      expect(body.stops.map(({ city }) => city)).toEqual(['Load Karton', 'Drop Karton'])
      expect(body.reference).toBe('KW-7')
      expect(raw.toString('utf8')).not.toMatch(/Nord|4500129877|Goods/)
    }
    expect((await shown(nord)).number).toBe(sources[0].number)
    // What happens to the goods of one is not what happens to those of the other.
    const order = await read(result)
    const at = order.locations.map(({ city }) => city)
    const when = { arrivedAt: '2026-12-02T09:00:00Z', unloadedAt: '2026-12-02T09:30:00Z' }
    const loaded = at.map((city) => (city!.startsWith('Load') ? { loadedAt: '2026-11-30T08:00:00Z' } : {}))
    await atStops(order, loaded)
    await move(result, 'scheduled')
    await move(result, 'in_transit')
    await atStops(
      await read(result),
      at.map((city) => (city === 'Drop Karton' ? when : {})),
    )
    expect(await shown(karton)).toMatchObject({ state: 'delivered' })
    expect(await shown(nord)).toMatchObject({ state: 'onTheWay', stop: 1 })
    // A paper of both is shown to neither, one of its own delivery to each.
    const drops = (await read(result)).locations.filter(({ kind }) => kind === 'unloading')
    const idAt = (city: string) => String(drops.find((stop) => stop.city === city)!.id)
    await addPod(result, 'Both', { locationIds: drops.map(({ id }) => id).join(',') })
    expect([(await shown(nord)).files, (await shown(karton)).files]).toEqual([[], []])
    await addPod(result, 'Karton alone', { locationIds: idAt('Drop Karton') })
    expect([(await shown(nord)).files.length, (await shown(karton)).files.length]).toEqual([0, 1])
    expect((await shown(kartonOfTruck)).files).toHaveLength(1)
  })
})
