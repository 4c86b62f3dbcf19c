import { beforeAll, describe, expect, it } from 'vitest'
import type { WaitingOrder } from '@waybill/contract/order/day'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let clerk: { caller: Caller; id: number }
let customerId: number
const numbers: Record<string, string> = {}

const dayFrom = (days: number): string =>
  new Date(test.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
const trip = (loading: number, unloading: number): Pick<OrderInput, 'locations'> => ({
  locations: [
    {
      kind: 'loading',
      termin: { kind: 'fix', dateFrom: dayFrom(loading), timeFrom: '06:00' },
      countryId: world.countries.PL,
      city: 'Łódź',
    },
    {
      kind: 'unloading',
      termin: { kind: 'fix', dateFrom: dayFrom(unloading), timeFrom: '18:00' },
      countryId: world.countries.DE,
      city: 'Kassel',
    },
  ],
})

async function make(
  name: string,
  more: Partial<OrderInput> = {},
  ...moves: [to: string, at: string][]
): Promise<Order> {
  const created = await test.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, { description: name, caseWorkerId: clerk.id, ...more }),
  )
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  let order = created.body
  for (const [to, at] of moves) {
    const { status, body } = await test.admin.post<Order>(`orders/${order.id}/status`, {
      to,
      version: order.version,
      reason: 'x',
      at,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    order = body
  }
  numbers[order.number] = name
  return order
}

const withoutPlate = () => {
  const route = carried(world)
  return { ...route, assignment: { ...route.assignment!, plateNumber: null } }
}
const withoutCost = () => {
  const route = carried(world)
  return { ...route, assignment: { ...route.assignment!, costCents: null } }
}
const waiting = async (caller: Caller) => {
  const { status, body } = await caller.get<{ items: WaitingOrder[]; total: number }>('orders/waiting')
  expect(status).toBe(200)
  return { lines: body.items.map(({ kind, order }) => `${kind} ${numbers[order.title]}`), ...body }
}

let delivered: Order

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = await test.userWith('ASSIGNED_ORDERS')
  customerId = await world.customer('Oberland Käserei eG', 'DE')
  const at = (days: number) => new Date(test.clock.now().getTime() + days * 86_400_000).toISOString()
  await make('loads tomorrow', trip(1, 2))
  await make('should have been loaded', trip(-3, 2))
  await make('loads next week', trip(7, 8))
  await make('drives itself', { ...trip(1, 2), disposition: 'OWN_FLEET' })
  await make('has its carrier', { ...trip(1, 2), routes: [carried(world)] })
  await make('of somebody else', { ...trip(1, 2), caseWorkerId: null })
  await make('no plate', { ...trip(1, 2), routes: [withoutPlate()] }, ['scheduled', at(0)])
  await make('no plate, next week', { ...trip(7, 8), routes: [withoutPlate()] }, ['scheduled', at(0)])
  const gone = (days: number): [string, string][] => [
    ['scheduled', at(days)],
    ['in_transit', at(days)],
    ['delivered', at(days)],
  ]
  await make(
    'delivered today',
    { ...trip(-2, 0), customerPriceCents: 120_000, routes: [carried(world)] },
    ...gone(-0.1),
  )
  delivered = await make(
    'delivered long ago',
    { ...trip(-9, -8), customerPriceCents: 120_000, routes: [carried(world)] },
    ...gone(-8),
  )
  await make('without price', { ...trip(-2, 0), routes: [carried(world)] }, ...gone(-0.1))
  await make('without cost', { ...trip(-2, 0), customerPriceCents: 1, routes: [withoutCost()] }, ...gone(-0.1))
  await make(
    'ours, without cost',
    { ...trip(-2, 0), customerPriceCents: 1, routes: [{ assignment: { ownFleet: true } }] },
    ...gone(-0.1),
  )
  const idle = await make('idle', trip(1, 2))
  await test.admin.patch(`orders/${idle.id}`, { state: 'inactive' }, { version: idle.version })
})

describe('what waits for me', () => {
  it.each([
    'orders/waiting?mine=1',
    'orders/figures',
    'orders/figures?createdAt[from]=2026-01-01',
    'orders/figures?createdAt[from]=2026-01-01&createdAt[to]=2026-02-30',
  ])('refuses %s', async (path) => {
    expect((await test.admin.get(path)).status).toBe(422)
  })

  it('is what the case worker can finish, the most urgent kind first, the oldest date first', async () => {
    const { lines, items, total } = await waiting(clerk.caller)
    expect(lines).toEqual([
      'carrier_missing should have been loaded',
      'carrier_missing loads tomorrow',
      'plate_missing no plate',
      'pod_missing delivered long ago',
      'price_missing without price',
      'cost_missing without cost',
    ])
    expect(total).toBe(6)
    expect(items[1]).toMatchObject({
      customer: { id: customerId, title: 'Oberland Käserei eG' },
      timeZone: 'Europe/Warsaw',
    })
    expect(items[1]!.at.slice(0, 10)).toBe(dayFrom(1))
    expect((await waiting(test.admin)).lines).toEqual([])
  })

  it('asks for a look at a proof of delivery once it is here, and no longer for itself', async () => {
    await test.database.pool.query(
      `insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes", sha256,
        "fileKey", acceptance, "createdAt")
        values ('order', $1, 'PROOF_OF_DELIVERY', 'pod.pdf', 'application/pdf', 1, '', 'pod', 'toCheck', now())`,
      [delivered.id],
    )
    expect((await waiting(clerk.caller)).lines).toContain('pod_to_check delivered long ago')
    expect((await waiting(clerk.caller)).lines).not.toContain('pod_missing delivered long ago')
    await test.database.pool.query(`update document set acceptance = 'accepted' where "ownerId" = $1`, [delivered.id])
    expect((await waiting(clerk.caller)).lines).toContain('pod_accepted delivered long ago')
    expect((await waiting(clerk.caller)).lines).not.toContain('pod_to_check delivered long ago')
    await test.database.pool.query(
      `update document set acceptance = 'refused', "refusalReason" = 'page 2 is missing' where "ownerId" = $1`,
      [delivered.id],
    )
    expect((await waiting(clerk.caller)).lines).toContain('pod_missing delivered long ago')
  })

  it('keeps to the company that an administrator looks at', async () => {
    const mine = await make('mine', {
      ...trip(1, 2),
      caseWorkerId: await test.idOf('user', 'email', 'admin@waybill.example'),
    })
    expect((await waiting(test.admin)).items.map(({ order }) => order.id)).toEqual([mine.id])
    expect((await test.admin.get('orders/waiting', { headers: { 'group-filter': '999999' } })).body).toEqual({
      items: [],
      total: 0,
    })
  })
})

describe('a price that is not what was billed', () => {
  const billedOf = async (caller: Caller, id: number) => caller.get(`orders/${id}/billed`)
  const differing = async (caller: Caller) =>
    (await caller.get<{ items: WaitingOrder[] }>('orders/waiting')).body.items
      .filter(({ kind }) => kind === 'billed_differs')
      .map(({ order }) => order.title)

  it('is not told to who may not see invoices', async () => {
    const order = await make('hidden', { customerPriceCents: 10_000 })
    expect((await billedOf(clerk.caller, order.id)).status).toBe(403)
    const { caller: stranger } = await test.userWith('INVOICES_PROCESSING', 'ASSIGNED_ORDERS')
    expect((await billedOf(stranger, order.id)).status).toBe(404)
  })

  it('is told at the order and in the list of what waits, until a correction bills the difference', async () => {
    const { caller: accountant } = await test.userWith('INVOICES_PROCESSING', 'ORDERS_MANAGEMENT')
    const order = await make('billed', { customerPriceCents: 100_000, caseWorkerId: clerk.id })
    const send = async ({ id, version }: { id: number; version: number }) => {
      const { status, body } = await accountant.post(`invoices/${id}/status`, { to: 'sent' }, { version })
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    }
    const draft = (await accountant.post('invoices', { entityType: 'customer', orderIds: [order.id] })).body
    expect((await billedOf(accountant, order.id)).body).toEqual({ billed: null })
    const invoice = await send(draft)
    const load = { quantity: 0, weightKg: 0, volumeM3: 0, ldm: 0, from: '', to: '' }
    const told = (billedCents: number) => ({
      billed: { invoice: { id: invoice.id, title: invoice.number }, billedCents, load, loadNow: load },
    })
    expect((await billedOf(accountant, order.id)).body).toEqual(told(100_000))
    expect(await differing(accountant)).toEqual([])

    const { body: changed } = await test.admin.patch(
      `orders/${order.id}`,
      { customerPriceCents: 90_000 },
      { version: order.version },
    )
    expect(await differing(accountant)).toEqual([order.number])
    expect(await differing(clerk.caller)).toEqual([])
    const [freight] = invoice.lines
    const { kind, text, vatBp, vatCategory, orderId } = freight
    const correct = async (body: object) =>
      (await accountant.post(`invoices/${invoice.id}/correction`, body, { version: invoice.version })).body
    const line = { kind, text, vatBp, vatCategory, orderId, quantity: -1, unitPriceCents: 10_000 }
    const correction = await correct({ reason: 'another price', lines: [line] })
    expect(await differing(accountant)).toEqual([order.number])
    await send(correction)
    expect((await billedOf(accountant, order.id)).body).toEqual(told(90_000))
    expect(await differing(accountant)).toEqual([])

    // Taken back in full, nothing is billed, and nothing differs.
    await test.admin.patch(`orders/${order.id}`, { customerPriceCents: 95_000 }, { version: changed.version })
    expect(await differing(accountant)).toEqual([order.number])
    await send(await correct({ reason: 'all of it' }))
    expect((await billedOf(accountant, order.id)).body).toEqual({ billed: null })
    expect(await differing(accountant)).toEqual([])
  })
})

describe('cargo or way that is not what was billed', () => {
  const waitingKinds = async (caller: Caller, number: string) =>
    (await caller.get<{ items: WaitingOrder[] }>('orders/waiting')).body.items
      .filter(({ order }) => order.title === number)
      .map(({ kind }) => kind)

  async function billedOrder(more: object) {
    const { caller: accountant } = await test.userWith('INVOICES_PROCESSING', 'ORDERS_MANAGEMENT')
    const order = await make('carried', { customerPriceCents: 100_000, caseWorkerId: clerk.id, ...trip(3, 4), ...more })
    const draft = (await accountant.post('invoices', { entityType: 'customer', orderIds: [order.id] })).body
    const sent = await accountant.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const read = async () => (await accountant.get(`orders/${order.id}`)).body
    const change = async (part: object) => {
      const { status, body } = await test.admin.patch(`orders/${order.id}`, part, { version: (await read()).version })
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    }
    const billed = async () => (await accountant.get(`orders/${order.id}/billed`)).body.billed
    return { accountant, order, invoice: sent.body, read, change, billed }
  }
  const CARGO = [
    { title: 'Paper', quantity: 33, weightKg: 20_000.1, lengthCm: 120, widthCm: 80, heightCm: 100 },
    { title: 'Doors', quantity: 2, weightKg: 0.2 },
  ]

  it('is let stand by who may write invoices alone, and for the order as it is read', async () => {
    const { accountant, order, read, change } = await billedOrder({ cargo: CARGO })
    const { version } = await read()
    const keep = (caller: Caller, id: number, at: number) =>
      caller.post(`orders/${id}/billed/keep`, {}, { version: at })
    expect((await keep(clerk.caller, order.id, version)).status).toBe(403)
    const { caller: stranger } = await test.userWith('INVOICES_PROCESSING', 'ASSIGNED_ORDERS')
    expect((await keep(stranger, order.id, version)).status).toBe(404)
    await change({ description: 'by another' })
    expect((await keep(accountant, order.id, version)).body.code).toBe('stale_version')
    const bare = await make('not billed', {})
    expect((await keep(accountant, bare.id, bare.version)).status).toBe(404)
  })

  it('is told with both sums until somebody lets the invoice stand, and a later change anew', async () => {
    const { accountant, order, read, change, billed } = await billedOrder({ cargo: CARGO })
    expect(await waitingKinds(accountant, order.number)).toEqual([])
    const { cargo } = await read()
    await change({ cargo: [{ ...cargo[0], quantity: 30, weightKg: 18_000 }, cargo[1]] })
    expect(await waitingKinds(accountant, order.number)).toEqual(['billed_load_differs'])
    expect(await waitingKinds(clerk.caller, order.number)).toEqual([])
    expect(await billed()).toMatchObject({
      load: { quantity: 35, weightKg: 20_000.3, ldm: 13.2 },
      loadNow: { quantity: 32, weightKg: 18_000.2, ldm: 12 },
    })

    const { version } = await read()
    const kept = await accountant.post(`orders/${order.id}/billed/keep`, {}, { version })
    expect(kept.body.billed).toMatchObject({ load: { quantity: 32 }, loadNow: { quantity: 32 } })
    expect(await waitingKinds(accountant, order.number)).toEqual([])
    const { body: history } = await accountant.get(`audit-entries?orderId=${order.id}&perPage=10`)
    expect(JSON.stringify(history)).toContain('billedLoad.quantity')

    await change({ cargo: [] })
    expect(await waitingKinds(accountant, order.number)).toEqual(['billed_load_differs'])
    expect((await billed()).loadNow).toMatchObject({ quantity: 0, weightKg: 0 })
  })

  it('is none where a line is split or its title changes', async () => {
    const { accountant, order, read, change } = await billedOrder({ cargo: CARGO })
    const { cargo } = await read()
    await change({
      cargo: [
        { ...cargo[0], title: 'Paper in reels', quantity: 20, weightKg: 12_000.1 },
        { ...CARGO[0], key: 'second', quantity: 13, weightKg: 8_000 },
        cargo[1],
      ],
    })
    expect(await waitingKinds(accountant, order.number)).toEqual([])
  })

  it('is another town too, and a correction of the price settles it', async () => {
    const { accountant, order, invoice, read, change, billed } = await billedOrder({ cargo: CARGO })
    const { locations } = await read()
    await change({
      customerPriceCents: 90_000,
      locations: locations.map((stop: { city: string }, index: number) =>
        index === locations.length - 1 ? { ...stop, city: 'Graz' } : stop,
      ),
    })
    expect(await waitingKinds(accountant, order.number)).toEqual(['billed_differs', 'billed_load_differs'])
    expect(await billed()).toMatchObject({ load: { to: 'DE Kassel' }, loadNow: { to: 'DE Graz' } })
    const { kind, text, vatBp, vatCategory, orderId } = invoice.lines[0]
    const line = { kind, text, vatBp, vatCategory, orderId, quantity: -1, unitPriceCents: 10_000 }
    const body = { reason: 'to Graz', lines: [line] }
    const correction = (await accountant.post(`invoices/${invoice.id}/correction`, body, { version: invoice.version }))
      .body
    await accountant.post(`invoices/${correction.id}/status`, { to: 'sent' }, { version: correction.version })
    expect(await waitingKinds(accountant, order.number)).toEqual([])
  })

  it('is not taken for settled by an invoice of extras for the same order', async () => {
    const { accountant, order, change } = await billedOrder({ cargo: CARGO })
    await change({ cargo: [] })
    const extra = {
      kind: 'extra',
      text: 'Waiting',
      unitPriceCents: 5_000,
      vatBp: 0,
      vatCategory: 'AE',
      orderId: order.id,
    }
    const draft = (await accountant.post('invoices', { entityType: 'customer', orderIds: [order.id], lines: [extra] }))
      .body
    await accountant.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
    expect(await waitingKinds(accountant, order.number)).toEqual(['billed_load_differs'])
  })
})

describe('the figures of some days', () => {
  const figures = async (caller: Caller, query = '') =>
    (await caller.get(`orders/figures?createdAt[from]=${dayFrom(-1)}&createdAt[to]=${dayFrom(1)}${query}`)).body

  it('sum price and margin, without what was canceled, and a margin only where the cost is known', async () => {
    const before = await figures(test.admin)
    await make('priced', { customerPriceCents: 100_000, routes: [carried(world, 75_000)] })
    await make('of unknown cost', { customerPriceCents: 20_000 })
    await make('canceled', { customerPriceCents: 999_999 }, ['canceled', test.clock.now().toISOString()])
    const after = await figures(test.admin)
    expect(after).toMatchObject({
      count: before.count + 2,
      isExact: true,
      customerPriceCents: before.customerPriceCents + 120_000,
      incomeCents: before.incomeCents + 25_000,
    })
    expect(after.marginBp).toBe(2500)
    expect(await figures(clerk.caller)).toEqual(await figures(clerk.caller, '&mine=1'))
  })

  it('hold no order that the caller may not know of', async () => {
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    expect(await figures(caller)).toEqual({
      count: 0,
      isExact: true,
      customerPriceCents: 0,
      incomeCents: 0,
      marginBp: null,
    })
    expect(
      (
        await test.admin.get(`orders/figures?createdAt[from]=${dayFrom(-1)}&createdAt[to]=${dayFrom(1)}`, {
          headers: { 'group-filter': '999999' },
        })
      ).body.count,
    ).toBe(0)
    expect((await figures(test.admin, '&departmentId[]=999999')).count).toBe(0)
  })
})
