import { beforeAll, describe, expect, test } from 'vitest'
import type { Accounts } from '@waybill/contract/load-carrier/account'
import type { StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import type { Order } from '@waybill/contract/order/order'
import type { DriverPage, RouteDriverLink } from '@waybill/contract/public/driver-link'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let customerId: number
let dispatcher: Caller
let euro: number
let box: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
  const types = (await app.admin.get('load-carrier-types?sort=priceCents')).body.items as { id: number }[]
  ;[euro, box] = types.map(({ id }) => id) as [number, number]
})

const MINUTE_MS = 60_000
const ago = (minutes: number): string => new Date(app.clock.now().getTime() - minutes * MINUTE_MS).toISOString()

let count = 0
interface Driven {
  order: Order
  token: string
  /** the path of what staff type at the drop-off */
  path: string
  place: string
}

/** A scheduled order with the link of its driver; its drop-off is at a place of its own. */
async function driven(more: object = {}, named: object = {}): Promise<Driven> {
  const { cargo, locations } = shipment(world)
  const place = `Rheinlager ${(count += 1)}`
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      cargo: cargo!,
      locations: [locations![0]!, { ...locations![1]!, companyTitle: place, ...named }],
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      ...more,
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const order: Order = made.body
  const link = await dispatcher.post(
    `routes/${order.routes[0]!.id}/driver-link`,
    { linkId: null },
    { version: order.version },
  )
  expect(link.status, JSON.stringify(link.body)).toBe(200)
  const path = `orders/${order.id}/stops/${order.locations[1]!.id}/load-carriers`
  return { order, token: link.body.link.url.split('/').at(-1), path, place }
}

let calls = 0
const from = () => ({ ip: `2001:db8:e:${((calls += 1)).toString(16)}::1` })
let keys = 0
const pieces = (given: number, received: number, damaged = 0, typeId = euro) => ({ typeId, given, received, damaged })
const report = ({ order }: Driven, lines: object[], more: object = {}) => ({
  key: (keys += 1).toString(16).padStart(32, '0'),
  stopId: order.locations[1]!.id,
  kind: 'loadCarriers',
  at: ago(1),
  exchange: { noteNumber: '77120', lines },
  ...more,
})
const tell = ({ token }: Driven, body: object) =>
  app.anonymous.post(`drive/${token}/reports`, body, from()) as Promise<Answer<DriverPage>>
async function told(one: Driven, lines: object[], more: object = {}): Promise<DriverPage> {
  const { status, body } = await tell(one, report(one, lines, more))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const standing = async ({ path }: Driven): Promise<StopLoadCarriers> => (await dispatcher.get(path)).body
const save = ({ path }: Driven, version: number, lines: object[], more: object = {}) =>
  dispatcher.put(path, { partner: 'place', movedOn: '2026-11-28', lines, ...more }, { version })
const reportsOf = async ({ order }: Driven) =>
  (await dispatcher.get<RouteDriverLink>(`routes/${order.routes[0]!.id}/driver-link`)).body.reports
const balanceAt = async (kind: 'place' | 'carrier' | 'customer', title: string) =>
  (
    (await app.admin.get(`load-carriers/accounts?holder=${kind}&show=all&q=${encodeURIComponent(title)}`))
      .body as Accounts
  ).items
    .flatMap(({ balances }) => balances)
    .find(({ typeId }) => typeId === euro)?.pieces ?? 0
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

describe('load carriers that a driver tells', () => {
  test('are refused where they say nothing, cannot be, or belong to another kind of report', async () => {
    const one = await driven()
    const refused = async (more: object, lines: object[] = [pieces(6, 4)]) =>
      faults(await tell(one, report(one, lines, more)))
    expect(await refused({ exchange: null })).toEqual([422, 'exchange required'])
    expect(await refused({ kind: 'arrived' })).toEqual([422, 'exchange invalid_value'])
    expect(await refused({}, [pieces(0, 0)])).toEqual([422, 'exchange.lines.0.given required'])
    expect(await refused({}, [pieces(6, 4, 11)])).toEqual([422, 'exchange.lines.0.damaged too_big'])
    expect((await refused({}, [pieces(1.5, 0)]))[0]).toBe(422)
    expect((await refused({}, [pieces(-1, 0)]))[0]).toBe(422)
    expect(await refused({}, [pieces(1, 0), pieces(2, 0)])).toEqual([422, 'exchange.lines.1.typeId taken'])
    expect(await refused({}, [pieces(1, 0, 0, 999_999)])).toEqual([422, 'exchange.lines.0.typeId unknown_reference'])
    expect(await refused({ at: ago(-60) })).toEqual([422, 'at in_the_future'])
    expect(await standing(one)).toMatchObject({ version: 0, lines: [], told: null, isAsTold: false })
    expect(await reportsOf(one)).toEqual([])
    expect(await balanceAt('place', one.place)).toBe(0)
  })

  test('become those of the stop: in the accounts, on the page, for staff and in the history', async () => {
    const one = await driven()
    const carrier = one.order.routes[0]!.assignment!.carrierCompany!.title
    const before = await balanceAt('carrier', carrier)
    const at = ago(1)
    const page = await told(one, [pieces(9, 6, 1), pieces(2, 0, 0, box)], { at })
    expect(page.loadCarrierTypes).toEqual(expect.arrayContaining([{ id: euro, title: expect.any(String) }]))
    expect(JSON.stringify(page)).not.toContain('Cents')
    const exchange = { noteNumber: '77120', lines: [pieces(9, 6, 1), pieces(2, 0, 0, box)] }
    expect(page.stops[1]!.told).toMatchObject([{ kind: 'loadCarriers', exchange }])
    expect(await standing(one)).toMatchObject({
      version: 1,
      partner: 'place',
      isAsTold: true,
      movedOn: '2026-11-28',
      told: { at, ...exchange },
      ...exchange,
    })
    expect(await balanceAt('place', one.place)).toBe(3)
    expect(await balanceAt('carrier', carrier)).toBe(before - 3)
    const [type] = (await app.admin.get('load-carrier-types?sort=priceCents')).body.items
    expect(await reportsOf(one)).toMatchObject([
      {
        kind: 'loadCarriers',
        isWritten: true,
        exchange: { noteNumber: '77120', lines: [{ type: type.title, given: 9, received: 6, damaged: 1 }, {}] },
      },
    ])
    const { items } = (await app.admin.get(`audit-entries?orderId=${one.order.id}`)).body
    const entry = items.find(({ action }: { action: string }) => action === 'driverTold_loadCarriers')
    expect(entry.actor).toBeNull()
    expect(entry.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: `loadCarriers.${type.title}`, to: '+9 −6 (1)' })]),
    )
  })

  test('count as they were told last, and once however often a telephone sends them', async () => {
    const one = await driven()
    await told(one, [pieces(9, 6)], { at: ago(30) })
    const again = report(one, [pieces(8, 8)], { at: ago(10) })
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(one, again)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await standing(one)).toMatchObject({ version: 2, lines: [pieces(8, 8)], isAsTold: true })
    // What was told before that comes later, from another telephone.
    await told(one, [pieces(1, 0)], { at: ago(20) })
    expect(await standing(one)).toMatchObject({ version: 2, lines: [pieces(8, 8)], told: { lines: [pieces(8, 8)] } })
    expect((await reportsOf(one)).map(({ isWritten }) => isWritten)).toEqual([true, true, false])
    await told(one, [])
    expect(await standing(one)).toMatchObject({ version: 3, lines: [], isAsTold: true, told: { lines: [] } })
    expect(await balanceAt('place', one.place)).toBe(0)
  })

  test('never change what staff have saved, and stand beside it', async () => {
    const one = await driven()
    expect((await save(one, 0, [pieces(9, 6)])).status).toBe(200)
    await told(one, [pieces(9, 5)])
    const kept = { version: 1, lines: [pieces(9, 6)], isAsTold: false, told: { lines: [pieces(9, 5)] } }
    expect(await standing(one)).toMatchObject(kept)
    expect((await reportsOf(one)).map(({ isWritten }) => isWritten)).toEqual([false])
    // So it is where staff saved what was told, and where they saved that nothing was exchanged.
    const other = await driven()
    await told(other, [pieces(4, 0)])
    expect(faults(await save(other, 0, [pieces(9, 9)]))[0]).toBe(409)
    expect((await save(other, 1, [pieces(4, 0)])).status).toBe(200)
    await told(other, [pieces(7, 0)])
    expect(await standing(other)).toMatchObject({ version: 2, lines: [pieces(4, 0)], isAsTold: false })
    const third = await driven()
    expect((await save(third, 0, [])).status).toBe(200)
    await told(third, [pieces(7, 0)])
    expect(await standing(third)).toMatchObject({ version: 1, lines: [], told: { lines: [pieces(7, 0)] } })
  })

  test('of staff who save in the same moment, either hear of them or stay as they saved', async () => {
    for (let times = 0; times < 5; times += 1) {
      const one = await driven()
      const [saved] = await Promise.all([save(one, 0, [pieces(5, 5)]), told(one, [pieces(6, 4)])])
      const now = await standing(one)
      if (saved.status === 200) expect(now).toMatchObject({ isAsTold: false, lines: [pieces(5, 5)] })
      else expect([saved.status, now]).toMatchObject([409, { isAsTold: true, lines: [pieces(6, 4)] }])
    }
  })

  test('move the account of the only customer where the stop has no name; of several staff say whose', async () => {
    const title = `Küchenwelt ${(count += 1)}`
    const only = await world.customer(title, 'DE')
    const one = await driven({ customerIds: [only] }, { companyTitle: null })
    await told(one, [pieces(5, 0)])
    expect(await standing(one)).toMatchObject({ partner: 'customer', customerId: only, isAsTold: true })
    expect(await balanceAt('customer', title)).toBe(5)
    // Goods of an order with several customers name their own; here are none.
    const locations = shipment(world).locations!.map((stop) => ({ ...stop, companyTitle: null, cargoActions: [] }))
    const shared = await driven({ customerIds: [customerId, only], cargo: [], locations })
    await told(shared, [pieces(5, 0)])
    expect(await standing(shared)).toMatchObject({ version: 0, lines: [], told: { lines: [pieces(5, 0)] } })
    expect(await balanceAt('customer', title)).toBe(5)
    // Nothing at all moves nobody's account.
    await told(shared, [])
    expect(await standing(shared)).toMatchObject({ version: 1, lines: [], isAsTold: true })
    const taken = await save(shared, 1, [pieces(5, 0)], { partner: 'customer', customerId: only })
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    expect(await balanceAt('customer', title)).toBe(10)
  })

  test('are kept by the database with their kind alone', async () => {
    const one = await driven()
    await told(one, [pieces(5, 0)])
    const { pool } = app.database
    await expect(pool.query('update driver_report set exchange = null')).rejects.toThrow()
    const columns = '"orderId", "linkId", "routeId", "locationId"'
    const insert = (kind: string, exchange: string) =>
      pool.query(`insert into driver_report (${columns}, key, kind, at, "receivedAt", exchange)
        select ${columns}, repeat('e', 32), '${kind}', at, "receivedAt", ${exchange} from driver_report
        where "orderId" = ${one.order.id}`)
    await expect(insert('loadCarriers', 'null')).rejects.toThrow('exchange_of_load_carriers')
    await expect(insert('arrived', 'exchange')).rejects.toThrow('exchange_of_load_carriers')
  })
})
