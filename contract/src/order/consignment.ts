import { isDropOff, isPickUp, type Stop } from './schedule.ts'
import { isCanceled, type OrderStatus } from './status.ts'

interface PlannedRoute {
  readonly id: number
  readonly status: OrderStatus
  readonly locationIds: readonly number[]
  readonly assignment: { readonly carrierCompanyId: number | null; readonly ownFleet: boolean } | null
}

/** As much of an order as its papers look at; stops in the order in which they are driven. */
export interface PlannedOrder {
  readonly cargo: readonly { readonly id: number }[]
  readonly locations: readonly (Stop & { readonly id: number })[]
  readonly routes: readonly PlannedRoute[]
}

/** What one consignment note is about: the lines that one stop hands over and another takes. */
export interface Consignment {
  pickUpId: number
  dropOffId: number
  cargoIds: number[]
}

/** The routes for which papers can be written: what is canceled is not driven. */
export const drivenRoutes = <Route extends PlannedRoute>(routes: readonly Route[]): Route[] =>
  routes.filter(({ status }) => !isCanceled(status))

/**
 * One consignment for each pair of pick-up and drop-off of a route (domain, Emails and documents), in the order of
 * the stops; a pair that two routes share belongs to both. Where no cargo has been given a way, and the route has one
 * pick-up and one drop-off, everything goes from the one to the other.
 */
export function consignmentsOf(
  { cargo, locations }: Pick<PlannedOrder, 'cargo' | 'locations'>,
  route: Pick<PlannedRoute, 'locationIds'>,
): Consignment[] {
  const stops = locations.filter((stop) => !stop.canceledAt)
  const onRoute = new Set(route.locationIds)
  const stopOf = (cargoId: number, action: 'PICK_UP' | 'DROP_OFF') =>
    stops.find(({ cargoActions = [] }) => cargoActions.some((one) => one.cargoId === cargoId && one.action === action))
  const pairs = new Map<string, Consignment>()
  for (const { id } of cargo) {
    const [pickUp, dropOff] = [stopOf(id, 'PICK_UP'), stopOf(id, 'DROP_OFF')]
    if (!pickUp || !dropOff || !(onRoute.has(pickUp.id) || onRoute.has(dropOff.id))) continue
    const key = `${pickUp.id} ${dropOff.id}`
    const known = pairs.get(key)
    if (known) known.cargoIds.push(id)
    else pairs.set(key, { pickUpId: pickUp.id, dropOffId: dropOff.id, cargoIds: [id] })
  }
  if (pairs.size > 0) {
    const place = new Map(stops.map(({ id }, index) => [id, index]))
    return [...pairs.values()].toSorted(
      (a, b) => place.get(a.pickUpId)! - place.get(b.pickUpId)! || place.get(a.dropOffId)! - place.get(b.dropOffId)!,
    )
  }
  const [from, ...moreFrom] = stops.filter((stop) => onRoute.has(stop.id) && isPickUp(stop))
  const [to, ...moreTo] = stops.filter((stop) => onRoute.has(stop.id) && isDropOff(stop))
  if (
    !from ||
    !to ||
    moreFrom.length + moreTo.length > 0 ||
    stops.some(({ cargoActions = [] }) => cargoActions.length > 0)
  )
    return []
  return [{ pickUpId: from.id, dropOffId: to.id, cargoIds: cargo.map(({ id }) => id) }]
}

/**
 * What an order's paper still needs of its route, or null (spec §5): a consignment note somebody who drives and a
 * consignment, a transport order a carrier to send it to.
 */
export function missingForPaper(
  paper: 'CMR_NOTE' | 'ORDER_RESOLVED_DOCUMENT',
  order: PlannedOrder,
  route: PlannedRoute | null,
): 'route_missing' | 'assignment_missing' | 'carrier_missing' | 'consignment_missing' | null {
  if (route === null) return 'route_missing'
  const { assignment } = route
  if (paper === 'ORDER_RESOLVED_DOCUMENT') return assignment?.carrierCompanyId == null ? 'carrier_missing' : null
  if (!assignment || (assignment.carrierCompanyId === null && !assignment.ownFleet)) return 'assignment_missing'
  return consignmentsOf(order, route).length === 0 ? 'consignment_missing' : null
}
