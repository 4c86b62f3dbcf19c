import { epochOf } from '../../kit/local-time.ts'
import { AssignmentWrite, LocationWrite, RouteWrite, type Order, type OrderInput } from '../order.ts'
import { disponentOf, type DispatchContact } from '../choice/disponent.ts'
import type { Disposition } from '../status.ts'
import { terminRange } from '../termin/termin.ts'
import { legKm, travelMinutes } from './driving.ts'
import { dispositionOfGiven, FOR_SALE } from './for-sale.ts'

interface OnTruck {
  readonly plate: string | null
  /** of the truck, where its record says it; what was agreed stays else */
  readonly vehicleTypeId?: number | null
}

/** Who shall drive a route: a truck of our own, a carrier (with one of its trucks), nobody yet, or who buys it. */
export type PlanTarget =
  | (OnTruck & { readonly kind: 'own'; readonly driverId: number | null })
  | (OnTruck & {
      readonly kind: 'carrier'
      readonly carrierCompanyId: number
      /** who gets its mails, the transport order first of all; null: its record names nobody */
      readonly contact: DispatchContact | null
      /** what it gets; left out or null: what was agreed stays */
      readonly costCents?: number | null
    })
  | { readonly kind: 'nobody' }
  | { readonly kind: 'sale' }

/** One act on the board. What is left out stays as it is. */
export interface PlanAct {
  /** null: the order has no route yet, and gets one over all its stops */
  readonly routeId: number | null
  readonly target?: PlanTarget
  /** when the first stop that is still to come shall be reached, RFC 3339; the later ones follow */
  readonly startAt?: string
}

/** What an act changes of an order, as a merge patch. */
export type PlanPatch = Pick<OrderInput, 'routes' | 'locations' | 'disposition'>

type Stop = Order['locations'][number]
type Assignment = NonNullable<Order['routes'][number]['assignment']>

const MINUTE = 60_000
/** Between two stops of which nobody knows the place or a date. */
const UNKNOWN_LEG_MINUTES = 240

const iso = (epoch: number): string => new Date(epoch).toISOString()

/** Of a view the fields that a body takes. */
function written<Shape extends object>(shape: Shape, view: object): { [Name in keyof Shape]?: unknown } {
  return Object.fromEntries(
    Object.keys(shape).flatMap((name) => (name in view ? [[name, (view as Record<string, unknown>)[name]]] : [])),
  ) as { [Name in keyof Shape]?: unknown }
}

const stopBody = (stop: Stop) => written(LocationWrite.shape, stop) as NonNullable<OrderInput['locations']>[number]
const routeBody = (route: Order['routes'][number]) =>
  ({
    ...written(RouteWrite.shape, route),
    assignment: route.assignment === null ? null : written(AssignmentWrite.shape, route.assignment),
  }) as NonNullable<OrderInput['routes']>[number]

/** True where a stop is still to be reached: only such a one is planned. */
const isToCome = ({ arrivedAt, loadedAt, unloadedAt, canceledAt }: Stop): boolean =>
  arrivedAt === null && loadedAt === null && unloadedAt === null && canceledAt === null

const plannedStop = ({ id, plannedAt, termin, timeZone, latitude, longitude }: Stop): PlannedStop => ({
  id,
  plannedAt,
  startAt: termin === null ? null : terminRange(termin, timeZone).startAt,
  latitude,
  longitude,
})

/** A stop as far as its times are planned: `startAt` is the beginning of its termin. */
export interface PlannedStop {
  readonly id: number
  readonly plannedAt: string | null
  readonly startAt: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

const epochOrNull = (instant: string | null): number | null => (instant === null ? null : epochOf(instant))

/** By when a stop is planned, or from when on it is due; null where nothing is known. */
const dueAt = (stop: PlannedStop): number | null => epochOrNull(stop.plannedAt ?? stop.startAt)

/**
 * Times for stops that have none: the first is reached at `startAt`, each later one after the drive with its pauses,
 * and not before its termin begins.
 */
function newTimes(stops: readonly PlannedStop[], startAt: number): Map<number, string> {
  const times = new Map<number, string>()
  let before: { stop: PlannedStop; at: number } | null = null
  for (const stop of stops) {
    const due = epochOrNull(stop.startAt)
    const travel: number | null = before === null ? null : travelMinutes(legKm(before.stop, stop))
    const reached: number =
      before === null ? startAt : before.at + (travel ?? (due === null ? UNKNOWN_LEG_MINUTES : 0)) * MINUTE
    const at: number = before === null || due === null ? reached : Math.max(reached, due)
    times.set(stop.id, iso(at))
    before = { stop, at }
  }
  return times
}

/**
 * When the stops that are still to come are reached, by their ids, where the first of them is at `startAt`. A plan that
 * is there is moved as a whole: what is between the stops stays.
 */
export function timesFrom(stops: readonly PlannedStop[], startAt: string): ReadonlyMap<number, string> {
  const [first] = stops
  const due = first === undefined ? null : dueAt(first)
  if (due === null || stops.every(({ plannedAt }) => plannedAt === null)) return newTimes(stops, epochOf(startAt))
  const by = epochOf(startAt) - due
  return new Map(
    stops.flatMap((stop) => {
      const at = dueAt(stop)
      return at === null ? [] : [[stop.id, iso(at + by)] as const]
    }),
  )
}

/**
 * The assignment of a route for somebody else, or for another truck of theirs: what the form keeps is kept, and another
 * carrier comes with its disponent, as in the form.
 */
function assigned(
  before: Assignment | null,
  target: PlanTarget,
): NonNullable<OrderInput['routes']>[number]['assignment'] {
  if (target.kind === 'nobody' || target.kind === 'sale') return null
  const stays = {
    ...(before === null ? {} : (written(AssignmentWrite.shape, before) as Partial<Assignment>)),
    ...(target.vehicleTypeId != null && { vehicleTypeId: target.vehicleTypeId }),
  }
  if (target.kind === 'own') {
    const isOurs = before?.ownFleet ?? false
    return {
      ...stays,
      ...disponentOf(null),
      ownFleet: true,
      carrierCompanyId: null,
      driverText: null,
      signedBy: null,
      paymentPeriodDays: isOurs ? (before?.paymentPeriodDays ?? null) : null,
      plateNumber: target.plate,
      driverIds: target.driverId === null ? [] : [target.driverId],
    }
  }
  const isSame = before !== null && before.carrierCompanyId === target.carrierCompanyId
  const agreed = { ...stays, ...(target.costCents != null && { costCents: target.costCents }) }
  if (isSame && before.plateNumber === target.plate) return agreed
  return {
    ...agreed,
    ...(isSame ? {} : { ...disponentOf(target.contact), signedBy: null, paymentPeriodDays: null }),
    driverIds: [],
    ownFleet: false,
    carrierCompanyId: target.carrierCompanyId,
    driverText: null,
    plateNumber: target.plate,
  }
}

/** Where a route lies on the board says whether its order is for sale; given to somebody it is no longer. */
function dispositionAfter(
  { disposition }: Order,
  target: PlanTarget | undefined,
  routes: NonNullable<PlanPatch['routes']>,
): Disposition | null {
  if (target === undefined) return disposition
  if (target.kind === 'sale') return FOR_SALE
  if (target.kind === 'nobody') return disposition === FOR_SALE ? null : disposition
  return dispositionOfGiven(
    disposition,
    routes.map(({ assignment }) =>
      assignment == null
        ? null
        : { ownFleet: assignment.ownFleet ?? false, carrierCompanyId: assignment.carrierCompanyId ?? null },
    ),
  )
}

/**
 * What an act on the board changes of an order, as the form would save it: who drives the route, and the planned times
 * of the stops that are still to be reached. The customer's termins are never changed. Null where the order has no such
 * route, or has one already where a new one is asked for.
 */
export function planRoute(order: Order, { routeId, target, startAt }: PlanAct): PlanPatch | null {
  const route = order.routes.find(({ id }) => id === routeId)
  if (routeId === null ? order.routes.length > 0 : route === undefined) return null
  const stops = (
    route === undefined
      ? order.locations.toSorted((a, b) => a.position - b.position)
      : route.locationIds.flatMap((id) => order.locations.find((stop) => stop.id === id) ?? [])
  ).filter(isToCome)
  const times = startAt === undefined ? new Map<number, string>() : timesFrom(stops.map(plannedStop), startAt)
  const locations = order.locations.map((stop) => ({
    ...stopBody(stop),
    plannedAt: times.get(stop.id) ?? stop.plannedAt,
  }))
  const routes =
    route === undefined
      ? [{ assignment: assigned(null, target ?? { kind: 'nobody' }) }]
      : order.routes.map((one) =>
          one !== route || target === undefined
            ? routeBody(one)
            : { ...routeBody(one), assignment: assigned(one.assignment, target) },
        )
  return { locations, routes, disposition: dispositionAfter(order, target, routes) }
}

/** What taking a route away changes: its order waits for a route again, and its planned times are gone. */
export function unplanRoute(order: Order, routeId: number): PlanPatch | null {
  const route = order.routes.find(({ id }) => id === routeId)
  if (route === undefined) return null
  return {
    locations: order.locations.map((stop) => ({
      ...stopBody(stop),
      plannedAt: route.locationIds.includes(stop.id) && isToCome(stop) ? null : stop.plannedAt,
    })),
    routes: order.routes.filter((one) => one !== route).map(routeBody),
    disposition: order.disposition,
  }
}

/**
 * What takes an act back: `before` is the order as it was, `now` as the act left it. A route that was taken away is
 * made anew.
 */
export function restoredPlan(before: Order, now: Order): PlanPatch {
  const left = new Set(now.routes.map(({ id }) => id))
  return {
    disposition: before.disposition,
    locations: before.locations.map(stopBody),
    routes: before.routes.map((route) => {
      const { id, ...body } = routeBody(route)
      return left.has(route.id) ? { id, ...body } : body
    }),
  }
}
