import { planErrors } from '@waybill/contract/order/schedule'
import {
  namesOfStops,
  stopOfCargo,
  stopsOfRoute,
  withoutCargo,
  withUsualActions,
  type CargoValues,
  type OrderValues,
  type RouteValues,
  type StopValues,
} from './draft.ts'

/** What of an order knows the order of its stops. */
export type Plan = Pick<OrderValues, 'cargo' | 'locations' | 'routes'>

/** A stop on its new place, or the place of the line that would be dropped off before it is picked up. */
export type MovedStop = { plan: Pick<Plan, 'locations' | 'routes'> } | { line: number }

/**
 * Moves a stop one place up (`step` -1) or down (1). Its cargo stays with it; what the program had only assumed of a
 * line is assumed anew where it no longer fits. The stops of a route follow, because a route names them in order.
 */
export function moveStop({ cargo, locations, routes }: Plan, index: number, step: -1 | 1): MovedStop {
  const swapped = locations.toSpliced(index, 1).toSpliced(index + step, 0, locations[index]!)
  const [upper, lower] = [Math.min(index, index + step), Math.max(index, index + step)]
  const crossed = cargo.flatMap((line, place) =>
    stopOfCargo(locations, line, 'PICK_UP') === upper && stopOfCargo(locations, line, 'DROP_OFF') === lower
      ? [place]
      : [],
  )
  const isGuess = assumed(locations)
  const moved = crossed
    .filter((line) => isGuess(cargo[line]!))
    .reduce((stops, line) => withUsualActions(withoutCargo(stops, cargo[line]!), cargo[line]!), swapped)
  const wrong = crossed.find((line) => isTurned(moved, cargo[line]!))
  return wrong === undefined ? { plan: { locations: moved, routes: sorted(routes, moved) } } : { line: wrong }
}

/** Looks up whether nobody has said by hand where a line is picked up, nor where it is dropped off. */
function assumed(locations: readonly StopValues[]): (line: CargoValues) => boolean {
  const guesses = locations.map((stop) => ({
    ...stop,
    cargoActions: stop.cargoActions.filter(({ isAssumed }) => isAssumed === true),
  }))
  return (line) => stopOfCargo(guesses, line, 'PICK_UP') !== -1 && stopOfCargo(guesses, line, 'DROP_OFF') !== -1
}

const isTurned = (locations: readonly StopValues[], line: CargoValues): boolean =>
  planErrors(locations, [line]).some(({ code }) => code === 'drop_off_before_pick_up')

/** The routes, each naming its stops in the order in which they stand on the order. */
const sorted = (routes: readonly RouteValues[], locations: readonly StopValues[]): RouteValues[] =>
  routes.map((route) => ({
    ...route,
    ...namesOfStops(stopsOfRoute(route, locations).map((place) => locations[place]!)),
  }))
