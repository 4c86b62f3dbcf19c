import { epochOf, localOf } from '@waybill/contract/kit/local-time'
import { delayedStop, delayOf } from '@waybill/contract/order/delay'
import type { Order, OrderLocation } from '@waybill/contract/order/order'
import { provesAlone, type Pod } from '@waybill/contract/order/papers/pod'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import {
  FIRST_ORDER_STATUS,
  isCanceled,
  isLoaded,
  isReadOnlyOrder,
  isScheduled,
  isUnloaded,
  leastAdvanced,
  type OrderStatus,
  type RouteStatus,
} from '@waybill/contract/order/status'
import { terminRange } from '@waybill/contract/order/termin/termin'
import type { TrackedStop, TrackingPage, TrackingState } from '@waybill/contract/public/tracking-link'

/*
 * What of an order is a customer's own, and how it stands. Where a truck carries the goods of several customers, only
 * the stops at which this one's are loaded or unloaded are there, as if nothing else happened at them (decision 104).
 */

/** The part of one customer in the order that is driven. */
export interface TrackedPart {
  /** the order that is driven: the one of the link, or the one that it was merged into */
  order: Order
  /** the lines of the customer; null: all are */
  cargo: ReadonlySet<number> | null
  /** its stops in the order in which they are driven, with nothing of anybody else */
  stops: OrderLocation[]
}

/** Of a stop, where it lies, as far as that is known. */
export type Located = Pick<OrderLocation, 'latitude' | 'longitude'>

export const isPlaced = ({ latitude, longitude }: Located): boolean => latitude !== null && longitude !== null

/** Whether a map has something to draw: a way needs two ends. */
export const hasMap = (stops: readonly Located[]): boolean => stops.filter(isPlaced).length > 1

/** Null: the whole order is this customer's. */
function cargoOf(base: Order, order: Order, customerId: number): ReadonlySet<number> | null {
  if (order.id === base.id && base.customerIds.length < 2) return null
  const isTheirs =
    order.id === base.id
      ? (line: Order['cargo'][number]) => (line.customerId ?? base.customerIds[0]) === customerId
      : (line: Order['cargo'][number]) => line.sourceOrder?.id === base.id && line.customerId === customerId
  return new Set(order.cargo.filter(isTheirs).map(({ id }) => id))
}

/** A stop as if only these lines were loaded and unloaded there; null where none is. */
function onlyFor(stop: OrderLocation, cargo: ReadonlySet<number>): OrderLocation | null {
  const cargoActions = stop.cargoActions.filter(({ cargoId }) => cargo.has(cargoId))
  const loads = cargoActions.some(({ action }) => action === 'PICK_UP')
  const unloads = cargoActions.some(({ action }) => action === 'DROP_OFF')
  if (!loads && !unloads) return null
  return {
    ...stop,
    cargoActions,
    kind: loads ? 'loading' : 'unloading',
    loadedAt: loads ? stop.loadedAt : null,
    unloadedAt: unloads ? stop.unloadedAt : null,
  }
}

/** What is a customer's of the order that its link is of, and of the one that drives it now. */
export function partOf(base: Order, order: Order, customerId: number): TrackedPart {
  const cargo = cargoOf(base, order, customerId)
  const driven = order.locations.filter(({ canceledAt }) => canceledAt === null)
  return {
    order,
    cargo,
    stops: cargo === null ? driven : driven.flatMap((stop) => onlyFor(stop, cargo) ?? []),
  }
}

/** True where a paper proves deliveries of this part alone: what it shows of others is not this customer's to see. */
export function provesPartAlone({ order, cargo }: TrackedPart, pod: Pick<Pod, 'locationIds' | 'routeId'>): boolean {
  return cargo === null || provesAlone(pod, order.locations, cargo)
}

/** The routes that drive this part. */
export const routesOf = ({ order, stops }: TrackedPart): Order['routes'] =>
  order.routes.filter(({ id }) => stops.some(({ routeId }) => routeId === id))

/** The status of the part by its routes; what is canceled or merged away is still to be planned. */
function statusOf(part: TrackedPart): OrderStatus {
  const status = leastAdvanced(routesOf(part).map((route) => route.status as RouteStatus)) ?? part.order.status
  return isCanceled(status) || isReadOnlyOrder(status) ? FIRST_ORDER_STATUS : status
}

const isReached = ({ arrivedAt, loadedAt, unloadedAt }: OrderLocation): boolean =>
  arrivedAt !== null || loadedAt !== null || unloadedAt !== null

function isDoneAt(stops: readonly OrderLocation[], place: number): boolean {
  const stop = stops[place]!
  const [loads, unloads] = [isPickUp(stop), isDropOff(stop)]
  // Nobody writes down when a truck has left customs: it has, once it is somewhere else.
  const isPassed = () => stops.slice(place + 1).some((later) => later.routeId === stop.routeId && isReached(later))
  if (!loads && !unloads) return stop.arrivedAt !== null || isPassed()
  return (!loads || stop.loadedAt !== null) && (!unloads || stop.unloadedAt !== null)
}

function kindOf(stop: OrderLocation): TrackedStop['kind'] {
  const [loads, unloads] = [isPickUp(stop), isDropOff(stop)]
  if (loads && unloads) return 'both'
  if (loads) return 'loading'
  if (unloads) return 'unloading'
  return stop.kind === 'customs' ? 'customs' : 'other'
}

const dueAt = ({ termin, timeZone }: OrderLocation): string | null =>
  termin === null ? null : terminRange(termin, timeZone).endAt

const isOver = (at: string | null, now: Date): boolean => at !== null && epochOf(at) <= now.getTime()

/** When the truck is expected: not where it has been, and no time that went by with the appointment. */
const expectedAt = (stop: OrderLocation, now: Date): string | null =>
  isReached(stop) || (isOver(stop.plannedAt, now) && isOver(dueAt(stop), now)) ? null : stop.plannedAt

/** Minutes after the end of the appointment; null where one of the two is not known. */
function lateMinutes(stop: OrderLocation, now: Date): number | null {
  const [due, expected] = [dueAt(stop), expectedAt(stop, now)]
  if (due === null || expected === null) return null
  return Math.max(0, Math.ceil((epochOf(expected) - epochOf(due)) / 60_000))
}

const trackedStop = (stops: readonly OrderLocation[], place: number, now: Date): TrackedStop => {
  const stop = stops[place]!
  const { countryCode, city, timeZone, termin, arrivedAt, loadedAt, unloadedAt } = stop
  const isDone = isDoneAt(stops, place)
  return {
    kind: kindOf(stop),
    countryCode,
    city,
    timeZone,
    termin,
    expectedAt: isDone ? null : expectedAt(stop, now),
    arrivedAt,
    loadedAt,
    unloadedAt,
    isDone,
    lateMinutes: isDone ? null : lateMinutes(stop, now),
  }
}

/** Where the stops of a part lie, and which are done. */
export const placedStops = ({ stops }: TrackedPart) =>
  stops.map(({ latitude, longitude }, place) => ({ latitude, longitude, isDone: isDoneAt(stops, place) }))

/** Whether the day has come, at the stop, on which the truck is to be there. */
function isDay(stop: OrderLocation, now: Date): boolean {
  const day = stop.plannedAt === null ? stop.termin?.dateFrom : localOf(stop.plannedAt, stop.timeZone).date
  return day !== undefined && localOf(now, stop.timeZone).date >= day
}

type Standing = Pick<TrackingPage, 'state' | 'stop'>

/** How far the goods are, and which stop that is about. */
function standingOf(stops: readonly OrderLocation[], status: OrderStatus, now: Date): Standing {
  const at = (state: TrackingState, stop: OrderLocation | undefined): Standing => ({
    state,
    stop: stop === undefined ? null : stops.indexOf(stop),
  })
  const pickUps = stops.filter(isPickUp)
  const dropOffs = stops.filter(isDropOff)
  if (isUnloaded(status) || (dropOffs.length > 0 && dropOffs.every(({ unloadedAt }) => unloadedAt !== null)))
    return at('delivered', dropOffs.at(-1))
  const waiting = pickUps.find(({ loadedAt }) => loadedAt === null)
  const isUnderWay = isLoaded(status) || dropOffs.some(isReached)
  if (isUnderWay || (pickUps.length > 0 && waiting === undefined)) {
    const next = stops.find((_stop, place) => !isDoneAt(stops, place) && !pickUps.includes(stops[place]!))
    if (next !== undefined && next.arrivedAt !== null) return at('arrived', next)
    return isUnderWay ? at('onTheWay', next) : at('loaded', pickUps.at(-1))
  }
  if (waiting === undefined || !isScheduled(status)) return at('planned', waiting)
  if (waiting.arrivedAt !== null) return at('loading', waiting)
  const isBegun = pickUps.some(({ loadedAt }) => loadedAt !== null)
  return at(isBegun || isDay(waiting, now) ? 'toLoading' : 'planned', waiting)
}

/** The first stop that will be reached too late as far as staff know, else the one that is overdue. */
function trackedDelay(stops: readonly OrderLocation[], status: OrderStatus, now: Date): TrackingPage['delay'] {
  const told = (stop: OrderLocation, due: string) => ({
    stop: stops.indexOf(stop),
    dueAt: due,
    expectedAt: expectedAt(stop, now),
    reason: stop.delayReason,
  })
  const known = stops.find((stop, place) => !isDoneAt(stops, place) && (lateMinutes(stop, now) ?? 0) > 0)
  if (known) return told(known, dueAt(known)!)
  const delay = delayOf({ status, stops }, now)
  const stop = delay && delayedStop(stops, delay)
  if (!delay || !stop || isReached(stop)) return null
  return told(stop, delay.expectedAt)
}

/** How a part stands now. A canceled order says so, and nothing else. */
export function trackedPart(part: TrackedPart, now: Date): Pick<TrackingPage, 'state' | 'stop' | 'delay' | 'stops'> {
  const { order, stops } = part
  if (isCanceled(order.status)) return { state: 'canceled', stop: null, delay: null, stops: [] }
  const status = statusOf(part)
  const standing = standingOf(stops, status, now)
  return {
    ...standing,
    delay: standing.state === 'delivered' ? null : trackedDelay(stops, status, now),
    stops: stops.map((_stop, place) => trackedStop(stops, place, now)),
  }
}
