import { beforeAll, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { LossReport } from '@waybill/contract/order/report/losses'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const app = useTestApp({ beginsOn: '2026-11-24T09:00:00Z' })
let world: OrderWorld
let customerId: number
let manager: Caller
let managerId: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Wohnwelt Rhein GmbH', 'DE', { city: 'Frechen' })
  const found = await app.userWith('ORDERS_MANAGEMENT')
  manager = found.caller
  managerId = found.id
})

const address = (more: Record<string, string> = {}, of = 'losses') =>
  `reports/${of}?${new URLSearchParams({ from: '2026-12', to: '2026-12', ...more }).toString()}`

async function losses(more: Record<string, string> = {}, caller: Caller = app.admin): Promise<LossReport> {
  const { status, body } = await caller.get(address(more))
  expect([status, body.errors]).toEqual([200, undefined])
  return body
}

async function newOrder(priceCents: number | null, costCents: number, more: Partial<OrderInput> = {}): Promise<Order> {
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: priceCents,
      customerVatBp: 1900,
      routes: [carried(world, costCents)],
      ...more,
    }),
  )
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body
}

async function addExtra(order: Order, body: object, state?: string): Promise<void> {
  const made = await app.admin.post(`orders/${order.id}/extras`, body)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  if (state === undefined) return
  const decided = await app.admin.post(
    `orders/${order.id}/extras/${made.body.id}/state`,
    { to: state },
    { version: made.body.version },
  )
  expect([decided.status, decided.body.errors]).toEqual([200, undefined])
}

describe('losses are refused', () => {
  it('to who sees only own orders, who only writes invoices, and to nobody in particular', async () => {
    for (const right of ['ASSIGNED_ORDERS', 'INVOICES_PROCESSING', 'SETTINGS_ACCESS'] as const) {
      const { caller } = await app.userWith(right)
      expect((await caller.get(address())).status).toBe(403)
      expect((await caller.get(address({ format: 'csv' }, 'losses/export'))).status).toBe(403)
    }
    expect((await app.anonymous.get(address())).status).toBe(401)
  })

  it('for a period that ends before it begins, and for a scope that there is not', async () => {
    for (const more of [{ to: '2026-11' }, { from: '2025-12' }, { show: 'worst' }] as Record<string, string>[])
      expect((await app.admin.get(address(more))).status).toBe(422)
  })
})

describe('the losses of a period', () => {
  it('are the orders of the list that lost money, the greatest first, with why and what can be charged', async () => {
    await newOrder(120_000, 90_000)
    // Without a price there is no margin, and no loss that could be told.
    await newOrder(null, 90_000)
    const bought = await newOrder(90_000, 95_000)
    const waited = await newOrder(90_000, 88_000, { managerIds: [managerId] })
    await addExtra(waited, { kind: 'waiting_time', costCents: 15_000, note: '3 h at the ramp' }, 'approved')
    const charged = await newOrder(100_000, 99_000)
    await addExtra(charged, { kind: 'detour', costCents: 30_000, priceCents: 20_000 }, 'approved')
    await addExtra(charged, { kind: 'tolls', costCents: 4_000 }, 'refused')
    const twoTrucks = await newOrder(100_000, 70_000)
    await newOrder(90_000, 95_000, {
      locations: shipment(world).locations!.map((stop) => ({
        ...stop,
        termin: { kind: 'fix', dateFrom: '2027-01-04', timeFrom: '08:00' },
      })),
    })
    const twice = await app.admin.patch(
      `orders/${twoTrucks.id}`,
      {
        routes: twoTrucks.routes.flatMap((route) => [
          { ...route, locationIds: [twoTrucks.locations[0]!.id] },
          { locationIds: [twoTrucks.locations[1]!.id], assignment: { ...carried(world, 70_000).assignment! } },
        ]),
      },
      { version: twoTrucks.version },
    )
    expect([twice.status, twice.body.errors]).toEqual([200, undefined])

    const { rows, sum, counts, others } = await losses()
    expect(rows.map(({ number, incomeCents, extras, openCents }) => [number, incomeCents, extras, openCents])).toEqual([
      [twoTrucks.number, -40_000, 'none', 0],
      [waited.number, -13_000, 'open', 15_000],
      [charged.number, -9_000, 'charged', 0],
      [bought.number, -5_000, 'none', 0],
    ])
    expect(rows.map(({ reasons }) => reasons)).toEqual([
      [
        { kind: 'trucks', trucks: 2 },
        { kind: 'freight', lossCents: 40_000 },
      ],
      [{ kind: 'extra', extra: 'waiting_time', lossCents: 15_000, note: '3 h at the ramp' }],
      [{ kind: 'extra', extra: 'detour', lossCents: 10_000, note: null }],
      [{ kind: 'freight', lossCents: 5_000 }],
    ])
    expect(rows[1]).toMatchObject({
      unloadedOn: '2026-12-01',
      customer: { id: customerId, title: 'Wohnwelt Rhein GmbH' },
      customers: 1,
      from: { countryCode: 'DE', city: 'Hamburg' },
      to: { countryCode: 'PL', city: 'Poznań' },
      priceCents: 90_000,
      costCents: 103_000,
    })
    // Orders are managed by those who write them, too.
    expect([sum, counts, others]).toEqual([{ count: 4, incomeCents: -67_000 }, { all: 4, billable: 1, mine: 4 }, null])
    // The margin report counts the same ones.
    const margin = await app.admin.get('reports/margin?by=customer&from=2026-12&to=2026-12')
    expect(margin.body.losses).toEqual({ count: 4, incomeCents: -67_000 })
    const listed = await app.admin.get(
      'orders?money[]=loss&lastUnloading[from]=2026-12-01&lastUnloading[to]=2026-12-31',
    )
    expect(listed.body.total).toBe(4)

    expect((await losses({ show: 'billable' })).rows.map(({ number }) => number)).toEqual([waited.number])
    const mine = await losses({ show: 'mine' }, manager)
    expect([mine.rows.map(({ number }) => number), mine.sum]).toEqual([
      [waited.number],
      { count: 1, incomeCents: -13_000 },
    ])
    expect(mine.counts).toEqual({ all: 4, billable: 1, mine: 1 })

    // Once it is charged, it is no loss that could be billed.
    await addExtra(waited, { kind: 'handling', priceCents: 14_000 }, 'approved')
    expect((await losses()).rows.map(({ number }) => number)).not.toContain(waited.number)
  })

  it('are a file with all of them, in the person’s language', async () => {
    const { status, body } = await app.admin.get(address({ format: 'csv' }, 'losses/export'), {
      headers: { 'accept-language': 'de' },
    })
    expect(status).toBe(200)
    const [head, first] = String(body).replace('\uFEFF', '').split('\r\n')
    expect(head).toBe(
      'Auftrag;Entladen;Kunde;Von;Nach;Preis (€);Kosten (€);Verlust (€);Grund;Noch nicht berechnet (€);Sachbearbeiter',
    )
    expect(first).toMatch(
      /^26-\d+;01\.12\.2026;Wohnwelt Rhein GmbH;DE Hamburg;PL Poznań;1000,00;1400,00;-400,00;mehrere LKW, über dem/,
    )
  })
})
