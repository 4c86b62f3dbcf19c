import { greatCircleKm, type Position } from '../kit/earth/great-circle.ts'

/**
 * How much longer the way is than the great circle, where no route says how long it is (decision 115). A customer who
 * asks is told: such a distance is marked estimated.
 */
export const DETOUR = 1.15

/** Grams of CO₂e for each tonne-kilometre, from a day on; what it is for is chosen by the type of the vehicle. */
export interface DatedFactor {
  readonly id: number
  readonly validFrom: string
  /** well-to-tank: making and bringing the fuel */
  readonly wellToTank: number
  /** tank-to-wheel: burning it */
  readonly tankToWheel: number
  readonly vehicleTypeIds: readonly number[]
  /** counts where no type of vehicle is named, or none that a factor is for */
  readonly isFallback: boolean
}

export interface EmissionStop {
  readonly id: number
  readonly routeId: number | null
  readonly kind: 'loading' | 'unloading' | 'customs' | 'other'
  readonly position: Position | null
}

export interface EmissionRoute {
  readonly id: number
  readonly distanceKm: number | null
  readonly isDistanceEstimated: boolean
  readonly vehicleTypeId: number | null
}

export interface EmissionCargo {
  readonly id: number
  /** whose goods they are */
  readonly customerId: number
  /** which order brought them into a merge */
  readonly sourceOrderId: number | null
  readonly weightKg: number | null
  /** where they get on, and off */
  readonly pickUpIds: readonly number[]
  readonly dropOffIds: readonly number[]
}

/** What is known of a transport: stops in the order in which they are driven, routes by their number. */
export interface EmissionOrder {
  /** of the last unloading, at that place; it says which factors count */
  readonly day: string | null
  readonly vehicleTypeId: number | null
  readonly stops: readonly EmissionStop[]
  readonly routes: readonly EmissionRoute[]
  readonly cargo: readonly EmissionCargo[]
}

/** What an emission cannot be worked out without. */
export const EMISSION_GAPS = ['day', 'cargo', 'stops', 'weight', 'distance', 'factor'] as const
export type EmissionGap = (typeof EMISSION_GAPS)[number]

/**
 * Where a distance is from: the route that drives these two stops and no others; the same share of a longer route as
 * these stops lie apart of it; or the great circle × `DETOUR`.
 */
export const DISTANCE_BASES = ['route', 'share', 'greatCircle'] as const
export type DistanceBasis = (typeof DISTANCE_BASES)[number]

/** Whole kilogram-kilometres, which are thousandths of a tonne-kilometre, and whole grams. */
export interface EmissionFigures {
  kgKm: number
  wttGrams: number
  ttwGrams: number
}

/**
 * Goods of one customer on one leg: a transport chain element of ISO 14083. What is missing makes its figures null,
 * never nothing.
 */
export interface EmissionElement {
  routeId: number | null
  fromStopId: number | null
  toStopId: number | null
  customerId: number
  sourceOrderId: number | null
  /** of all these goods; null where one of them has none */
  weightKg: number | null
  distanceKm: number | null
  distanceBasis: DistanceBasis | null
  isDistanceEstimated: boolean
  factorId: number | null
  /** no type of vehicle is known that a factor is for */
  isVehicleAssumed: boolean
  figures: EmissionFigures | null
  gaps: EmissionGap[]
}

const latest = (factors: readonly DatedFactor[]): DatedFactor | undefined =>
  factors.reduce<DatedFactor | undefined>(
    (best, one) =>
      best === undefined || one.validFrom > best.validFrom || (one.validFrom === best.validFrom && one.id > best.id)
        ? one
        : best,
    undefined,
  )

/** The factor that counts for a type of vehicle on a day: the latest that has begun; of those of one day the newest. */
export function factorOn(
  factors: readonly DatedFactor[],
  day: string,
  vehicleTypeId: number | null,
): { factor: DatedFactor; isVehicleAssumed: boolean } | null {
  const begun = factors.filter(({ validFrom }) => validFrom <= day)
  const own =
    vehicleTypeId === null
      ? undefined
      : latest(begun.filter(({ vehicleTypeIds }) => vehicleTypeIds.includes(vehicleTypeId)))
  if (own !== undefined) return { factor: own, isVehicleAssumed: false }
  const fallback = latest(begun.filter(({ isFallback }) => isFallback))
  return fallback === undefined ? null : { factor: fallback, isVehicleAssumed: true }
}

const toTenths = (km: number): number => Math.round(km * 10) / 10

interface Distance {
  km: number
  basis: DistanceBasis
  isEstimated: boolean
}

/** From stop to stop of a route; ISO 14083 counts the way of the goods, not the detours for goods of others. */
function distanceOf(
  route: EmissionRoute | null,
  driven: readonly EmissionStop[],
  from: EmissionStop,
  to: EmissionStop,
): Distance | null {
  const isWhole = driven[0]?.id === from.id && driven.at(-1)?.id === to.id
  const direct = from.position === null || to.position === null ? null : greatCircleKm(from.position, to.position)
  const km = route?.distanceKm ?? null
  if (route !== null && km !== null && km > 0) {
    const { isDistanceEstimated: isEstimated } = route
    if (isWhole && driven.length === 2) return { km: toTenths(km), basis: 'route', isEstimated }
    const legs = driven.slice(1).map((stop, index) => {
      const before = driven[index]!.position
      return before === null || stop.position === null ? null : greatCircleKm(before, stop.position)
    })
    const whole = legs.includes(null) ? 0 : legs.reduce<number>((sum, leg) => sum + leg!, 0)
    if (direct !== null && whole > 0) return { km: toTenths((km * direct) / whole), basis: 'share', isEstimated: true }
    if (isWhole) return { km: toTenths(km), basis: 'route', isEstimated }
  }
  return direct === null ? null : { km: toTenths(direct * DETOUR), basis: 'greatCircle', isEstimated: true }
}

interface Leg {
  route: EmissionRoute | null
  driven: readonly EmissionStop[]
  from: EmissionStop
  to: EmissionStop
}

/** On which routes a line of cargo travels, and from where to where; empty where no stop says it. */
function legsOf({ stops, routes }: EmissionOrder, line: EmissionCargo): Leg[] {
  const from = stops.find(({ id }) => line.pickUpIds.includes(id)) ?? stops.find(({ kind }) => kind === 'loading')
  const to =
    stops.findLast(({ id }) => line.dropOffIds.includes(id)) ?? stops.findLast(({ kind }) => kind === 'unloading')
  if (from === undefined || to === undefined || from.id === to.id) return []
  const drivenBy = (routeId: number | null) => stops.filter((stop) => stop.routeId === routeId)
  const place = (stop: EmissionStop) => routes.findIndex(({ id }) => id === stop.routeId)
  const [first, last] = [place(from), place(to)]
  if (first === -1 || last === -1 || first >= last) {
    const route = first === last && first !== -1 ? routes[first]! : null
    return [{ route, driven: drivenBy(route?.id ?? null), from, to }]
  }
  // Handed over on the way: each truck takes it to its last stop, and the next one fetches it there.
  const named = new Set([...line.pickUpIds, ...line.dropOffIds])
  const legs: Leg[] = []
  let at = from
  for (const [index, route] of routes.slice(first, last + 1).entries()) {
    const driven = drivenBy(route.id)
    const isPassed = index > 0 && index < last - first && !driven.some(({ id }) => named.has(id))
    const end = index === last - first ? to : driven.at(-1)
    if (isPassed || end === undefined || end.id === at.id) continue
    legs.push({ route, driven, from: at, to: end })
    at = end
  }
  return legs
}

const isKnown = (value: number | null): value is number => value !== null && value > 0

/** Figures of goods on their way: tonne-kilometres × grams, each part rounded once to whole grams. */
export function figuresOf(
  weightKg: number,
  distanceKm: number,
  { wellToTank, tankToWheel }: Pick<DatedFactor, 'wellToTank' | 'tankToWheel'>,
): EmissionFigures {
  const kgKm = Math.round(weightKg * distanceKm)
  const grams = (factor: number) => Math.round((kgKm * factor) / 1000)
  return { kgKm, wttGrams: grams(wellToTank), ttwGrams: grams(tankToWheel) }
}

/** The elements of a transport: goods of one customer, of one order of a merge, on one leg, stand together. */
export function emissionElements(order: EmissionOrder, factors: readonly DatedFactor[]): EmissionElement[] {
  const elements = new Map<string, EmissionElement>()
  for (const line of order.cargo) {
    const legs = legsOf(order, line)
    const whose = { customerId: line.customerId, sourceOrderId: line.sourceOrderId }
    const found = legs.length === 0 ? [null] : legs
    for (const leg of found) {
      const key = [leg?.route?.id, leg?.from.id, leg?.to.id, line.customerId, line.sourceOrderId].join()
      const before = elements.get(key)
      const weightKg = isKnown(line.weightKg) ? line.weightKg : null
      if (before !== undefined) {
        before.weightKg =
          before.weightKg === null || weightKg === null ? null : Math.round((before.weightKg + weightKg) * 1000) / 1000
        continue
      }
      const distance = leg === null ? null : distanceOf(leg.route, leg.driven, leg.from, leg.to)
      const vehicleTypeId = leg?.route?.vehicleTypeId ?? order.vehicleTypeId
      const chosen = order.day === null ? null : factorOn(factors, order.day, vehicleTypeId)
      elements.set(key, {
        routeId: leg?.route?.id ?? null,
        fromStopId: leg?.from.id ?? null,
        toStopId: leg?.to.id ?? null,
        ...whose,
        weightKg,
        distanceKm: distance?.km ?? null,
        distanceBasis: distance?.basis ?? null,
        isDistanceEstimated: distance?.isEstimated ?? false,
        factorId: chosen?.factor.id ?? null,
        isVehicleAssumed: chosen?.isVehicleAssumed ?? false,
        figures: null,
        gaps: [
          ...(leg === null ? (['stops'] as const) : distance === null ? (['distance'] as const) : []),
          ...(order.day === null ? (['day'] as const) : chosen === null ? (['factor'] as const) : []),
        ],
      })
    }
  }
  const byId = new Map(factors.map((factor) => [factor.id, factor]))
  return [...elements.values()].map((element) => {
    const { weightKg, distanceKm, factorId } = element
    const gaps: EmissionGap[] = weightKg === null ? ['weight', ...element.gaps] : element.gaps
    const factor = factorId === null ? undefined : byId.get(factorId)
    const figures =
      weightKg === null || distanceKm === null || factor === undefined ? null : figuresOf(weightKg, distanceKm, factor)
    return { ...element, gaps, figures }
  })
}

export interface EmissionSum extends EmissionFigures {
  isComplete: boolean
  /** nothing of it could be worked out */
  isUnknown: boolean
  gaps: EmissionGap[]
  factorIds: number[]
}

/** What elements come to. No goods at all is a gap, too. */
export function emissionSum(elements: readonly EmissionElement[]): EmissionSum {
  const known = elements.flatMap(({ figures }) => (figures === null ? [] : [figures]))
  const total = (of: keyof EmissionFigures) => known.reduce((sum, figures) => sum + figures[of], 0)
  const gaps = new Set(elements.length === 0 ? (['cargo'] as const) : elements.flatMap((element) => element.gaps))
  return {
    kgKm: total('kgKm'),
    wttGrams: total('wttGrams'),
    ttwGrams: total('ttwGrams'),
    isComplete: gaps.size === 0,
    isUnknown: known.length === 0,
    gaps: EMISSION_GAPS.filter((gap) => gaps.has(gap)),
    factorIds: [
      ...new Set(
        elements.flatMap(({ figures, factorId }) => (figures === null || factorId === null ? [] : [factorId])),
      ),
    ].toSorted((one, other) => one - other),
  }
}
