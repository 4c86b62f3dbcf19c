import { newKey } from '../../../kit/form/state/values.ts'
import {
  cargoPlaces,
  namesOfStops,
  routeOver,
  stopsOfRoute,
  withAction,
  type CargoValues,
  type RouteValues,
  type StopValues,
} from './draft.ts'
import type { Plan } from './stop-order.ts'

/** The route that drives a stop, by its place; -1 for a stop of none. */
export const routeOfStop = (routes: readonly RouteValues[], locations: readonly StopValues[], stop: number): number =>
  routes.findIndex((route) => stopsOfRoute(route, locations).includes(stop))

/** A route with other stops, by their places: an estimated distance was that of the stops before. */
function withStops(route: RouteValues, locations: readonly StopValues[], stops: readonly number[]): RouteValues {
  const names = namesOfStops(locations.filter((_stop, place) => stops.includes(place)))
  return { ...route, ...names, distanceKm: route.isDistanceEstimated ? null : route.distanceKm }
}

/** The routes with a stop moved to one of them, from wherever it was; `to` null: to none. */
export const withStopMoved = (
  routes: readonly RouteValues[],
  locations: readonly StopValues[],
  stop: number,
  to: number | null,
): RouteValues[] =>
  routes.map((route, index) => {
    const own = stopsOfRoute(route, locations)
    if (index === to) return own.includes(stop) ? route : withStops(route, locations, [...own, stop])
    return own.includes(stop)
      ? withStops(
          route,
          locations,
          own.filter((one) => one !== stop),
        )
      : route
  })

/** A line that one route picks up and another drops off, by places. */
export interface TornLine {
  line: number
  /** stops and routes */
  from: number
  to: number
  fromRoute: number
  toRoute: number
}

/** The lines that are picked up on one route and dropped off on another: as a rule one of the two stops is missing. */
export function tornLines({ cargo, locations, routes }: Plan): TornLine[] {
  const placeOf = cargoPlaces(locations)
  return cargo.flatMap((one, line) => {
    const [from, to] = [placeOf(one, 'PICK_UP'), placeOf(one, 'DROP_OFF')]
    const [fromRoute, toRoute] = [routeOfStop(routes, locations, from), routeOfStop(routes, locations, to)]
    return fromRoute !== toRoute && fromRoute !== -1 && toRoute !== -1 ? [{ line, from, to, fromRoute, toRoute }] : []
  })
}

/** How a line lies to the ticked stops: all of its way, one end, or nothing of it is on the new route. */
export type LineWay = { kind: 'whole' } | { kind: 'none' } | { kind: 'half'; missing: number }

/** How each line lies to some ticked stops, by their places. */
export function waysOf(cargo: readonly CargoValues[], locations: readonly StopValues[], ticked: readonly number[]) {
  const placeOf = cargoPlaces(locations)
  return cargo.map((line): LineWay => {
    const ends = [placeOf(line, 'PICK_UP'), placeOf(line, 'DROP_OFF')].filter((place) => place !== -1)
    const missing = ends.filter((place) => !ticked.includes(place))
    if (ends.length === missing.length) return { kind: 'none' }
    return missing.length === 0 ? { kind: 'whole' } : { kind: 'half', missing: missing[0]! }
  })
}

export interface NewRoute {
  plan: Pick<Plan, 'locations' | 'routes'>
  /** the stops of the new route, as they stand on the order afterwards */
  stops: StopValues[]
  /** of which ticked stops the new route gets a copy, by their places before */
  copied: number[]
  /** routes that are left without a stop, by their places */
  emptied: number[]
}

/**
 * Adds a route over the ticked stops. Of the lines whose whole way is ticked those in `staying` keep to their route.
 * A ticked stop at which some cargo goes and some stays is driven by both: the new route gets a copy of it, below it,
 * with the cargo that goes. One at which all of the cargo stays is left where it is.
 */
export function addRoute(
  { cargo, locations, routes }: Plan,
  ticked: readonly number[],
  staying: readonly number[],
): NewRoute {
  const placeOf = cargoPlaces(locations)
  const ways = waysOf(cargo, locations, ticked)
  const goes = cargo.map((_line, line) => ways[line]!.kind === 'whole' && !staying.includes(line))
  const linesAt = (stop: number) =>
    cargo.flatMap((line, index) =>
      placeOf(line, 'PICK_UP') === stop || placeOf(line, 'DROP_OFF') === stop ? [index] : [],
    )
  const copied: number[] = []
  const moved: number[] = []
  for (const stop of ticked.toSorted((a, b) => a - b)) {
    const lines = linesAt(stop)
    const isGoing = lines.some((line) => goes[line])
    const isKept = lines.some((line) => staying.includes(line) && ways[line]!.kind === 'whole')
    if (isGoing && lines.some((line) => !goes[line])) copied.push(stop)
    else if (isGoing || !isKept) moved.push(stop)
  }
  const keys = new Map(copied.map((stop) => [stop, newKey()]))
  const placed = locations.flatMap((stop, place) => (keys.has(place) ? [stop, copyOf(stop, keys.get(place)!)] : [stop]))
  // Their cargo, once all of the stops have their new places.
  const after = cargo.reduce((stops, line, index) => {
    if (!goes[index]) return stops
    return (['PICK_UP', 'DROP_OFF'] as const).reduce((all, action) => {
      const key = keys.get(placeOf(line, action))
      return key === undefined
        ? all
        : withAction(
            all,
            line,
            action,
            all.findIndex((stop) => stop.key === key),
          )
    }, stops)
  }, placed)
  const movedStops = moved.map((place) => locations[place]!)
  const isNew = (stop: StopValues) =>
    movedStops.some((one) => (one.id === undefined ? one.key === stop.key : one.id === stop.id)) ||
    [...keys.values()].includes(stop.key ?? '')
  const stops = after.filter(isNew)
  const before = routes.map((route) => {
    const own = stopsOfRoute(route, locations)
    return own.some((stop) => moved.includes(stop))
      ? withStops(
          route,
          locations,
          own.filter((stop) => !moved.includes(stop)),
        )
      : route
  })
  const emptied = before.flatMap((route, index) =>
    stopsOfRoute(route, after).length === 0 && stopsOfRoute(routes[index]!, locations).length > 0 ? [index] : [],
  )
  return { plan: { locations: after, routes: [...before, routeOver(stops)] }, stops, copied, emptied }
}

/** The same place once more: what happened there, and what it costs, is that of the first truck. */
function copyOf(stop: StopValues, key: string): StopValues {
  const { id: _id, ...rest } = stop
  return {
    ...rest,
    key,
    cargoActions: [],
    customerPriceCents: null,
    carrierPriceCents: null,
    delayReason: null,
    plannedAt: null,
    arrivedAt: null,
    loadedAt: null,
    unloadedAt: null,
    canceledAt: null,
  }
}
