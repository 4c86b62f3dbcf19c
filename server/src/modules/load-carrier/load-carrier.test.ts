import { beforeAll, describe, expect, it } from 'vitest'
import type { Accounts, HolderKind, Movement, Movements } from '@waybill/contract/load-carrier/account'
import { loadCarrierPlaceApi } from '@waybill/contract/load-carrier/place'
import type { StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import { loadCarrierTypeApi } from '@waybill/contract/load-carrier/type'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { describeResource } from '../../../test/describe-resource.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { textOf } from '../../../test/papers/pdf-text.ts'

const test = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })
let world: OrderWorld
let types: { id: number; title: string; priceCents: number }[]
let sales: Caller
let buyer: Caller
let dispatcher: Caller

beforeAll(async () => {
  world = await orderWorld(test)
  sales = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
  buyer = (await test.userWith('CARRIER_MANAGEMENT')).caller
  dispatcher = (await test.userWith('ORDERS_MANAGEMENT')).caller
  types = (await test.admin.get('load-carrier-types?sort=priceCents')).body.items
})

let count = 0
const customer = () => world.customer(`Möbelhaus ${(count += 1)} GmbH`, 'DE', { city: 'Bielefeld' })
async function carrier(more: object = {}): Promise<number> {
  const { body, status } = await test.admin.post('carrier-companies', {
    title: `Transwarta ${(count += 1)} Sp. z o.o.`,
    countryId: world.countries.PL,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
async function place(more: object = {}): Promise<number> {
  const { body, status } = await sales.post('load-carrier-places', {
    title: `Lager ${(count += 1)}`,
    countryId: world.countries.DE,
    city: 'Kassel',
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

const euro = () => types[0]!.id
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
const move = (kind: HolderKind, id: number, more: object = {}, caller = test.admin): Promise<Answer<Movement>> =>
  caller.post('load-carriers/movements', {
    holder: { kind, id },
    movedOn: '2026-11-20',
    typeId: euro(),
    given: 10,
    ...more,
  })
async function moved(kind: HolderKind, id: number, more: object = {}): Promise<Movement> {
  const { status, body } = await move(kind, id, more)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const accountsOf = async (kind: HolderKind, query = ''): Promise<Accounts> =>
  (await test.admin.get(`load-carriers/accounts?holder=${kind}&show=all${query}`)).body
const accountOf = async (kind: HolderKind, id: number) =>
  (await accountsOf(kind)).items.find(({ holder }) => holder.id === id)
const balanceOf = async (kind: HolderKind, id: number, typeId = euro()) =>
  (await accountOf(kind, id))?.balances.find((one) => one.typeId === typeId)?.pieces ?? 0
const movementsOf = async (kind: HolderKind, id: number, caller = test.admin): Promise<Movements> =>
  (await caller.get(`load-carriers/movements?holder=${kind}&holderId=${id}`)).body

const NAMED = { companyTitle: 'Möbelhaus Kröger', postal: '33689' }
/** An order from a place without a name to a named one, with the carrier on its route. */
async function order(more: Partial<OrderInput> = {}, named: object = NAMED): Promise<Order> {
  const { cargo, locations } = shipment(world)
  const { status, body } = await test.admin.post(
    'orders',
    plainOrder(world, await customer(), {
      cargo: cargo!,
      locations: [locations![0]!, { ...locations![1]!, ...named }],
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      ...more,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const stopPath = (made: Order, index = 1) => `orders/${made.id}/stops/${made.locations[index]!.id}/load-carriers`
const typeAt = (made: Order, body: object, { version = 0, index = 1, caller = dispatcher } = {}) =>
  caller.put(
    stopPath(made, index),
    {
      partner: 'place',
      movedOn: '2026-12-01',
      lines: [{ typeId: euro(), given: 9, received: 6, damaged: 1 }],
      ...body,
    },
    { version },
  ) as Promise<Answer<StopLoadCarriers>>
async function typedAt(made: Order, body: object = {}, more: object = {}): Promise<StopLoadCarriers> {
  const { status, body: saved } = await typeAt(made, body, more)
  expect(status, JSON.stringify(saved)).toBe(200)
  return saved
}
const read = async (made: Order): Promise<Order> => (await test.admin.get(`orders/${made.id}`)).body
const sendable = (made: Order) =>
  made.locations.map(({ country: _c, countryCode: _k, position: _p, routeId: _r, ...stop }) => stop)

describe('accounts of load carriers', () => {
  it('are nobody’s without the right to their holders', async () => {
    const [ours, theirs, there] = [await customer(), await carrier(), await place()]
    const path = (kind: HolderKind) => `load-carriers/accounts?holder=${kind}`
    for (const [caller, allowed] of [
      [test.anonymous, []],
      [dispatcher, []],
      [sales, ['customer', 'place']],
      [buyer, ['carrier', 'place']],
    ] as const) {
      for (const [kind, id] of [
        ['customer', ours],
        ['carrier', theirs],
        ['place', there],
      ] as const) {
        const refused = caller === test.anonymous ? 401 : 403
        const may = (allowed as readonly string[]).includes(kind)
        const statuses = [
          await caller.get(path(kind)),
          await caller.get(`${path(kind).replace('?', '/export?')}&format=csv`),
          await caller.get(`load-carriers/movements?holder=${kind}&holderId=${id}`),
          await caller.get(`load-carriers/movements/export?holder=${kind}&holderId=${id}&format=csv`),
          await move(kind, id, {}, caller),
        ].map(({ status }) => status)
        expect(statuses, kind).toEqual(may ? [200, 200, 200, 200, 201] : Array(5).fill(refused))
        const stated = await caller.get(`load-carriers/statement?holder=${kind}&holderId=${id}`)
        if (!may) expect(stated.status).toBe(refused)
      }
    }
    const made = await moved('customer', ours)
    const body = { holder: { kind: 'customer', id: ours }, movedOn: '2026-11-20', typeId: euro(), given: 1 }
    expect((await buyer.put(`load-carriers/movements/${made.id}`, body, { version: 1 })).status).toBe(403)
    expect((await buyer.delete(`load-carriers/movements/${made.id}`, { version: 1 })).status).toBe(403)
    // Nor into an account of the other kind.
    const over = { ...body, holder: { kind: 'carrier', id: theirs } }
    expect((await sales.put(`load-carriers/movements/${made.id}`, over, { version: 1 })).status).toBe(403)
  })

  it('take nothing that was not moved, is more than was moved, or has not come yet', async () => {
    const id = await customer()
    expect(faults(await move('customer', id, { given: 0 }))).toEqual([422, 'given required'])
    expect(faults(await move('customer', id, { given: -1 }))).toContain('given too_small')
    expect(faults(await move('customer', id, { given: 1.5 }))).toEqual([422, 'given invalid_type'])
    expect(faults(await move('customer', id, { given: 100_001 }))).toEqual([422, 'given too_big'])
    expect(faults(await move('customer', id, { given: 4, damaged: 5 }))).toEqual([422, 'damaged too_big'])
    expect(faults(await move('customer', id, { typeId: 999_999 }))).toEqual([422, 'typeId unknown_reference'])
    expect(faults(await move('customer', 999_999))).toEqual([422, 'holder.id unknown_reference'])
    expect(faults(await move('customer', id, { movedOn: '2026-12-03' }))).toEqual([422, 'movedOn invalid_value'])
    expect(faults(await move('customer', id, { movedOn: '2026-02-30' }))).toEqual([422, 'movedOn invalid_date'])
    expect((await movementsOf('customer', id)).items).toEqual([])
    expect((await test.admin.get('load-carriers/movements?holder=customer&holderId=999999')).status).toBe(404)
    expect((await test.admin.get('load-carriers/movements?holder=nobody&holderId=1')).status).toBe(422)
  })

  it('are kept by the database too: whole pieces, one holder, no carrier by hand at a stop', async () => {
    const [id, other] = [await customer(), await carrier()]
    const insert = (values: string) =>
      test.asOwner(`insert into load_carrier_movement ("movedOn", "typeId", "customerId", "carrierCompanyId", given,
        received, damaged, "createdAt") values ('2026-11-01', ${euro()}, ${values}, now())`)
    for (const values of [
      `${id}, null, -1, 5, 0`,
      `${id}, null, 0, 0, 0`,
      `${id}, null, 1, 0, 2`,
      `${id}, ${other}, 1, 0, 0`,
      'null, null, 1, 0, 0',
    ])
      await expect(insert(values), values).rejects.toThrow(/violates check constraint/)
  })

  it('show what is open by age: what went back had been out the longest', async () => {
    const id = await customer()
    // 40 out on four days; 15 came back: the first ten and half of the next.
    for (const movedOn of ['2026-08-01', '2026-09-15', '2026-10-20', '2026-11-25'])
      await moved('customer', id, { movedOn })
    await moved('customer', id, { movedOn: '2026-11-30', given: 0, received: 15 })
    await moved('customer', id, { movedOn: '2026-11-30', given: 33, received: 33 })
    expect(await accountOf('customer', id)).toMatchObject({
      balances: [{ pieces: 25, ages: { to30: 10, to60: 10, to90: 5, over90: 0 } }],
      oldestDays: 77,
      worthCents: 25 * types[0]!.priceCents,
      stated: null,
    })
    const older = async (days: number) =>
      (await accountsOf('customer', `&olderThan=${days}`)).items.some(({ holder }) => holder.id === id)
    expect([await older(60), await older(90)]).toEqual([true, false])
    // We hold theirs: the same rule the other way round.
    const theirs = await customer()
    await moved('customer', theirs, { movedOn: '2026-08-01', given: 0, received: 20 })
    await moved('customer', theirs, { movedOn: '2026-11-01', given: 5 })
    await moved('customer', theirs, { movedOn: '2026-11-29', given: 0, received: 2 })
    expect((await accountOf('customer', theirs))!.balances).toMatchObject([
      { pieces: -17, ages: { to30: -2, to60: 0, to90: 0, over90: -15 } },
    ])
  })

  it('show each movement with the balance after it, and are taken out as tables', async () => {
    const id = await carrier()
    await moved('carrier', id, { movedOn: '2026-11-03', given: 33, noteNumber: 'ŁD 2207' })
    await moved('carrier', id, { movedOn: '2026-11-05', given: 0, received: 13, damaged: 2, note: '=1+1' })
    await moved('carrier', id, { movedOn: '2026-11-04', typeId: types[1]!.id, given: 4 })
    const { items, olderCount } = await movementsOf('carrier', id)
    expect(items.map(({ movedOn, balance }) => [movedOn, balance])).toEqual([
      ['2026-11-05', 20],
      ['2026-11-04', 4],
      ['2026-11-03', 33],
    ])
    expect(olderCount).toBe(0)
    const csv = async (path: string) => (await test.admin.get(path)).raw.toString('utf8')
    const lines = (await csv(`load-carriers/movements/export?holder=carrier&holderId=${id}&format=csv`)).trim()
    expect(lines.split(/\r?\n/)).toHaveLength(4)
    expect(lines).toContain("'=1+1")
    const list = await csv('load-carriers/accounts/export?holder=carrier&format=csv&q=transwarta')
    expect(list).toContain('20,,20,0,0,0,')
    const xlsx = await test.admin.get('load-carriers/accounts/export?holder=carrier&format=xlsx')
    expect(xlsx.raw.subarray(0, 2).toString()).toBe('PK')
  })
})

describe('a movement by hand', () => {
  it('is corrected upon the version that was read: the second of two people is told what it is now', async () => {
    const id = await customer()
    const made = await moved('customer', id)
    const path = `load-carriers/movements/${made.id}`
    const body = (given: number) => ({ holder: { kind: 'customer', id }, movedOn: '2026-11-20', typeId: euro(), given })
    expect((await sales.put(path, body(11))).status).toBe(428)
    const both = await Promise.all([
      sales.put(path, body(11), { version: made.version }),
      test.admin.put(path, body(12), { version: made.version }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = both.find(({ status }) => status === 409)!
    const kept = both.find(({ status }) => status === 200)!
    expect(refused.body).toMatchObject({ code: 'stale_version', current: { version: 2, given: kept.body.given } })
    expect((await sales.delete(path, { version: made.version })).status).toBe(409)
    expect(await balanceOf('customer', id)).toBe(kept.body.given)
    expect((await sales.delete(path, { version: 2 })).status).toBe(204)
    expect(await balanceOf('customer', id)).toBe(0)
    expect((await sales.delete(path, { version: 2 })).status).toBe(404)
    const { items } = (await sales.get(`audit-entries?customerId=${id}`)).body
    expect(items.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
      'loadCarriersTakenOut',
      'loadCarriersCorrected',
      'loadCarriersMoved',
    ])
  })

  it('goes to another account where the wrong one was named', async () => {
    const [wrong, right] = [await customer(), await place()]
    const made = await moved('customer', wrong)
    const body = { holder: { kind: 'place', id: right }, movedOn: '2026-11-20', typeId: euro(), given: 10 }
    const answer = await sales.put(`load-carriers/movements/${made.id}`, body, { version: 1 })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect([await balanceOf('customer', wrong), await balanceOf('place', right)]).toEqual([0, 10])
  })

  it('written twice with one key is one', async () => {
    const id = await customer()
    const body = { holder: { kind: 'customer', id }, movedOn: '2026-11-20', typeId: euro(), given: 10 }
    const headers = { 'idempotency-key': 'pallets-1' }
    for (let again = 0; again < 2; again += 1)
      expect((await sales.post('load-carriers/movements', body, { headers })).status).toBe(201)
    expect(await balanceOf('customer', id)).toBe(10)
  })
})

describe('load carriers at a stop', () => {
  it('are not for who may not see the order, nor for a stop of another one, nor for one that was merged', async () => {
    const made = await order()
    const stranger = (await test.userWith('ASSIGNED_ORDERS')).caller
    for (const [caller, status] of [
      [test.anonymous, 401],
      [sales, 403],
      [stranger, 404],
    ] as const) {
      expect((await caller.get(stopPath(made))).status).toBe(status)
      expect((await typeAt(made, {}, { caller })).status).toBe(status)
    }
    const other = await order()
    const foreign = `orders/${made.id}/stops/${other.locations[1]!.id}/load-carriers`
    expect((await dispatcher.get(foreign)).status).toBe(404)
    const body = { partner: 'place', movedOn: '2026-12-01', lines: [] }
    expect((await dispatcher.put(foreign, body, { version: 0 })).status).toBe(404)
    const sources = [await order({ routes: [] }), await order({ routes: [] })]
    const merged = await test.admin.post('orders/merge', {
      orderIds: sources.map(({ id }) => id),
      carrierCompanyId: world.carrier.id,
    })
    expect(merged.status, JSON.stringify(merged.body)).toBe(201)
    expect(faults(await typeAt(sources[0]!, {}))).toEqual([409, 'status order_merged'])
  })

  it('refuse what cannot be', async () => {
    const made = await order()
    const line = { typeId: euro(), given: 1, received: 0, damaged: 0 }
    expect(faults(await typeAt(made, {}, { index: 0 }))).toEqual([422, 'partner required'])
    expect(faults(await typeAt(made, { partner: 'customer' }))).toEqual([422, 'customerId required'])
    const stranger = await customer()
    expect(faults(await typeAt(made, { partner: 'customer', customerId: stranger }))).toEqual([
      422,
      'customerId unknown_reference',
    ])
    expect(faults(await typeAt(made, { lines: [line, line] }))).toEqual([422, 'lines.1.typeId taken'])
    expect(faults(await typeAt(made, { lines: [line, { ...line, typeId: 99_999 }] }))).toEqual([
      422,
      'lines.1.typeId unknown_reference',
    ])
    expect(faults(await typeAt(made, { movedOn: '2026-12-24' }))).toEqual([422, 'movedOn invalid_value'])
    expect(faults(await typeAt(made, { lines: [{ ...line, given: 0 }] }))).toEqual([422, 'lines.0.given required'])
    expect((await dispatcher.put(stopPath(made), {})).status).toBe(428)
    // Nothing of all this has left a trace.
    expect((await dispatcher.get(stopPath(made))).body).toMatchObject({ version: 0, lines: [] })
  })

  it('move the account of the place, and that of the carrier the other way round', async () => {
    const made = await order({}, { companyTitle: 'Wohnwelt Rhein', postal: '50226' })
    expect((await dispatcher.get(stopPath(made))).body).toMatchObject({
      partner: 'place',
      place: 'Wohnwelt Rhein, Poznań',
      carrier: { id: world.carrier.id },
      movedOn: '2026-12-01',
    })
    const before = await balanceOf('carrier', world.carrier.id)
    const saved = await typedAt(made, { noteNumber: '88231' })
    expect(saved).toMatchObject({ version: 1, noteNumber: '88231', lines: [{ given: 9, received: 6, damaged: 1 }] })
    const [there] = (await accountsOf('place', '&q=wohnwelt')).items
    expect(there!.balances).toMatchObject([{ pieces: 3 }])
    expect(await balanceOf('carrier', world.carrier.id)).toBe(before - 3)
    const { items } = await movementsOf('carrier', world.carrier.id)
    expect(items[0]).toMatchObject({
      given: 6,
      received: 9,
      noteNumber: '88231',
      stop: { title: 'Wohnwelt Rhein, Poznań', orderNumber: made.number },
      order: { id: made.id },
    })
    // Who may not open the order reads its number, and gets no way to it.
    expect((await movementsOf('carrier', world.carrier.id, buyer)).items[0]).toMatchObject({
      stop: { orderNumber: made.number },
      order: null,
    })
    // It is corrected where it was typed.
    const hand = { holder: there!.holder, movedOn: '2026-12-01', typeId: euro(), given: 1 }
    const { id: holderId, kind } = there!.holder
    const byHand = { ...hand, holder: { kind, id: holderId } }
    expect((await test.admin.put(`load-carriers/movements/${items[0]!.id}`, byHand, { version: 1 })).status).toBe(409)
    expect((await test.admin.delete(`load-carriers/movements/${items[0]!.id}`, { version: 1 })).status).toBe(409)
  })

  it('are corrected upon the version that was read, and taken back by typing none', async () => {
    const made = await order({}, { companyTitle: 'Fulda Küchen', postal: '36037' })
    const both = await Promise.all([
      typeAt(made, {}),
      typeAt(made, { lines: [{ typeId: euro(), given: 20, received: 0, damaged: 0 }] }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { version } = (await dispatcher.get(stopPath(made))).body
    expect(version).toBe(1)
    await typedAt(made, { lines: [{ typeId: euro(), given: 4, received: 0, damaged: 0 }] }, { version })
    const there = async () => (await accountsOf('place', '&q=fulda')).items[0]?.balances[0]?.pieces ?? 0
    expect(await there()).toBe(4)
    expect((await typeAt(made, { lines: [] }, { version })).status).toBe(409)
    await typedAt(made, { lines: [] }, { version: version + 1 })
    expect(await there()).toBe(0)
    const actions = (await test.admin.get(`audit-entries?orderId=${made.id}`)).body.items
    expect(actions.filter(({ action }: { action: string }) => action === 'loadCarriersAtStop')).toHaveLength(3)
  })

  it('follow their stop: its place, its carrier, its end', async () => {
    const made = await order({}, { companyTitle: 'Brabant Parts', postal: '5651' })
    await typedAt(made)
    const there = async (q: string) => (await accountsOf('place', `&q=${q}`)).items[0]?.balances[0]?.pieces ?? 0
    const other = await carrier()
    const [before, current] = [await balanceOf('carrier', world.carrier.id), await read(made)]
    const stops = sendable(current)
    const route = current.routes[0]!
    const change = async (body: object): Promise<void> => {
      const { version } = await read(made)
      const { status, body: said } = await test.admin.patch(`orders/${made.id}`, body, { version })
      expect(status, JSON.stringify(said)).toBe(200)
    }
    await change({ locations: [stops[0], { ...stops[1], companyTitle: 'Eindhoven Parts' }] })
    expect([await there('brabant'), await there('eindhoven')]).toEqual([0, 3])
    await change({
      routes: [{ id: route.id, locationIds: route.locationIds, assignment: { carrierCompanyId: other } }],
    })
    expect([await balanceOf('carrier', world.carrier.id), await balanceOf('carrier', other)]).toEqual([before + 3, -3])
    await change({ cargo: [], locations: [{ ...stops[0], cargoActions: [] }], routes: [] })
    expect([await there('eindhoven'), await balanceOf('carrier', other)]).toEqual([0, 0])
  })

  it('follow a corrected customer, and say so where nobody can tell whose they are', { tags: 'long' }, async () => {
    const [first, second, third, fourth, fifth] = await Promise.all(Array.from({ length: 5 }, customer))
    // Goods of an order with several customers name their own; here are none.
    const locations = shipment(world).locations!.map((stop) => ({ ...stop, cargoActions: [] }))
    const made = await order({ customerIds: [first!], cargo: [], locations })
    await typedAt(made, { partner: 'customer', customerId: first }, { index: 0 })
    const become = async (...customerIds: number[]): Promise<void> => {
      const { version } = await read(made)
      const { status, body } = await test.admin.patch(`orders/${made.id}`, { customerIds }, { version })
      expect(status, JSON.stringify(body)).toBe(200)
    }
    const owed = async () => {
      const of = await Promise.all([first, second, third, fourth, fifth].map((id) => balanceOf('customer', id!)))
      return of.map((pieces, index) => (pieces === 0 ? null : [index, pieces])).filter((one) => one !== null)
    }
    const window = async (): Promise<StopLoadCarriers> => (await dispatcher.get(stopPath(made, 0))).body
    await become(second!)
    expect(await owed()).toEqual([[1, 3]])
    expect(await window()).toMatchObject({ version: 1, customerId: second, formerCustomer: null })
    const { items } = (await test.admin.get(`audit-entries?orderId=${made.id}`)).body
    expect(items.find(({ action }: { action: string }) => action === 'loadCarriersFollowed').changes).toEqual([
      { path: 'loadCarriers', from: expect.stringContaining('Möbelhaus'), to: expect.stringContaining('Möbelhaus') },
    ])
    // One more customer changes nothing; one in the place of another takes over.
    await become(second!, third!)
    expect(await owed()).toEqual([[1, 3]])
    await become(fourth!, third!)
    expect(await owed()).toEqual([[3, 3]])
    await become(first!, fifth!)
    expect(await owed()).toEqual([[3, 3]])
    expect(await window()).toMatchObject({ customerId: fourth, formerCustomer: { id: fourth } })
    const typed = (customerId: number) => typeAt(made, { partner: 'customer', customerId }, { version: 1, index: 0 })
    expect(faults(await typed(fourth!))).toEqual([422, 'customerId unknown_reference'])
    expect((await typed(fifth!)).body.formerCustomer).toBeNull()
    expect(await owed()).toEqual([[4, 3]])
  })

  it('go with an order that is deleted', async () => {
    const made = await order({ routes: [] }, { companyTitle: 'Gdynia Terminal', postal: '81' })
    await typedAt(made)
    const { version } = await read(made)
    const gone = await test.admin.delete(`orders/${made.id}`, { version })
    expect(gone.status, JSON.stringify(gone.body)).toBe(204)
    expect((await accountsOf('place', '&q=gdynia')).items).toEqual([])
  })
})

describe('a statement', () => {
  it('is refused without movements, to nobody, and once the balance is another one', async () => {
    const id = await customer()
    const path = `load-carriers/statement?holder=customer&holderId=${id}`
    expect(faults(await sales.get(path))).toEqual([422, 'holderId required'])
    const made = await moved('customer', id)
    const { body: shown } = await sales.get(path)
    const send = (to: string) =>
      sales.post('load-carriers/statement', { holder: { kind: 'customer', id }, to, balances: shown.balances })
    expect(faults(await send(''))).toEqual([422, 'to invalid_email'])
    expect((await sales.delete(`load-carriers/movements/${made.id}`, { version: 1 })).status).toBe(204)
    await moved('customer', id, { given: 11 })
    expect(faults(await send('a@example.com'))).toEqual([422, 'balances balance_changed'])
  })

  it('goes out in the language of the holder, asks to confirm, and takes no silence for consent', async () => {
    const id = await carrier({
      language: 'pl',
      contactPersons: [{ fullName: 'Anna Żak', email: 'rozliczenia@transwarta.example' }],
    })
    await moved('carrier', id, { given: 43, noteNumber: 'WT <0931>' })
    const { body: shown } = await buyer.get(`load-carriers/statement?holder=carrier&holderId=${id}`)
    expect(shown).toMatchObject({
      to: 'rozliczenia@transwarta.example',
      language: 'pl',
      balances: [{ typeId: euro(), pieces: 43 }],
    })
    expect(shown.html).toContain('Europaleta')
    expect(shown.html).toContain('WT &lt;0931&gt;')
    expect(shown.html).toContain('Prosimy o sprawdzenie salda i informację do 15.12.2026')
    expect(shown.html).not.toMatch(/Brak odpowiedzi uznajemy za zgodę|\{\{/)
    const sent = await buyer.post('load-carriers/statement', {
      holder: { kind: 'carrier', id },
      to: shown.to,
      balances: shown.balances,
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    const { body: mails } = await buyer.get(`emails?carrierCompanyId=${id}`)
    expect(mails.items).toMatchObject([
      { id: sent.body.emailId, to: [shown.to], owner: { kind: 'carrierCompany', id }, type: 'other_emails' },
    ])
    // The letter goes with it, and lies with the carrier's files.
    const letter = /^Saldo palet_2026-12-01_.+\.pdf$/
    const { body: mail } = await buyer.get(`emails/${sent.body.emailId}`)
    expect(mail.attachments).toMatchObject([{ title: expect.stringMatching(letter) }])
    const { documentId } = mail.attachments[0]
    const { body: files } = await buyer.get(`documents?carrierCompanyId=${id}`)
    expect(files.items).toMatchObject([{ id: documentId, documentType: 'OTHER_DOCUMENTS' }])
    const text = textOf((await buyer.get(`documents/${documentId}/file`)).raw)
    for (const said of ['Saldo palet', 'Europaleta', 'WT <0931>', 'po Państwa stronie pozostaje 43 szt', 'pieczęć'])
      expect(text).toContain(said)
    const shownLetter = await buyer.get(`load-carriers/statement/letter?holder=carrier&holderId=${id}`)
    expect([shownLetter.status, shownLetter.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(textOf(shownLetter.raw)).toBe(text)
    expect((await sales.get(`load-carriers/statement/letter?holder=carrier&holderId=${id}`)).status).toBe(403)
    expect((await sales.get(`emails/${sent.body.emailId}`)).status).toBe(403)
    expect((await accountOf('carrier', id))!.stated).toMatchObject({ state: 'waiting' })
    // Who was sent a statement stays.
    expect((await test.admin.delete(`carrier-companies/${id}`)).body.code).toBe('in_use')
  })
})

describe('the letter of a statement', () => {
  it('goes to a place too, in the language of its country, with movements of several types by day', async () => {
    const id = await place({ title: 'Küchen Łęcki', address: 'Dąbrowskiego 4', email: 'lager@lecki.example' })
    await moved('place', id, { movedOn: '2026-11-20', given: 30 })
    await moved('place', id, { movedOn: '2026-11-25', given: 0, received: 40, noteNumber: 'PS 7' })
    await moved('place', id, { movedOn: '2026-11-26', typeId: types[1]!.id, given: 4 })
    const path = `holder=place&holderId=${id}`
    const { body: shown } = await sales.get(`load-carriers/statement?${path}`)
    const { status, body } = await sales.post('load-carriers/statement', {
      holder: { kind: 'place', id },
      to: 'lager@lecki.example',
      balances: shown.balances,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const { body: mail } = await sales.get(`emails/${body.emailId}`)
    const { status: found, raw } = await sales.get(`documents/${mail.attachments[0].documentId}/file`)
    expect(found).toBe(200)
    const text = textOf(raw)
    for (const said of ['Palettenkontoauszug', 'Küchen Łęcki', 'Dąbrowskiego 4', 'Wir haben 10 von Ihnen.', 'PS 7'])
      expect(text).toContain(said)
    expect(text).toContain('Sie haben 4 von uns.')
    expect(text.indexOf('20.11.2026')).toBeLessThan(text.indexOf('25.11.2026'))
  })
})

describe('places', () => {
  it('are one however their name is written', async () => {
    await place({ title: 'Küchen Müller', postal: '34117' })
    const again = await sales.post('load-carrier-places', {
      title: 'KUCHEN MULLER',
      postal: '34117',
      city: 'kassel',
      countryId: world.countries.DE,
    })
    expect(faults(again)).toEqual([422, 'title taken'])
  })
})

describeResource({
  api: loadCarrierTypeApi,
  test,
  kind: 'loadCarrierType',
  body: async () => ({ title: `Dolly ${(count += 1)}`, priceCents: 900 }),
  change: { priceCents: 950 },
  required: 'title',
})
describeResource({
  api: loadCarrierPlaceApi,
  test,
  kind: 'loadCarrierPlace',
  body: async () => ({ title: `Depot ${(count += 1)}`, countryId: world.countries.DE }),
  change: { email: 'lager@example.com' },
  required: 'title',
})
