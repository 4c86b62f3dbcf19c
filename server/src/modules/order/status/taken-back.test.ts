import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { delayOf } from '@waybill/contract/order/delay'
import type { Order } from '@waybill/contract/order/order'
import { firstLoadingAt, isDropOff, isPickUp, lastUnloadingAt } from '@waybill/contract/order/schedule'
import { leastAdvanced, type RouteStatus } from '@waybill/contract/order/status'
import { STOP_TIMES, type StopTime } from '@waybill/contract/order/stop-times'
import { useTestApp, type Answer } from '../../../../test/app.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { STATUSES, TABLE, type Status } from '../../../../test/order-moves.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number
const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Rückwärts Transporte GmbH', 'DE')
})

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
const reason = 'the wrong order'

async function create(more: object = {}): Promise<Order> {
  const body = plainOrder(world, customerId, { ...shipment(world), routes: [carried(world)], ...more })
  const answer = await test.admin.post('orders', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const twoLegs = () =>
  create({
    cargo: [],
    locations: ['Hamburg', 'Berlin', 'Poznań', 'Łódź'].map((city, index) => ({
      key: city,
      kind: index % 2 === 0 ? 'loading' : 'unloading',
      termin: { kind: 'fix', dateFrom: `2024-03-0${index + 1}` },
      countryId: world.countries.DE,
      city,
    })),
    routes: [
      { ...carried(world), locationKeys: ['Hamburg', 'Berlin'] },
      { ...carried(world), locationKeys: ['Poznań', 'Łódź'] },
    ],
  })
async function go(order: Order, to: string, more: object = {}, route?: number): Promise<Order> {
  const path = route === undefined ? `orders/${order.id}/status` : `routes/${order.routes[route]!.id}/status`
  const { status, body } = await test.admin.post(path, { to, version: order.version, reason, ...more })
  expect(status, `${to}: ${JSON.stringify(body)}`).toBe(200)
  return body
}
const type = (order: Order, times: readonly Partial<Record<StopTime, string | null>>[]): Promise<Answer> =>
  test.admin.patch(
    `orders/${order.id}`,
    { locations: order.locations.map((stop, index) => ({ ...stop, ...times[index] })) },
    { version: order.version },
  )
async function typed(order: Order, times: readonly Partial<Record<StopTime, string | null>>[]): Promise<Order> {
  const { status, body } = await type(order, times)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const undo = (order: Order) => test.admin.post(`orders/${order.id}/status/undo`, { version: order.version })
const timesOf = (order: Order) =>
  order.locations.map(({ arrivedAt, loadedAt, unloadedAt }) => [arrivedAt, loadedAt, unloadedAt])
const announced = async (order: Order, to: string, routeId?: number) =>
  (await test.admin.get(`orders/${order.id}/status/taken-back?to=${to}${routeId ? `&routeId=${routeId}` : ''}`)).body

describe('a step back', () => {
  it('takes away the times that the steps wrote which it goes back on', async () => {
    const scheduled = await go(await create(), 'scheduled')
    const driving = await go(scheduled, 'in_transit', { at: ago(60) })
    const arrived = await go(driving, 'arrived', { at: ago(40) })
    const delivered = await go(arrived, 'delivered', { at: ago(20) })
    const again = await go(delivered, 'arrived')
    expect(timesOf(again)).toEqual(timesOf(arrived))
    const once = await go(again, 'delivered', { at: ago(0) })
    const back = await go(once, 'in_transit')
    expect(timesOf(back)).toEqual(timesOf(driving))
    expect(back.lastUnloadingAt).toBe(driving.lastUnloadingAt)
    expect(timesOf(await go(back, 'scheduled'))).toEqual(timesOf(scheduled))
  })

  it('leaves what a person typed at a stop, also over the time of a step', async () => {
    const driving = await go(await go(await create(), 'scheduled'), 'in_transit', { at: ago(60) })
    const [loadedAt, arrivedAt] = [ago(61), ago(50)]
    const corrected = await typed(driving, [{ loadedAt }, { arrivedAt }])
    const delivered = await go(corrected, 'delivered', { at: ago(30) })
    const back = await go(await go(delivered, 'in_transit'), 'scheduled')
    expect(timesOf(back)).toEqual([
      [null, loadedAt, null],
      [arrivedAt, null, null],
    ])
  })

  it('puts back what a person had typed where the step wrote over it', async () => {
    const loadedAt = ago(60)
    const typedFirst = await typed(await go(await create(), 'scheduled'), [{ loadedAt }])
    const [stop] = typedFirst.locations
    const driving = await go(typedFirst, 'in_transit', { stopTimes: [{ locationId: stop!.id, loadedAt: ago(55) }] })
    expect(await announced(driving, 'scheduled')).toEqual({
      items: [{ locationId: stop!.id, field: 'loadedAt', at: driving.locations[0]!.loadedAt, becomes: loadedAt }],
    })
    expect((await go(driving, 'scheduled')).locations[0]!.loadedAt).toBe(loadedAt)
  })

  it('is undone with the times that it took away, which then are of their step again', async () => {
    const driving = await go(await go(await create(), 'scheduled'), 'in_transit', { at: ago(60) })
    const back = await go(driving, 'scheduled')
    const { body: undone } = await undo(back)
    expect(timesOf(undone)).toEqual(timesOf(driving))
    expect((await go(undone, 'scheduled')).locations[0]!.loadedAt).toBeNull()
  })

  it('of one route leaves the times of the others', async () => {
    const order = await go(await go(await twoLegs(), 'scheduled'), 'in_transit', { at: ago(60) })
    const back = await go(order, 'scheduled', {}, 0)
    expect(back.locations.map(({ loadedAt }) => loadedAt !== null)).toEqual([false, false, true, false])
  })

  it('is told before, with each time that goes', async () => {
    const driving = await go(await go(await twoLegs(), 'scheduled'), 'in_transit', { at: ago(60) })
    expect((await announced(driving, 'scheduled')).items).toHaveLength(2)
    const delivered = await go(driving, 'delivered', { at: ago(10) }, 0)
    const { locationId, ...rest } = (await announced(delivered, 'in_transit', delivered.routes[0]!.id)).items[0]
    expect(locationId).toBe(delivered.locations[1]!.id)
    expect(rest).toEqual({ field: 'unloadedAt', at: delivered.locations[1]!.unloadedAt, becomes: null })
    expect((await announced(delivered, 'arrived', delivered.routes[1]!.id)).items).toEqual([])
  })

  it('is in the history with the times that it took away', async () => {
    const driving = await go(await go(await create(), 'scheduled'), 'in_transit', { at: ago(60) })
    await go(driving, 'scheduled')
    const { body } = await test.admin.get(`audit-entries?orderId=${driving.id}`)
    const change = body.items[0].changes.find(({ path }: { path: string }) => path.endsWith('.loadedAt'))
    expect([body.items[0].action, change]).toEqual([
      'moved',
      expect.objectContaining({ from: driving.locations[0]!.loadedAt, to: null }),
    ])
  })

  it('of a move that was stored without its times takes away those that its step asks for', async () => {
    const driving = await go(await go(await create(), 'scheduled'), 'in_transit', { at: ago(60) })
    await test.database.pool.query(`update status_move set before = before - 'times' where "orderId" = $1`, [
      driving.id,
    ])
    expect(timesOf(await go(driving, 'scheduled')).flat()).toEqual([null, null, null, null, null, null])
  })

  it('is not told of an order that the caller may not know of, nor of a step that there is none', async () => {
    const order = await go(await create(), 'scheduled')
    const path = `orders/${order.id}/status/taken-back`
    const stranger = await test.userWith('ASSIGNED_ORDERS')
    expect((await stranger.caller.get(`${path}?to=new`)).status).toBe(404)
    expect((await test.admin.get(`${path}?to=completed`)).body.code).toBe('illegal_transition')
    expect((await test.admin.get(`${path}?to=new&routeId=999999`)).status).toBe(404)
    expect((await test.admin.get(path)).status).toBe(422)
  })
})

// --- any sequence, against a model -------------------------------------------------------------------------------

type Step =
  | { kind: 'move'; to: Status; route: number }
  | { kind: 'type'; stop: number; field: StopTime; isEmptied: boolean }
  | { kind: 'undo' }
const step = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      to: fc.constantFrom(...STATUSES),
      route: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      stop: fc.integer({ min: 0, max: 3 }),
      field: fc.constantFrom(...STOP_TIMES),
      isEmptied: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
)

/** Each time with the status whose step wrote it; `hand` where a person typed it. */
type Known = Record<StopTime, { at: string; by: Status | 'hand' } | null>[]
const WAY = ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled'] as const
const place = (status: string) => WAY.findIndex((one) => one === status)

/** What a move of the route from one status to another does to the times at its two stops. */
function foresee(known: Known, order: Order, route: number, to: Status, at: string): void {
  const { status } = order.routes[route]!
  const isBack = place(to) < place(status)
  for (const index of [route * 2, route * 2 + 1]) {
    const [stop, times] = [order.locations[index]!, known[index]!]
    for (const field of STOP_TIMES) {
      const by = times[field]?.by ?? 'hand'
      if (isBack && by !== 'hand' && place(by) > place(to)) times[field] = null
    }
    const asked: StopTime | null =
      isBack || to === 'canceled'
        ? null
        : to === 'in_transit' && isPickUp(stop)
          ? 'loadedAt'
          : to === 'arrived' && isDropOff(stop)
            ? 'arrivedAt'
            : to === 'delivered' && isDropOff(stop)
              ? 'unloadedAt'
              : null
    if (asked !== null) times[asked] ??= { at, by: to }
  }
}

it(
  'times, status and delays agree after any sequence of moves, steps back, undos and corrections',
  async () => {
    console.log(`times of steps against their model: WAYBILL_SEED=${seed}`)
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps: Step[]) => {
        let order = await twoLegs()
        let known: Known = order.locations.map(() => ({ arrivedAt: null, loadedAt: null, unloadedAt: null }))
        let undoable: { order: Order; known: Known } | null = null
        for (const one of steps) {
          const at = new Date().toISOString()
          const before = structuredClone(known)
          if (one.kind === 'undo') {
            const answer = await undo(order)
            expect(answer.status, JSON.stringify(answer.body)).toBe(undoable === null ? 409 : 200)
            if (undoable === null) continue
            known = undoable.known
            undoable = null
            order = answer.body
          } else if (one.kind === 'type') {
            const value = one.isEmptied ? null : at
            const answer = await type(
              order,
              order.locations.map((_, index) => (index === one.stop ? { [one.field]: value } : {})),
            )
            // A time that cannot be is refused, and changes nothing.
            if (answer.status === 422) continue
            expect(answer.status, JSON.stringify(answer.body)).toBe(200)
            known[one.stop]![one.field] = value === null ? null : { at: value, by: 'hand' }
            undoable = null
            order = answer.body
          } else {
            const { to, route } = one
            const from = (route === 2 ? order.status : order.routes[route]!.status) as Status
            if (from === to || TABLE[from][to] === undefined) continue
            const moving = order.routes.flatMap(({ status }, index) => {
              const isAllowed = status !== to && TABLE[status as Status][to] !== undefined
              const isSameWay = place(to) < place(status) === place(to) < place(from)
              return route === 2 ? (isAllowed && isSameWay ? [index] : []) : index === route ? [index] : []
            })
            const asked = structuredClone(known)
            for (const index of moving) foresee(asked, order, index, to, at)
            const answer = await test.admin.post(
              route === 2 ? `orders/${order.id}/status` : `routes/${order.routes[route]!.id}/status`,
              { to, version: order.version, reason, podWaiverReason: reason, at },
            )
            // A time that a person typed may lie after the one of the step.
            if (answer.status === 422) {
              expect(answer.body.errors.map(({ code }: { code: string }) => code).join()).toMatch(
                /before_(arrival|loading)/,
              )
              continue
            }
            expect(answer.status, `${from} → ${to}: ${JSON.stringify(answer.body)}`).toBe(200)
            taken += place(to) < place(from) ? 1 : 0
            known = asked
            undoable = { order, known: before }
            order = answer.body
          }
          expect(timesOf(order), JSON.stringify(one)).toEqual(
            known.map((times) => [
              times.arrivedAt?.at ?? null,
              times.loadedAt?.at ?? null,
              times.unloadedAt?.at ?? null,
            ]),
          )
          expect(order.status).toBe(leastAdvanced(order.routes.map(({ status }) => status as RouteStatus)))
          const running = order.routes.filter(({ status }) => status !== 'canceled').map(({ id }) => id)
          const stops = order.locations.filter(({ routeId }) => running.length === 0 || running.includes(routeId!))
          expect([order.firstLoadingAt, order.lastUnloadingAt]).toEqual([firstLoadingAt(stops), lastUnloadingAt(stops)])
          const delay = delayOf({ status: order.status, stops }, new Date().toISOString())
          expect(order.delay?.expectedAt ?? null).toBe(delay?.expectedAt ?? null)
        }
      }),
      { seed, numRuns: modelRuns(20, 500) },
    )
    // It says something only where steps were taken back.
    expect(taken).toBeGreaterThan(modelRuns(0, 50))
  },
  modelRuns(180_000, 1_800_000),
)
