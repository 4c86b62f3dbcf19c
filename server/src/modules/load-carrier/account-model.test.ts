// Whatever is typed, told by drivers, corrected and removed, by hand and through stops: an account is the sum of what
// stands there now.
import { beforeAll, expect, test } from 'vitest'
import {
  HOLDER_KINDS,
  LAST_DAY_OF_PIECE_AGE,
  PIECE_AGES,
  type Accounts,
  type HolderKind,
  type PieceAge,
} from '@waybill/contract/load-carrier/account'
import type { StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import type { Order } from '@waybill/contract/order/order'
import { createRandom, type Random } from '../../../seeds/demo/random.ts'
import { useTestApp } from '../../../test/app.ts'
import { modelRuns } from '../../../test/model-runs.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'

const app = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })
const TODAY = '2026-12-01'
const DAY = 86_400_000
const ACTS = modelRuns(120, 1500)
let world: OrderWorld
let holders: { kind: HolderKind; id: number }[]
let customers: number[]
let carriers: number[]
let typeIds: number[]

beforeAll(async () => {
  world = await orderWorld(app)
  const made = async (path: string, body: object): Promise<number> => {
    const answer = await app.admin.post(path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.id
  }
  customers = [await world.customer('Modell GmbH', 'DE'), await world.customer('Modell Zwei GmbH', 'DE')]
  const other = await made('carrier-companies', { title: 'Modell Trans', countryId: world.countries.PL })
  const placeId = await made('load-carrier-places', { title: 'Modell-Lager', countryId: world.countries.DE })
  carriers = [world.carrier.id, other]
  holders = [
    ...customers.map((id) => ({ kind: 'customer' as const, id })),
    ...carriers.map((id) => ({ kind: 'carrier' as const, id })),
    { kind: 'place', id: placeId },
  ]
  typeIds = (await app.admin.get('load-carrier-types')).body.items.map(({ id }: { id: number }) => id)
})

const days = (random: Random, most: number) =>
  new Date(Date.parse(TODAY) - random.int(0, most) * DAY).toISOString().slice(0, 10)
const moved = (random: Random) => {
  const [given, received] = [random.int(0, 33), random.int(0, 33)]
  return given + received === 0 ? { given: 1, received: 0 } : { given, received }
}

interface Hand {
  id: number
  version: number
}

const byHand = (random: Random) => ({
  holder: random.pick(holders),
  movedOn: days(random, 200),
  typeId: random.pick(typeIds),
  ...moved(random),
})

async function newOrder(random: Random): Promise<Order> {
  const stop = (key: string, kind: 'loading' | 'unloading', day: string) => ({
    key,
    kind,
    termin: { kind: 'fix' as const, dateFrom: day, timeFrom: '08:00' },
    countryId: world.countries.DE,
    companyTitle: random.pick(['Modell-Lager', 'Werk 2', 'Rampe Süd']),
    city: random.pick([null, 'Kassel']),
  })
  const { status, body } = await app.admin.post(
    'orders',
    plainOrder(world, random.pick(customers), {
      locations: [stop('a', 'loading', '2026-11-20'), stop('b', 'unloading', '2026-11-21')],
      routes: random.chance(0.7)
        ? [{ assignment: { carrierCompanyId: random.pick(carriers) }, locationKeys: ['a', 'b'] }]
        : [],
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function typeAtStop(random: Random, order: Order): Promise<void> {
  const stop = random.pick(order.locations)
  const path = `orders/${order.id}/stops/${stop.id}/load-carriers`
  const { body: now } = await app.admin.get(path)
  const some = typeIds.filter(() => random.chance(0.5))
  const isCustomer = random.chance(0.3)
  // A stop without a firm has no account of a place.
  const isRefused = !isCustomer && stop.companyTitle === null && some.length > 0
  const { status, body } = await app.admin.put(
    path,
    {
      partner: isCustomer ? 'customer' : 'place',
      customerId: isCustomer ? order.customerIds[0]! : null,
      movedOn: days(random, 120),
      lines: some.map((typeId) => ({ typeId, damaged: 0, ...moved(random) })),
    },
    { version: now.version },
  )
  expect(status, JSON.stringify(body)).toBe(isRefused ? 422 : 200)
}

let reports = 0
/** The driver tells what was exchanged at a stop: it counts there unless staff have saved that stop. */
async function tellAtStop(random: Random, id: number): Promise<void> {
  const { body: order } = await app.admin.get<Order>(`orders/${id}`)
  const route = order.routes.find(({ assignment }) => (assignment?.carrierCompanyId ?? null) !== null)
  const stops = order.locations.filter(({ routeId }) => routeId === route?.id)
  if (route === undefined || stops.length === 0) return
  const stop = random.pick(stops)
  const path = `routes/${route.id}/driver-link`
  const { link } = (await app.admin.get(path)).body
  const { url } = link ?? (await app.admin.post(path, { linkId: null }, { version: order.version })).body.link
  const typed = `orders/${id}/stops/${stop.id}/load-carriers`
  const { body: before } = await app.admin.get<StopLoadCarriers>(typed)
  const lines = typeIds
    .toSorted((one, other) => one - other)
    .filter(() => random.chance(0.5))
    .map((typeId) => ({ typeId, damaged: 0, ...moved(random) }))
  const number = (reports += 1).toString(16)
  const { status, body } = await app.anonymous.post(
    `drive/${url.split('/').at(-1)}/reports`,
    {
      key: number.padStart(32, '0'),
      stopId: stop.id,
      kind: 'loadCarriers',
      at: app.clock.now().toISOString(),
      exchange: { noteNumber: random.pick([null, '77120']), lines },
    },
    { ip: `2001:db8:f:${number}::1` },
  )
  expect(status, JSON.stringify(body)).toBe(200)
  const isOurs = before.version > 0 && !before.isAsTold
  const { body: after } = await app.admin.get<StopLoadCarriers>(typed)
  expect(after).toMatchObject({
    told: { lines },
    isAsTold: !isOurs,
    version: isOurs ? before.version : before.version + 1,
    lines: isOurs ? before.lines : lines,
  })
}

const carrierOf = ({ assignment }: Order['routes'][number]) =>
  assignment === null ? null : { carrierCompanyId: assignment.carrierCompanyId }

/** Renames a stop, removes one, gives the route to another carrier, or to nobody, or the order to another customer. */
async function changeOrder(random: Random, id: number): Promise<void> {
  const { body: order } = await app.admin.get<Order>(`orders/${id}`)
  const stops = order.locations.map(({ country: _c, countryCode: _k, position: _p, routeId: _r, ...stop }) => stop)
  const [route] = order.routes
  const kind = random.pick(['rename', 'remove', 'carrier', 'customer'] as const)
  const body =
    kind === 'rename'
      ? { locations: stops.map((stop) => ({ ...stop, companyTitle: random.pick(['Werk 2', 'Rampe Nord', null]) })) }
      : kind === 'remove'
        ? {
            locations: stops.slice(0, 1),
            ...(route && { routes: [{ id: route.id, locationIds: [stops[0]!.id], assignment: carrierOf(route) }] }),
          }
        : kind === 'customer'
          ? { customerIds: [random.pick(customers)] }
          : route === undefined
            ? {}
            : {
                routes: [
                  {
                    id: route.id,
                    locationIds: route.locationIds,
                    assignment: random.chance(0.3) ? null : { carrierCompanyId: random.pick(carriers) },
                  },
                ],
              }
  const answer = await app.admin.patch(`orders/${id}`, body, { version: order.version })
  expect(answer.status, `${kind} ${JSON.stringify(answer.body)}`).toBe(200)
}

const TABLES = { customer: 'customer', carrier: 'carrier_company', place: 'load_carrier_place' } as const
const COLUMNS = { customer: 'customerId', carrier: 'carrierCompanyId', place: 'placeId' } as const

interface Entry {
  typeId: number
  movedOn: string
  id: number
  net: number
}

/** What moved an account, asked for anew from the tables alone: by hand, at stops, and as the carrier of a stop. */
async function entriesOf(kind: HolderKind, id: number): Promise<Entry[]> {
  const { rows } = await app.database.pool.query<Entry>(
    `select m."typeId"::int as "typeId", m."movedOn"::text as "movedOn", m.id::int as id, m.given - m.received as net
       from load_carrier_movement m where m."${COLUMNS[kind]}" = $1
     union all
     select m."typeId"::int, m."movedOn"::text, m.id::int, m.received - m.given from load_carrier_movement m
       join location l on l.id = m."locationId" join route r on r.id = l."routeId"
       join assignment a on a."routeId" = r.id
       where $2 and a."carrierCompanyId" = $1`,
    [id, kind === 'carrier'],
  )
  return rows.toSorted((one, other) => one.movedOn.localeCompare(other.movedOn) || one.id - other.id)
}

function ageOf(movedOn: string): PieceAge {
  const age = (Date.parse(TODAY) - Date.parse(movedOn)) / DAY
  return PIECE_AGES.find((one) => one === 'over90' || age <= LAST_DAY_OF_PIECE_AGE[one])!
}

/** First in, first out, piece by piece: what is left in the queue is what is open. */
function openOf(entries: readonly Entry[]): { pieces: number; ages: Record<PieceAge, number> } {
  const queues: Record<1 | -1, Entry[]> = { 1: [], [-1]: [] }
  for (const { net, ...entry } of entries)
    for (let piece = 0; piece < Math.abs(net); piece += 1)
      queues[net > 0 ? 1 : -1].push({ ...entry, net: Math.sign(net) })
  const pieces = queues[1].length - queues[-1].length
  const left = pieces >= 0 ? queues[1].slice(queues[-1].length) : queues[-1].slice(queues[1].length)
  const ages = { to30: 0, to60: 0, to90: 0, over90: 0 }
  for (const { movedOn, net } of left) ages[ageOf(movedOn)] += net
  return { pieces, ages }
}

async function expectAccounts(seed: number): Promise<void> {
  const { rows: foreign } = await app.database.pool.query(
    `select m.id from load_carrier_movement m join location l on l.id = m."locationId"
       join "order" o on o.id = l."orderId"
       where m."customerId" is not null and m."customerId" <> all(o."customerIds")`,
  )
  expect(foreign, `of no customer of its order, seed ${seed}`).toEqual([])
  const { rows: unproven } = await app.database.pool.query(
    `select 1 from load_carrier_movement where "noteNumber" is null`,
  )
  const { body: questions } = await app.admin.get('load-carriers/open-questions')
  expect(questions, `seed ${seed}`).toEqual({ withoutNote: unproven.length, notAgreed: 0 })
  for (const kind of HOLDER_KINDS) {
    const { body } = await app.admin.get<Accounts>(`load-carriers/accounts?holder=${kind}&show=all`)
    const shown = new Map(body.items.map(({ holder, balances }) => [holder.id, balances]))
    const { rows } = await app.database.pool.query<{ id: number }>(`select id::int as id from ${TABLES[kind]}`)
    for (const { id } of rows) {
      const entries = await entriesOf(kind, id)
      const expected = [...new Set(entries.map(({ typeId }) => typeId))]
        .toSorted((one, other) => one - other)
        .map((typeId) => ({ typeId, limit: null, ...openOf(entries.filter((one) => one.typeId === typeId)) }))
      expect(shown.get(id) ?? [], `${kind} ${id}, seed ${seed}`).toEqual(expected)
      for (const { pieces, ages } of shown.get(id) ?? [])
        expect(Object.values(ages).reduce((sum, one) => sum + one, 0)).toBe(pieces)
      if (entries.length === 0) continue
      const { body: lines } = await app.admin.get(`load-carriers/movements?holder=${kind}&holderId=${id}`)
      for (const { typeId, pieces } of expected)
        expect(lines.items.find(({ type }: { type: { id: number } }) => type.id === typeId).balance).toBe(pieces)
    }
  }
}

const KINDS = [
  'move',
  'move',
  'correct',
  'take',
  'order',
  'stop',
  'stop',
  'stop',
  'tell',
  'tell',
  'change',
  'drop',
] as const

test('every balance is the sum of its movements, and its ages add up to it', { timeout: 300_000 }, async () => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  process.stdout.write(`seed of the movements: ${seed}\n`)
  const random = createRandom(seed)
  const hands: Hand[] = []
  const orders: number[] = []
  for (let act = 0; act < ACTS; act += 1) {
    if (act % 200 === 0)
      app.admin = app.withToken((await app.signIn('admin@waybill.example', 'Correct-Horse-7')).body.token)
    const kind = random.pick(KINDS)
    const hand = hands.length === 0 ? null : random.int(0, hands.length - 1)
    const order = orders.length === 0 ? null : random.int(0, orders.length - 1)
    if (kind === 'move' || (kind === 'correct' && hand === null)) {
      const { status, body } = await app.admin.post('load-carriers/movements', byHand(random))
      expect(status, JSON.stringify(body)).toBe(201)
      hands.push({ id: body.id, version: body.version })
    } else if (kind === 'correct') {
      const { id, version } = hands[hand!]!
      const { status, body } = await app.admin.put(`load-carriers/movements/${id}`, byHand(random), { version })
      expect(status, JSON.stringify(body)).toBe(200)
      hands[hand!] = { id, version: body.version }
    } else if (kind === 'take' && hand !== null) {
      const [{ id, version }] = hands.splice(hand, 1) as [Hand]
      expect((await app.admin.delete(`load-carriers/movements/${id}`, { version })).status).toBe(204)
    } else if (kind === 'order' || order === null) orders.push((await newOrder(random)).id)
    else if (kind === 'stop') await typeAtStop(random, (await app.admin.get(`orders/${orders[order]}`)).body)
    else if (kind === 'tell') await tellAtStop(random, orders[order]!)
    else if (kind === 'change') await changeOrder(random, orders[order]!)
    else {
      const [id] = orders.splice(order, 1)
      const { version } = (await app.admin.get(`orders/${id}`)).body
      expect((await app.admin.delete(`orders/${id}`, { version })).status).toBe(204)
    }
    if (act % 20 === 19) await expectAccounts(seed)
  }
  await expectAccounts(seed)
})
