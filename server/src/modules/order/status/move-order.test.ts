import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { leastAdvanced, type RouteStatus } from '@waybill/contract/order/status'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { GIVEN, STATUSES, TABLE, type Status } from '../../../../test/order-moves.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number
let clerk: { caller: Caller; id: number }

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
  clerk = await test.userWith('ORDERS_MANAGEMENT')
})

const create = async (more: Partial<OrderInput> = {}): Promise<Order> => {
  const { status, body } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), ...more }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const move = (order: Order, to: string, more: object = {}, caller = test.admin): Promise<Answer> =>
  caller.post(`orders/${order.id}/status`, { to, version: order.version, ...more })
const moveRoute = (order: Order, route: number, to: string, more: object = {}, caller = test.admin): Promise<Answer> =>
  caller.post(`routes/${order.routes[route]!.id}/status`, { to, version: order.version, ...more })
const moved = async (order: Order, to: string, more: object = {}): Promise<Order> => {
  const { status, body } = await move(order, to, more)
  expect(status, `${to}: ${JSON.stringify(body)}`).toBe(200)
  return body
}
const faultsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map((error: { path: string; code: string }) => `${error.path} ${error.code}`)

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
const AT = ago(10)
const WAY: Record<Status, Status[]> = {
  new: [],
  scheduled: ['scheduled'],
  in_transit: ['scheduled', 'in_transit'],
  arrived: ['scheduled', 'in_transit', 'arrived'],
  delivered: ['scheduled', 'in_transit', 'delivered'],
  completed: ['scheduled', 'in_transit', 'delivered', 'completed'],
  canceled: ['canceled'],
}
async function orderIn(status: Status, more: Partial<OrderInput> = {}): Promise<Order> {
  let order = await create({ routes: [carried(world)], ...more })
  for (const to of WAY[status]) order = await moved(order, to, GIVEN)
  expect(order.status).toBe(status)
  return order
}

describe('moves of an order', () => {
  it.each(STATUSES)('from %s are those of the table, for clerks and for administrators', async (from) => {
    for (const to of [...STATUSES, 'merged'] as const) {
      for (const [caller, who] of [
        [clerk.caller, 'everyone'],
        [test.admin, 'administrators'],
      ] as const) {
        const allowed = to === 'merged' ? undefined : TABLE[from][to]
        const order = await orderIn(from)
        const answer = await move(order, to, GIVEN, caller)
        const name = `${from} → ${to} by ${who}`
        if (from === to) {
          expect([answer.status, answer.body.version], name).toEqual([200, order.version])
        } else if (allowed === 'everyone' || allowed === who) {
          expect(
            [answer.status, answer.body.status, answer.body.routes?.[0].status],
            `${name} ${JSON.stringify(answer.body)}`,
          ).toEqual([200, to, to])
        } else if (allowed) {
          expect([answer.status, ...faultsOf(answer)], name).toEqual([403, 'to administrators_only'])
        } else {
          const mayGo = Object.entries(TABLE[from]).flatMap(([status, whose]) =>
            whose === 'everyone' || whose === who ? [status] : [],
          )
          expect(answer.body, name).toMatchObject({ code: 'illegal_transition', from, to })
          expect(answer.body.allowed.toSorted(), name).toEqual(mayGo.toSorted())
        }
      }
    }
  })

  it('need the version read, and refuse an old one', async () => {
    const order = await create({ routes: [carried(world)] })
    expect((await test.admin.post(`orders/${order.id}/status`, { to: 'scheduled' })).body.code).toBe('version_required')
    await moved(order, 'scheduled')
    expect((await move(order, 'canceled', GIVEN)).body).toMatchObject({
      code: 'stale_version',
      current: { status: 'scheduled' },
    })
  })

  it('made by twenty people at once happen once', async () => {
    const order = await create({ routes: [carried(world)] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => move(order, 'scheduled')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    const { rows } = await test.database.pool.query('select "from", "to" from status_move where "orderId" = $1', [
      order.id,
    ])
    expect(rows).toEqual([{ from: 'new', to: 'scheduled' }])
  })

  it.each<[string, () => Promise<Order>, string, object, string[]]>([
    [
      'scheduled needs stops with dates and a carrier',
      () => create({ cargo: [], locations: [] }),
      'scheduled',
      {},
      ['locations pick_up_and_drop_off_missing', 'routes assignment_missing'],
    ],
    [
      'scheduled needs somebody who drives',
      () => create({ routes: [{ assignment: { costCents: 100 } }] }),
      'scheduled',
      {},
      ['routes.0.assignment assignment_missing'],
    ],
    [
      'in transit needs the loading times',
      () => orderIn('scheduled'),
      'in_transit',
      {},
      ['stopTimes loading_times_missing'],
    ],
    ['arrived needs the arrival', () => orderIn('in_transit'), 'arrived', {}, ['stopTimes arrival_time_missing']],
    [
      'delivered needs the unloading times',
      () => orderIn('in_transit'),
      'delivered',
      {},
      ['stopTimes unloading_times_missing'],
    ],
    [
      'completed needs a POD or a waiver',
      () => orderIn('delivered'),
      'completed',
      { podWaiverReason: '  ' },
      ['podWaiverReason pod_missing'],
    ],
    ['canceled needs a reason', () => create(), 'canceled', { reason: ' ' }, ['reason reason_missing']],
    ['a step back needs a reason', () => orderIn('arrived'), 'in_transit', {}, ['reason reason_missing']],
    [
      'a time at a stop of another order',
      () => orderIn('scheduled'),
      'in_transit',
      { stopTimes: [{ locationId: 999_999, loadedAt: AT }] },
      ['stopTimes.0.locationId unknown_reference'],
    ],
    ['a status that does not exist', () => create(), 'lost', {}, ['to invalid_value']],
    [
      'a date that does not exist',
      () => orderIn('scheduled'),
      'in_transit',
      { at: '2026-02-30T10:00:00Z' },
      ['at invalid_date'],
    ],
    [
      'a moment that has not come',
      () => orderIn('scheduled'),
      'in_transit',
      { at: '2999-01-01T10:00:00Z' },
      ['at in_the_future', 'at in_the_future'],
    ],
    [
      'a moment of another century',
      () => orderIn('scheduled'),
      'in_transit',
      { at: '1999-01-01T10:00:00Z' },
      ['at long_before_order', 'at long_before_order'],
    ],
  ])('are refused with what is missing: %s', async (_, order, to, more, faults) => {
    const before = await order()
    const answer = await move(before, to, more)
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual(faults)
    const { body: after } = await test.admin.get<Order>(`orders/${before.id}`)
    expect(after).toEqual({ ...before, undoUntil: after.undoUntil })
  })

  it('of an order without a route need our own fleet, and end where a truck is needed', async () => {
    const order = await create({ disposition: 'OWN_FLEET' })
    const scheduled = await moved(order, 'scheduled')
    expect(faultsOf(await move(scheduled, 'in_transit', { at: AT }))).toEqual(['routes route_missing'])
    const planned = await test.admin.patch(
      `orders/${order.id}`,
      { routes: [{ assignment: { ownFleet: true } }] },
      { version: scheduled.version },
    )
    expect(planned.body).toMatchObject({
      status: 'scheduled',
      routes: [{ status: 'scheduled', locationIds: order.locations.map((stop) => stop.id) }],
    })
    expect(planned.body.statusDates).toEqual(scheduled.statusDates)
    await moved(planned.body, 'in_transit', { at: AT })
  })

  it('keep the times at the stops: those given there, and the one given by hand for the rest', async () => {
    const { cargo, locations } = shipment(world)
    const second = { ...locations![0]!, key: 'second', city: 'Berlin', cargoActions: [] }
    const order = await create({ cargo, locations: [locations![0]!, second, locations![1]!], routes: [carried(world)] })
    const scheduled = await moved(order, 'scheduled')
    const [hamburg, berlin, poznan] = order.locations.map((stop) => stop.id)
    const [arrived, loaded, unloaded] = [ago(140), ago(100), ago(5)]
    expect(
      faultsOf(await move(scheduled, 'in_transit', { stopTimes: [{ locationId: hamburg, loadedAt: loaded }] })),
    ).toEqual(['stopTimes loading_times_missing'])
    const driving = await moved(scheduled, 'in_transit', {
      at: AT,
      stopTimes: [{ locationId: hamburg, arrivedAt: arrived.replace('Z', '+00:00'), loadedAt: loaded }],
    })
    expect(driving.locations.map(({ arrivedAt, loadedAt }) => [arrivedAt, loadedAt])).toEqual([
      [arrived, loaded],
      [null, AT],
      [null, null],
    ])
    expect(driving).toMatchObject({ firstLoadingAt: loaded, statusDates: { in_transit: AT } })
    const delivered = await moved(driving, 'delivered', {
      stopTimes: [{ locationId: poznan, unloadedAt: unloaded }],
    })
    expect(delivered).toMatchObject({
      lastUnloadingAt: unloaded,
      routes: [{ assignment: { loadedAt: loaded, unloadedAt: unloaded } }],
    })
    expect(delivered.locations.find((stop) => stop.id === berlin)!.unloadedAt).toBeNull()
  })

  it('refuse times at stops that cannot have been, and say at which', async () => {
    const scheduled = await orderIn('scheduled')
    const [hamburg, poznan] = scheduled.locations.map((stop) => stop.id)
    const times = (one: object) => ({ stopTimes: [{ locationId: hamburg, loadedAt: ago(60) }, one] })
    const wrong = async (one: object) => faultsOf(await move(scheduled, 'in_transit', times(one)))
    expect(await wrong({ locationId: hamburg, loadedAt: '2999-01-01T10:00:00Z' })).toEqual([
      'stopTimes.0.loadedAt in_the_future',
    ])
    expect(await wrong({ locationId: hamburg, loadedAt: '1999-01-01T10:00:00Z' })).toEqual([
      'stopTimes.0.loadedAt long_before_order',
    ])
    expect(await wrong({ locationId: hamburg, arrivedAt: ago(30) })).toEqual(['stopTimes.0.loadedAt before_arrival'])
    expect(await wrong({ locationId: poznan, arrivedAt: ago(90) })).toEqual(['stopTimes.1.arrivedAt before_loading'])
    const driving = await moved(scheduled, 'in_transit', times({ locationId: hamburg, arrivedAt: ago(70) }))
    expect(faultsOf(await move(driving, 'arrived', { at: ago(20) }))).toEqual(['at before_last_step'])
    expect(
      faultsOf(await move(driving, 'delivered', { stopTimes: [{ locationId: poznan, unloadedAt: ago(61) }] })),
    ).toEqual(['stopTimes.0.unloadedAt before_loading'])
  })

  it('leave a time that was stored under an older rule as it is, until somebody changes it', async () => {
    const order = await orderIn('in_transit')
    const [stop] = order.locations
    await test.database.pool.query(`update location set "loadedAt" = '1999-01-01T10:00:00Z' where id = $1`, [stop!.id])
    const patch = (body: object) => test.admin.patch(`orders/${order.id}`, body, { version: order.version })
    const locations = (loadedAt: string) =>
      order.locations.map((one) => (one.id === stop!.id ? { ...one, loadedAt } : one))
    expect(faultsOf(await patch({ locations: locations('1998-01-01T10:00:00Z') }))).toEqual([
      'locations.0.loadedAt long_before_order',
    ])
    expect((await patch({ description: 'x', locations: locations('1999-01-01T10:00:00.000Z') })).status).toBe(200)
  })

  it('complete with a POD on file, and keep the reason where there is none', async () => {
    const delivered = await orderIn('delivered')
    const waived = await moved(delivered, 'completed', { podWaiverReason: 'lost by the consignee' })
    expect(waived).toMatchObject({ hasPod: false, podWaiverReason: 'lost by the consignee' })
    const other = await orderIn('delivered')
    await test.database.pool.query(
      `insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes", sha256,
        "fileKey", acceptance, "createdAt")
        values ('order', $1, 'PROOF_OF_DELIVERY', 'pod.pdf', 'application/pdf', 1, '', 'pod', 'accepted', now())`,
      [other.id],
    )
    const completed = await moved(other, 'completed')
    expect(completed).toMatchObject({ hasPod: true, podWaiverReason: null, status: 'completed' })
  })

  it('are in the history with their reason', async () => {
    const order = await orderIn('scheduled')
    await moved(order, 'canceled', { reason: 'the customer withdrew' })
    const { body } = await test.admin.get(`audit-entries?orderId=${order.id}`)
    expect(body.items[0]).toMatchObject({ action: 'moved', reason: 'the customer withdrew' })
    expect(body.items[0].changes).toEqual(
      expect.arrayContaining([{ path: 'status', from: 'scheduled', to: 'canceled' }]),
    )
  })

  it('cancel the cost too: what does not drive costs nothing', async () => {
    const order = await orderIn('scheduled', { customerPriceCents: 100_000, routes: [carried(world, 80_000)] })
    expect(order).toMatchObject({ carrierCostCents: 80_000, incomeCents: 20_000 })
    expect(await moved(order, 'canceled', GIVEN)).toMatchObject({ carrierCostCents: null, incomeCents: null })
  })

  it('make an order late while it waits for what should have happened', async () => {
    const [hamburg, poznan] = shipment(world).locations!
    const past = { ...hamburg!, termin: { kind: 'fix' as const, dateFrom: '2024-03-04', timeFrom: '08:00' } }
    const order = await create({
      cargo: shipment(world).cargo,
      locations: [past, { ...poznan!, termin: { kind: 'before', dateFrom: '2024-03-05' } }],
      routes: [carried(world)],
    })
    expect(order.delay).toBeNull()
    const scheduled = await moved(order, 'scheduled')
    expect(scheduled.delay).toMatchObject({ kind: 'sending', expectedAt: '2024-03-04T07:00:00.000Z' })
    expect((await test.admin.get(`orders?delayed=1&q=${order.number}`)).body.items[0].delay).toEqual(scheduled.delay)
    const driving = await moved(scheduled, 'in_transit', { at: ago(20) })
    expect(driving.delay).toMatchObject({ kind: 'delivery', expectedAt: '2024-03-05T22:59:59.999Z' })
    expect((await moved(driving, 'delivered', { at: ago(5) })).delay).toBeNull()
  })
})

describe('routes of one order', () => {
  const twoLegs = () =>
    create({
      customerPriceCents: 200_000,
      cargo: [],
      locations: ['Hamburg', 'Berlin', 'Poznań', 'Łódź'].map((city, index) => ({
        key: city,
        kind: index % 2 === 0 ? 'loading' : 'unloading',
        termin: { kind: 'fix', dateFrom: `2026-12-0${index + 1}` },
        countryId: world.countries.DE,
        city,
      })),
      routes: [
        { ...carried(world, 50_000), locationKeys: ['Hamburg', 'Berlin'] },
        { ...carried(world, 60_000), locationKeys: ['Poznań', 'Łódź'] },
      ],
    })

  it('move alone, and the order follows the least advanced', async () => {
    const order = await twoLegs()
    const first = (await moveRoute(order, 0, 'scheduled')).body as Order
    expect([first.status, ...first.routes.map((route) => route.status)]).toEqual(['new', 'scheduled', 'new'])
    const both = (await moveRoute(first, 1, 'scheduled')).body as Order
    expect(both.status).toBe('scheduled')
    expect(both.statusDates.scheduled).toEqual(expect.any(String))
    const driving = (await moveRoute(both, 0, 'in_transit', { at: AT })).body as Order
    expect([driving.status, driving.routes[0]!.statusDates.in_transit]).toEqual(['scheduled', AT])
    expect(driving.locations.map((stop) => stop.loadedAt)).toEqual([AT, null, null, null])
    const canceled = (await moveRoute(driving, 1, 'canceled', GIVEN)).body as Order
    expect([canceled.status, canceled.carrierCostCents]).toEqual(['in_transit', 50_000])
  })

  it('all move with the order as far as they may, and never backwards by it', async () => {
    const order = await twoLegs()
    const ahead = (await moveRoute((await moveRoute(order, 0, 'scheduled')).body, 0, 'in_transit', { at: AT }))
      .body as Order
    const scheduled = await moved(ahead, 'scheduled')
    expect(scheduled.routes.map((route) => route.status)).toEqual(['in_transit', 'scheduled'])
    const arrived = (await moveRoute(scheduled, 0, 'arrived', { at: AT })).body as Order
    const driving = await moved(arrived, 'in_transit', { at: AT })
    expect([driving.status, ...driving.routes.map((route) => route.status)]).toEqual([
      'in_transit',
      'arrived',
      'in_transit',
    ])
  })

  it('forget the unloading of a delivery that was taken back, once the truck arrives after it', async () => {
    const delivered = await moved(await moved(await orderIn('scheduled'), 'in_transit', { at: AT }), 'delivered', {
      at: AT,
    })
    expect(delivered.locations.at(-1)!.unloadedAt).toBe(AT)
    const driving = await moved(delivered, 'in_transit', GIVEN)
    const { at } = GIVEN
    const arrived = await moved(driving, 'arrived', { at })
    expect(arrived.locations.at(-1)).toMatchObject({ arrivedAt: at, unloadedAt: null })
  })

  it('take times of their own stops only', async () => {
    const order = await twoLegs()
    const scheduled = await moved(order, 'scheduled')
    const answer = await moveRoute(scheduled, 0, 'in_transit', {
      stopTimes: [{ locationId: order.locations[2]!.id, loadedAt: AT }],
    })
    expect(faultsOf(answer)).toEqual(['stopTimes.0.locationId unknown_reference'])
  })

  it('that are planned cannot be left out, nor lose who drives them, and an ended order takes no more', async () => {
    const order = await orderIn('scheduled')
    const patch = (body: object, one = order) => test.admin.patch(`orders/${one.id}`, body, { version: one.version })
    expect((await patch({ routes: [] })).body.code).toBe('in_use')
    expect(faultsOf(await patch({ routes: [{ ...order.routes[0], assignment: null }] }))).toEqual([
      'routes.0.assignment assignment_missing',
    ])
    const canceled = await moved(order, 'canceled', GIVEN)
    expect((await patch({ routes: [...canceled.routes, {}] }, canceled)).body.code).toBe('conflict')
    expect((await patch({ internalComments: 'called back' }, canceled)).status).toBe(200)
  })

  it('follow their table under any sequence of moves, and the order is always their least advanced', async () => {
    const step = fc.record({
      route: fc.integer({ min: 0, max: 2 }),
      to: fc.constantFrom(...STATUSES),
      isAdmin: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        let order = await twoLegs()
        for (const { route, to, isAdmin } of steps) {
          const caller = isAdmin ? test.admin : clerk.caller
          const from = route === 2 ? (order.status as Status) : (order.routes[route]!.status as Status)
          const who = TABLE[from][to]
          const mayMove = from === to || who === 'everyone' || (who === 'administrators' && isAdmin)
          const answer =
            route === 2 ? await move(order, to, GIVEN, caller) : await moveRoute(order, route, to, GIVEN, caller)
          expect(answer.status, `${from} → ${to}: ${JSON.stringify(answer.body)}`).toBe(
            mayMove ? 200 : who === 'administrators' ? 403 : 409,
          )
          if (!mayMove) continue
          const after = answer.body as Order
          for (const [index, one] of after.routes.entries()) {
            const was = order.routes[index]!.status as Status
            expect(was === one.status || one.status === to, 'a route moves to what was asked for, or not at all').toBe(
              true,
            )
          }
          order = after
          expect(order.status).toBe(leastAdvanced(order.routes.map((one) => one.status as RouteStatus)))
          expect(order.statusDates[order.status]).toEqual(expect.any(String))
        }
      }),
      { numRuns: modelRuns(20, 500) },
    )
  }, 180_000)

  it('cannot skip a step by direct SQL either', async () => {
    const order = await create({ routes: [carried(world)] })
    const update = (status: string) =>
      test.database.pool.query('update route set status = $2 where id = $1', [order.routes[0]!.id, status])
    await expect(update('delivered')).rejects.toMatchObject({ constraint: 'route_status_step' })
    await expect(update('merged')).rejects.toMatchObject({ constraint: 'route_status_step' })
    await update('scheduled')
  })
})

describe('undo', () => {
  const undo = (order: Order, caller = test.admin): Promise<Answer> =>
    caller.post(`orders/${order.id}/status/undo`, { version: order.version })

  it('takes a move back within eight seconds: statuses, dates and times; the move stays in the history', async () => {
    const scheduled = await orderIn('scheduled')
    const driving = await moved(scheduled, 'in_transit', { at: AT })
    expect(Date.parse(driving.undoUntil!)).toBeGreaterThan(test.clock.now().getTime())
    const { status, body } = await undo(driving)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toEqual({ ...scheduled, version: driving.version + 1, undoUntil: null })
    const { rows } = await test.database.pool.query(
      'select "to", "undoneAt" is not null as "isUndone" from status_move where "orderId" = $1 order by id',
      [scheduled.id],
    )
    expect(rows).toEqual([
      { to: 'scheduled', isUndone: false },
      { to: 'in_transit', isUndone: true },
    ])
    const { body: history } = await test.admin.get(`audit-entries?orderId=${scheduled.id}`)
    expect(history.items.slice(0, 2).map((entry: { action: string }) => entry.action)).toEqual(['moveUndone', 'moved'])
  })

  it('takes back what only administrators could go back on', async () => {
    const completed = await moved(await orderIn('delivered'), 'completed', { podWaiverReason: 'none was made' })
    expect((await undo(completed)).body).toMatchObject({
      status: 'delivered',
      podWaiverReason: null,
      statusDates: expect.not.objectContaining({ completed: expect.anything() }),
    })
  })

  it('is over after eight seconds, after any other change, and twice', async () => {
    const once = await orderIn('scheduled')
    const undone = (await undo(once)).body as Order
    expect(undone).toMatchObject({ status: 'new', undoUntil: null })
    expect((await undo(undone)).body.code).toBe('conflict')
    const changed = (
      await test.admin.patch(
        `orders/${undone.id}`,
        { description: 'x' },
        { version: (await moved(undone, 'scheduled')).version },
      )
    ).body as Order
    expect(changed.undoUntil).toBeNull()
    expect((await undo(changed)).body.code).toBe('conflict')
    const late = await orderIn('scheduled')
    test.clock.advance(8000)
    expect((await test.admin.get(`orders/${late.id}`)).body.undoUntil).toBeNull()
    expect((await undo(late)).body.code).toBe('conflict')
  })

  it('belongs to who moved, and needs the version read', async () => {
    const order = await orderIn('scheduled')
    expect((await clerk.caller.get(`orders/${order.id}`)).body.undoUntil).toBeNull()
    expect((await undo(order, clerk.caller)).body.code).toBe('conflict')
    expect((await undo({ ...order, version: 1 })).body.code).toBe('stale_version')
    expect((await test.admin.post(`orders/${order.id}/status/undo`)).body.code).toBe('version_required')
    expect((await undo(order)).status).toBe(200)
  })

  it('opens the database’s table of steps for itself alone', async () => {
    const order = await orderIn('scheduled')
    await undo(order)
    await expect(
      test.database.pool.query(`update route set status = 'arrived' where id = $1`, [order.routes[0]!.id]),
    ).rejects.toMatchObject({ constraint: 'route_status_step' })
  })
})
