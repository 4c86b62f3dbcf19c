import { beforeAll, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { Board, BoardBar, WaitingCard } from '@waybill/contract/order/planning/board'
import {
  planRoute,
  restoredPlan,
  unplanRoute,
  type PlanPatch,
  type PlanTarget,
} from '@waybill/contract/order/planning/plan-route'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-30T09:00:00Z' })
const WEEK = 'planning?from=2026-11-30&days=7'
const ORDERS = 10

let world: OrderWorld
let targets: PlanTarget[]
let drivers: number[]

beforeAll(async () => {
  world = await orderWorld(test)
  drivers = [(await test.userWith('ASSIGNED_ORDERS')).id, (await test.userWith('ASSIGNED_ORDERS')).id]
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  const { cargo, locations } = shipment(world)
  const two: Partial<OrderInput> = {
    cargo: [...cargo!, { ...cargo![0]!, key: 'd' }],
    locations: [
      ...locations!,
      { ...locations![0]!, key: 'from2', cargoActions: [{ cargoKey: 'd', action: 'PICK_UP' }] },
      { ...locations![1]!, key: 'to2', cargoActions: [{ cargoKey: 'd', action: 'DROP_OFF' }] },
    ],
    routes: [{ locationKeys: ['from', 'to'] }, { locationKeys: ['from2', 'to2'] }],
  }
  for (let n = 0; n < ORDERS; n += 1) {
    const made = await test.admin.post(
      'orders',
      plainOrder(world, customerId, {
        ...(n % 3 === 0 ? two : { cargo, locations }),
        ...(n % 4 === 0 && { disposition: 'FOR_SALE' }),
      }),
    )
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  }
  const carrier = { kind: 'carrier', carrierCompanyId: world.carrier.id } as const
  const contact = { fullName: 'Ewa Lis', phone: null, email: 'dispo@wielkopolska.example' }
  targets = [
    ...drivers.map((driverId, n): PlanTarget => ({ kind: 'own', plate: `HH-WB 204${n}`, driverId })),
    { kind: 'own', plate: null, driverId: null },
    { ...carrier, plate: 'PO 4T112', vehicleTypeId: world.vehicleTypeId, contact },
    { ...carrier, plate: null, contact, costCents: 80_000 },
    { kind: 'nobody' },
    { kind: 'sale' },
  ]
})

/** Whole numbers below a bound, always the same ones for a seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Routes stand in the order of their numbers, and one that comes back by an undo has a new one. */
const inAnyOrder = (routes: readonly unknown[]): unknown[] =>
  routes.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))

/** What is planned of an order, without what the database numbers by itself. */
const planOf = ({ disposition, locations, routes }: Pick<Order, 'disposition' | 'locations' | 'routes'>) => ({
  disposition,
  stops: locations.map(({ id, plannedAt, termin }) => ({ id, plannedAt, termin })),
  routes: inAnyOrder(
    routes.map(({ assignment }) => {
      if (assignment === null) return null
      const { carrierCompanyId, ownFleet, driverIds, plateNumber, disponentEmail, costCents } = assignment
      return { carrierCompanyId, ownFleet, driverIds, plateNumber, disponentEmail, costCents }
    }),
  ),
})

/** What an act was to make of an order. */
const meantBy = (before: Order, patch: PlanPatch) => ({
  disposition: patch.disposition ?? null,
  stops: before.locations.map(({ id, termin }) => ({
    id,
    termin,
    plannedAt: patch.locations!.find((stop) => stop.id === id)!.plannedAt ?? null,
  })),
  routes: inAnyOrder(
    patch.routes!.map(({ assignment }) => {
      if (assignment == null) return null
      const { carrierCompanyId = null, ownFleet = false, driverIds = [], plateNumber = null } = assignment
      const { disponentEmail = null, costCents = null } = assignment
      return { carrierCompanyId, ownFleet, driverIds, plateNumber, disponentEmail, costCents }
    }),
  ),
})

/** A board that one person plans on: what it has read, and what came of its acts. */
function boardOf(caller: Caller, seed: number) {
  const random = seeded(seed)
  let seen: Board
  let undoable: { before: Order; after: Order }[] = []
  const outcomes = { saved: 0, faster: 0 }
  /** how often each order was saved here */
  const saves = new Map<number, number>()
  const read = async () => (seen = (await caller.get<Board>(WEEK)).body)

  const send = async (before: Order, version: number, patch: PlanPatch) => {
    const { status, body } = await caller.patch<Order>(`orders/${before.id}`, patch, { version })
    if (status === 409) {
      outcomes.faster += 1
      await read()
      return
    }
    expect(status, JSON.stringify(body)).toBe(200)
    expect(planOf(body)).toEqual(meantBy(before, patch))
    outcomes.saved += 1
    // What changes nothing makes no new version.
    expect([version, version + 1]).toContain(body.version)
    saves.set(before.id, (saves.get(before.id) ?? 0) + body.version - version)
    undoable = [...undoable.filter((act) => act.before.id !== before.id), { before, after: body }]
    await read()
  }

  /** As the page acts: by the version that the board has read, never by what stands there meanwhile. */
  const act = async () => {
    if (random(4) === 0) await read()
    const back = random(5) === 0 ? undoable.pop() : undefined
    if (back !== undefined) {
      await send(back.after, back.after.version, restoredPlan(back.before, back.after))
      return
    }
    const all: (BoardBar | WaitingCard)[] = [...seen.bars, ...seen.waiting]
    const one = all[random(all.length)]!
    const routeId = 'routeId' in one ? one.routeId : null
    const { body: before } = await caller.get<Order>(`orders/${one.orderId}`)
    const startAt = new Date(Date.parse('2026-11-30T05:00:00Z') + random(96) * 900_000).toISOString()
    const patch =
      routeId !== null && random(8) === 0
        ? unplanRoute(before, routeId)
        : planRoute(before, {
            routeId,
            ...(routeId !== null && random(3) === 0 ? {} : { target: targets[random(targets.length)]! }),
            ...(random(3) === 0 ? {} : { startAt }),
          })
    if (before.version !== one.version || patch === null) {
      outcomes.faster += 1
      await read()
      return
    }
    await send(before, one.version, patch)
  }
  return { read, act, outcomes, saves }
}

it('two boards at once end alike and like the database, and lose no act', { timeout: 120_000 }, async () => {
  const [first, second] = [await test.userWith('ORDERS_MANAGEMENT'), await test.userWith('ORDERS_MANAGEMENT')]
  const boards = [boardOf(first.caller, 20_261_130), boardOf(second.caller, 811)]
  const acts = modelRuns(30, 200)
  await Promise.all(
    boards.map(async (board) => {
      await board.read()
      for (let n = 0; n < acts; n += 1) await board.act()
    }),
  )
  for (const { outcomes } of boards) expect(outcomes.saved).toBeGreaterThan(acts / 4)
  expect(boards[0]!.outcomes.faster + boards[1]!.outcomes.faster).toBeGreaterThan(0)

  const [one, other] = [await boards[0]!.read(), await boards[1]!.read()]
  expect(other).toEqual(one)
  const { rows } = await test.database.pool.query<{ id: number; version: number }>('select id, version from "order"')
  expect(rows).toHaveLength(ORDERS)
  for (const { id, version } of rows) {
    const saved = boards.reduce((sum, { saves }) => sum + (saves.get(id) ?? 0), 0)
    expect(version, `order ${id}`).toBe(1 + saved)
  }
  const stored = await test.database.pool.query(
    `select o.id as "orderId", o.version, o.disposition, route.id as "routeId",
       coalesce(a."ownFleet", false) as "ownFleet", a."carrierCompanyId", a."plateNumber",
       coalesce((select json_agg(coalesce(ad."driverId", ad."userId") order by ad.position)
         from assignment_driver ad where ad."assignmentId" = a.id), '[]') as "driverIds",
       (select json_agg(extract(epoch from l."plannedAt")::float8 order by l."routePosition")
         from location l where l."routeId" = route.id) as "plannedAt"
     from "order" o join route on route."orderId" = o.id left join assignment a on a."routeId" = route.id
     order by route.id`,
  )
  const shown = one.bars
    .map(({ orderId, version, disposition, routeId, ownFleet, carrierCompany, plateNumber, driverIds, stops }) => ({
      orderId,
      version,
      disposition,
      routeId,
      ownFleet,
      carrierCompanyId: carrierCompany?.id ?? null,
      plateNumber,
      driverIds,
      plannedAt: stops.map(({ plannedAt }) => (plannedAt === null ? null : Date.parse(plannedAt) / 1000)),
    }))
    .toSorted((a, b) => a.routeId - b.routeId)
  expect(shown).toEqual(stored.rows)
  const withRoutes = new Set(one.bars.map(({ orderId }) => orderId))
  expect(one.waiting.map(({ orderId }) => orderId).toSorted((a, b) => a - b)).toEqual(
    rows.flatMap(({ id }) => (withRoutes.has(id) ? [] : [id])).toSorted((a, b) => a - b),
  )
})
