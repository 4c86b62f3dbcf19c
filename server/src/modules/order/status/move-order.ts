import type { Order, StatusMove } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { STOP_TIMES, stopTimeFaults, TIME_ASKED, timeFault, type TakenBack } from '@waybill/contract/order/stop-times'
import {
  allowedMoves,
  isLoaded,
  isRouteCleared,
  leastAdvanced,
  missingFor,
  podOf,
  type MoveNeed,
  type OrderMove,
  type OrderStatus,
  type RouteStatus,
} from '@waybill/contract/order/status'
import { audit } from '../../../kit/records/audit.ts'
import { actorOf, nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError, type FieldFault } from '../../../kit/context/errors.ts'
import { lockOnceOnly } from '../clearance/clearance.query.ts'
import { orderWithId } from '../order.policy.ts'
import { loadOrder, loadOrderOfRoute, viewOrders } from '../order-view.query.ts'
import { STATUS_COLUMNS } from '../order.table.ts'
import { saveProgress, updateOrder, type OrderValues } from '../order.repository.ts'
import { derivedColumns, historyOf } from '../order.rules.ts'
import { takenBack, type StoredMove, type WrittenTime } from './taken-back.rules.ts'

declare module '../../../kit/context/events.ts' {
  interface Events {
    /**
     * `routeIds` are the routes that moved: none where the order has none yet.
     * Mails wait until the move can no longer be undone.
     */
    'order.moved': { orderId: number; routeIds: number[]; from: OrderStatus; to: OrderStatus; moveId: number }
  }
}

type Stop = Order['locations'][number]
type Route = Order['routes'][number]

/** What undo restores: exactly what the move wrote, and only while nothing else was written since. */
export interface Undo {
  /** the order's version after the move */
  version: number
  columns: OrderValues
  routes: { id: number; status: string; statusDates: Record<string, string> }[]
  stops: { id: number; arrivedAt: string | null; loadedAt: string | null; unloadedAt: string | null }[]
  /** what a later step back takes away; not in moves of before that */
  times?: WrittenTime[]
}

/**
 * The move by the contract's table. Errors: `illegal_transition` with what is allowed;
 * `forbidden` where only administrators may.
 */
function stepOf(ctx: Ctx, from: OrderStatus, to: OrderStatus): OrderMove {
  const rights = { isAdmin: actorOf(ctx).isAdmin }
  const allowed = allowedMoves(from, rights)
  const step = allowed.find((move) => move.to === to)
  if (step) return step
  if (allowedMoves(from, { isAdmin: true }).some((move) => move.to === to))
    throw new AppError('forbidden', { fields: [{ path: 'to', code: 'administrators_only' }] })
  throw new AppError('illegal_transition', { from, to, allowed: allowed.map((move) => move.to) })
}

const PATHS: Readonly<Record<MoveNeed, (route: number | null) => string>> = {
  pick_up_and_drop_off_missing: () => 'locations',
  assignment_missing: (route) => (route === null ? 'routes' : `routes.${route}.assignment`),
  carrier_not_cleared: (route) => `routes.${route}.assignment.carrierCompanyId`,
  credit_limit: () => 'billingCustomerId',
  route_missing: () => 'routes',
  loading_times_missing: () => 'stopTimes',
  arrival_time_missing: () => 'stopTimes',
  unloading_times_missing: () => 'stopTimes',
  pod_missing: () => 'podWaiverReason',
  pod_to_check: () => 'podWaiverReason',
  reason_missing: () => 'reason',
}

/** The stops with the times that came with the move. Error: a stop that is not among `ours`. */
function withTimes(stops: readonly Stop[], ours: readonly Stop[], { stopTimes }: StatusMove): Stop[] {
  const known = new Set(ours.map((stop) => stop.id))
  const wrong: FieldFault[] = stopTimes.flatMap(({ locationId }, index) =>
    known.has(locationId) ? [] : [{ path: `stopTimes.${index}.locationId`, code: 'unknown_reference' as const }],
  )
  if (wrong.length > 0) throw new AppError('validation', { fields: wrong })
  const utc = (given: string | undefined, stored: string | null) =>
    given === undefined ? stored : new Date(given).toISOString()
  const givenFor = Map.groupBy(stopTimes, ({ locationId }) => locationId)
  return stops.map((stop) => {
    const times = givenFor.get(stop.id)
    if (!times) return stop
    const { arrivedAt, loadedAt, unloadedAt } = Object.assign({}, ...times) as Partial<(typeof times)[number]>
    return {
      ...stop,
      arrivedAt: utc(arrivedAt, stop.arrivedAt),
      loadedAt: utc(loadedAt, stop.loadedAt),
      unloadedAt: utc(unloadedAt, stop.unloadedAt),
    }
  })
}

/** The time given by hand counts for every stop that the move asks of and that has none of its own. */
function filled(stops: readonly Stop[], asks: OrderMove['asks'], at: string): Stop[] {
  const driven = stops.filter((stop) => !stop.canceledAt)
  const last = driven.findLast(isDropOff)
  return stops.map((stop) => {
    if (asks === 'loadingTimes' && driven.includes(stop) && isPickUp(stop))
      return { ...stop, loadedAt: stop.loadedAt ?? at }
    if (asks === 'arrivalTime' && stop === last) return { ...stop, arrivedAt: stop.arrivedAt ?? at }
    if (asks === 'unloadingTimes' && driven.includes(stop) && isDropOff(stop))
      return { ...stop, unloadedAt: stop.unloadedAt ?? at }
    return stop
  })
}

/** The moves of an order that were not undone, the oldest first, with the times that they wrote. */
async function storedMoves(ctx: Ctx, orderId: number): Promise<StoredMove[]> {
  const moves = await ctx.db
    .selectFrom('status_move')
    .select(['routeId', 'from', 'to', 'before'])
    .where('orderId', '=', orderId)
    .where('undoneAt', 'is', null)
    .orderBy('id')
    .execute()
  return moves.map(({ before, ...move }) => ({ ...move, times: (before as Undo | null)?.times ?? null }))
}

/** The stops as the order is left with what a step back takes away. */
const leftBy = (stops: readonly Stop[], taken: readonly TakenBack[]): Stop[] =>
  stops.map((stop) => {
    const changes = taken.filter(({ locationId }) => locationId === stop.id)
    return changes.length === 0
      ? stop
      : { ...stop, ...Object.fromEntries(changes.map(({ field, becomes }) => [field, becomes])) }
  })

/** What differs between the stops of an order before and after a move. */
const writtenTimes = (before: readonly Stop[], after: readonly Stop[]): WrittenTime[] =>
  after.flatMap((stop, index) =>
    STOP_TIMES.flatMap((field) => {
      const [from, value] = [before[index]![field], stop[field]]
      return from === value ? [] : [{ locationId: stop.id, field, from, value }]
    }),
  )

const timesOf = ({ id, arrivedAt, loadedAt, unloadedAt }: Stop) => ({ id, arrivedAt, loadedAt, unloadedAt })

interface Plan {
  before: Order
  /** the order's or the route's own step */
  step: OrderMove
  /** the routes that move, each by the step from where it stands; empty where the order has none */
  moving: { route: Route; step: OrderMove }[]
  /** the route asked for, null where it is the order */
  routeId: number | null
  move: StatusMove
  /** when it happened, where a driver's report makes the move and no person */
  drivenAt?: string
}

/**
 * Refuses a time of the move that has not come, lies before the step before it, or cannot be at its stop. `left` are
 * the stops before anything was written: what a step back leaves there is as it was.
 */
function refuseWrongTimes({ before, moving, move }: Plan, left: readonly Stop[], stops: readonly Stop[], now: string) {
  const fields: FieldFault[] = []
  if (move.at !== undefined) {
    const at = Date.parse(move.at)
    // Planning is desk work, which may be written down after the truck has left.
    const dates = [before, ...moving.map(({ route }) => route)].map(({ status, statusDates }) =>
      isLoaded(status) ? statusDates[status] : undefined,
    )
    const code = timeFault(move.at, { now, createdAt: before.createdAt })
    if (code !== null) fields.push({ path: 'at', code })
    else if (dates.some((date) => date !== undefined && at < Date.parse(date)))
      fields.push({ path: 'at', code: 'before_last_step' })
  }
  for (const { stop, field, code } of stopTimeFaults(stops, { now, createdAt: before.createdAt })) {
    const { id } = stops[stop]!
    const place = move.stopTimes.findIndex((one) => one.locationId === id && one[field] !== undefined)
    if (place !== -1) fields.push({ path: `stopTimes.${place}.${field}`, code })
    else if (stops[stop] !== left[stop]) fields.push({ path: 'at', code })
  }
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** What is known of an order and said with its move, whichever route goes. */
const factsOf = (before: Order, move: StatusMove) => ({
  disposition: before.disposition,
  credit: before.credit,
  podWaiverReason: move.podWaiverReason ?? before.podWaiverReason,
  reason: move.reason,
  at: move.at ?? null,
})

/** What a route still needs for a step of its own. */
function needsOfRoute(
  before: Order,
  { route, step }: Plan['moving'][number],
  stops: readonly Stop[],
  move: StatusMove,
) {
  const { assignment } = route
  return missingFor(step, {
    ...factsOf(before, move),
    stops: route.locationIds.flatMap((id) => stops.find((stop) => stop.id === id) ?? []),
    hasRoute: true,
    pod: podOf(before, route.id),
    isCleared: isRouteCleared(before, route.id),
    hasAssignment: assignment !== null && (assignment.ownFleet || assignment.carrierCompanyId !== null),
  })
}

function refuseUnmet({ before, step, moving, move }: Plan, stops: readonly Stop[]): void {
  const faults = moving.flatMap((one) =>
    needsOfRoute(before, one, stops, move).map((code) => ({
      path: PATHS[code](before.routes.indexOf(one.route)),
      code,
    })),
  )
  if (moving.length === 0)
    faults.push(
      ...missingFor(step, {
        ...factsOf(before, move),
        stops,
        hasRoute: false,
        hasAssignment: false,
        isCleared: true,
        pod: before.hasPod ? 'accepted' : 'missing',
      }).map((code) => ({
        path: PATHS[code](null),
        code,
      })),
    )
  const fields = [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** The times that the move takes away, which it does only as a step back. */
async function takenBackBy(ctx: Ctx, { before, step, moving }: Pick<Plan, 'before' | 'step' | 'moving'>) {
  if (step.kind !== 'back') return []
  const involved = new Set(moving.flatMap(({ route }) => route.locationIds))
  const stops = moving.length === 0 ? before.locations : before.locations.filter(({ id }) => involved.has(id))
  return takenBack(stops, await storedMoves(ctx, before.id), step.to)
}

/** The order as the gate must see it: carriers that may drive once alone are planned one after the other. */
async function gated(ctx: Ctx, { before, step, moving }: Plan): Promise<Order> {
  if (!step.needs.includes('carrier_not_cleared')) return before
  const carriers = moving.flatMap(({ route }) => route.assignment?.carrierCompanyId ?? [])
  if ((await lockOnceOnly(ctx, carriers)).length === 0) return before
  return { ...before, clearances: (await loadOrder(ctx, before.id)).clearances }
}

async function apply(ctx: Ctx, plan: Plan): Promise<Order> {
  const { before, step, moving, routeId, move } = plan
  if (before.state === 'inactive')
    throw new AppError('validation', { fields: [{ path: 'state', code: 'order_inactive' }] })
  // Its goods travel with the sources again: brought back to life it would carry them a second time.
  if (before.isMergeResult && before.unmergeObstacles === null)
    throw new AppError('conflict', { fields: [{ path: 'status', code: 'merge_undone' }] })
  const now = nowOf(ctx)
  const at = plan.drivenAt ?? (move.at === undefined ? now : new Date(move.at).toISOString())
  const involved = new Set(moving.flatMap(({ route }) => route.locationIds))
  const ours = routeId === null ? before.locations : before.locations.filter((stop) => involved.has(stop.id))
  const left = leftBy(before.locations, await takenBackBy(ctx, plan))
  const timed = withTimes(left, ours, move)
  refuseUnmet({ ...plan, before: await gated(ctx, plan) }, timed)

  const drives =
    moving.length === 0
      ? [timed]
      : moving.map(({ route }) => route.locationIds.flatMap((id) => timed.find((stop) => stop.id === id) ?? []))
  const done = new Map(
    move.at === undefined ? [] : drives.flatMap((stops) => filled(stops, step.asks, at)).map((stop) => [stop.id, stop]),
  )
  const locations = timed.map((stop) => done.get(stop.id) ?? stop)
  refuseWrongTimes(plan, left, locations, now)
  const moved = new Set(moving.map(({ route }) => route))
  const routes = before.routes.map((route) =>
    moved.has(route) ? { ...route, status: move.to, statusDates: { ...route.statusDates, [move.to]: at } } : route,
  )
  const status = leastAdvanced(routes.map((route) => route.status as RouteStatus)) ?? move.to

  const reached = status === before.status ? {} : { status, [STATUS_COLUMNS[status]]: at }
  const waiver =
    step.asks === 'podOrWaiver' && move.podWaiverReason !== null ? { podWaiverReason: move.podWaiverReason } : {}
  const isSaved = await updateOrder(ctx, before, {
    ...derivedColumns({ ...before, locations, routes }),
    ...reached,
    ...waiver,
  })
  const stops = locations.filter((stop, index) => stop !== before.locations[index])
  const progress = routes.flatMap((route, index) =>
    route === before.routes[index]
      ? []
      : [
          {
            id: route.id,
            from: before.routes[index]!.status,
            status: route.status,
            statusDates: route.statusDates as Record<string, string>,
          },
        ],
  )
  if (!isSaved || !(await saveProgress(ctx, progress, stops.map(timesOf))))
    throw new AppError('stale_version', { current: await loadOrder(ctx, before.id) })

  const undo: Undo = {
    version: before.version + 1,
    columns: {
      ...(status !== before.status && {
        status: before.status,
        [STATUS_COLUMNS[status]]: before.statusDates[status] ?? null,
      }),
      ...('podWaiverReason' in waiver && { podWaiverReason: before.podWaiverReason }),
    },
    routes: moving.map(({ route }) => ({
      id: route.id,
      status: route.status,
      statusDates: route.statusDates as Record<string, string>,
    })),
    stops: before.locations.filter((stop) => stops.some(({ id }) => id === stop.id)).map(timesOf),
    times: writtenTimes(before.locations, locations),
  }
  const { id: moveId } = await ctx.db
    .insertInto('status_move')
    .values({
      orderId: before.id,
      routeId,
      from: step.from,
      to: step.to,
      at,
      movedAt: now,
      // Nobody signed in tells what a driver does.
      actorId: ctx.actor?.userId ?? null,
      reason: move.reason,
      tellsCarrier: move.tellsCarrier,
      before: JSON.stringify(undo),
      undoneAt: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [after] = await viewOrders(ctx, orderWithId(before.id))
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: before.id,
    action: plan.drivenAt === undefined ? 'moved' : 'movedByDriver',
    before: historyOf(before),
    after: historyOf(after!),
    reason: move.reason,
  })
  await tell(ctx, {
    type: 'order.moved',
    orderId: before.id,
    routeIds: moving.map(({ route }) => route.id),
    from: step.from,
    to: step.to,
    moveId,
  })
  await tell(ctx, { type: 'order.written', orderId: before.id, before, after: after! })
  return after!
}

function refuseStale(order: Order, version: number): void {
  if (order.version !== version) throw new AppError('stale_version', { current: order })
}

/** The routes that move with the order to a status, each by its own step. */
function movingWith(ctx: Ctx, { routes }: Order, step: OrderMove): Plan['moving'] {
  return routes.flatMap((route) => {
    const own = allowedMoves(route.status, { isAdmin: actorOf(ctx).isAdmin }).find(
      (one) => one.to === step.to && one.kind === step.kind,
    )
    return own ? [{ route, step: own }] : []
  })
}

/**
 * Moves an order, and with it all its routes that may take a step of the same kind to that status (domain,
 * Order status). Its own status again is no move.
 */
export async function moveOrder(ctx: Ctx, id: number, version: number, move: StatusMove): Promise<Order> {
  const before = await loadOrder(ctx, id)
  refuseStale(before, version)
  if (move.to === before.status) return before
  const step = stepOf(ctx, before.status, move.to)
  return apply(ctx, { before, step, moving: movingWith(ctx, before, step), routeId: null, move })
}

/** Moves one route; the order follows its least advanced. The version is the order's. */
export async function moveRoute(ctx: Ctx, routeId: number, version: number, move: StatusMove): Promise<Order> {
  const before = await loadOrderOfRoute(ctx, routeId)
  refuseStale(before, version)
  const route = before.routes.find(({ id }) => id === routeId)!
  if (move.to === route.status) return before
  const step = stepOf(ctx, route.status, move.to)
  return apply(ctx, { before, step, moving: [{ route, step }], routeId, move })
}

/** The next step of a route for which the times of its stops are all that is needed; none that plans or ends. */
function nextDriven(before: Order, routeId: number): Plan['moving'][number] | null {
  const route = before.routes.find(({ id }) => id === routeId)
  if (route === undefined || before.state === 'inactive') return null
  const step = allowedMoves(route.status, { isAdmin: false }).find(
    (one) =>
      one.kind === 'next' &&
      one.asks !== null &&
      one.asks in TIME_ASKED &&
      needsOfRoute(before, { route, step: one }, before.locations, noWords(one.to)).length === 0,
  )
  return step ? { route, step } : null
}

/** A move with which nothing is said. */
const noWords = (to: OrderStatus): StatusMove => ({
  to,
  reason: null,
  tellsCarrier: false,
  podWaiverReason: null,
  stopTimes: [],
})

/** When a status was reached by what happened `at`: never before the one that it follows. */
const reachedAt = (at: string, { status, statusDates }: Pick<Order, 'status' | 'statusDates'>): string => {
  const since = isLoaded(status) ? statusDates[status] : undefined
  return since !== undefined && Date.parse(since) > Date.parse(at) ? since : at
}

/**
 * Moves a route on by what its driver has told, by as many steps as have all they need: never back, never to its end,
 * and not before a person has planned it (decision 109).
 */
export async function moveDriven(ctx: Ctx, start: Order, routeId: number, at: string): Promise<Order> {
  let order = start
  for (let one = nextDriven(order, routeId); one !== null; one = nextDriven(order, routeId))
    order = await apply(ctx, {
      before: order,
      step: one.step,
      moving: [one],
      routeId,
      move: noWords(one.step.to),
      drivenAt: reachedAt(reachedAt(at, one.route as Pick<Order, 'status' | 'statusDates'>), order),
    })
  return order
}

/** What a step back would take away; nothing where the step is none. Errors as those of the move. */
export async function listTakenBack(
  ctx: Ctx,
  id: number,
  { to, routeId }: { to: OrderStatus; routeId?: number | undefined },
): Promise<{ items: TakenBack[] }> {
  const before = await loadOrder(ctx, id)
  const route = routeId === undefined ? undefined : before.routes.find((one) => one.id === routeId)
  if (routeId !== undefined && route === undefined) throw new AppError('not_found')
  const step = stepOf(ctx, (route ?? before).status, to)
  const moving = route === undefined ? movingWith(ctx, before, step) : [{ route, step }]
  return { items: await takenBackBy(ctx, { before, step, moving }) }
}
