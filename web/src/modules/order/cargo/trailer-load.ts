import { sumCents, toThousandths, fromThousandths } from '@waybill/contract/kit/money'
import { LOAD_LIMITS } from '@waybill/contract/order/cargo'
import { known } from '../values/money.ts'
import { cargoPlaces, stopsOfRoute, type CargoValues, type RouteValues, type StopValues } from '../values/draft.ts'

/** What one vehicle carries: a route's cargo, or all of it while there is no more than one route. */
export interface VehicleLoad {
  /** the route's place; null where the order is one load */
  route: number | null
  /** places of the lines */
  lines: number[]
}

/**
 * Each route is a vehicle of its own: its cargo is what it drops off (domain, Route). Cargo
 * of no route is a load by itself.
 */
export function vehicleLoads(
  cargo: readonly CargoValues[],
  locations: readonly StopValues[],
  routes: readonly RouteValues[],
): VehicleLoad[] {
  const all = { route: null, lines: cargo.map((_line, index) => index) }
  if (routes.length < 2) return [all]
  const placeOf = cargoPlaces(locations)
  const stops = routes.map((route) => stopsOfRoute(route, locations))
  const routeOf = cargo.map((line) => stops.findIndex((own) => own.includes(placeOf(line, 'DROP_OFF'))))
  const linesOf = (route: number) => all.lines.filter((line) => routeOf[line] === route)
  const loads = routes.map((_route, route): VehicleLoad => ({ route, lines: linesOf(route) }))
  const rest = linesOf(-1)
  return [...loads, ...(rest.length > 0 ? [{ route: null, lines: rest }] : [])]
}

export interface TrailerPart {
  /** from 1; null for cargo that is dropped off nowhere yet */
  position: number | null
  title: string | null
  ldm: number
  /** of the whole length, 0 to 1 */
  share: number
}

/**
 * What lies where in the trailer: the last drop at the cab, the first at the doors, free metres
 * behind it.
 */
export function trailerLoad(
  cargo: readonly CargoValues[],
  locations: readonly StopValues[],
): { parts: TrailerPart[]; free: number } {
  const byStop = new Map<number, number[]>()
  const placeOf = cargoPlaces(locations)
  for (const line of cargo) {
    const ldm = known(line.ldm) ?? 0
    if (!(ldm > 0)) continue
    const place = placeOf(line, 'DROP_OFF')
    const loaded = byStop.get(place)
    if (loaded === undefined) byStop.set(place, [toThousandths(ldm)])
    else loaded.push(toThousandths(ldm))
  }
  const loads = [...byStop].map(([place, thousandths]) => ({ place, ldm: fromThousandths(sumCents(thousandths)) }))
  const total = fromThousandths(sumCents(loads.map(({ ldm }) => toThousandths(ldm))))
  const length = Math.max(total, LOAD_LIMITS.ldm)
  const parts = loads
    .toSorted((a, b) => b.place - a.place)
    .map(({ place, ldm }) => ({
      position: place === -1 ? null : place + 1,
      title: locations[place]?.city ?? locations[place]?.companyTitle ?? null,
      ldm,
      share: ldm / length,
    }))
  return { parts, free: Math.max(0, fromThousandths(toThousandths(LOAD_LIMITS.ldm) - toThousandths(total))) }
}
