import { isDropOff, type Stop } from '../schedule.ts'

/** How the proof of delivery of a route stands: none that counts, one that waits to be accepted, or an accepted one. */
export const POD_STATES = ['missing', 'toCheck', 'accepted'] as const
export type PodState = (typeof POD_STATES)[number]

/**
 * How long a route has waited for its proof of delivery, in whole days since it was unloaded: up to 3, up to 7, up to
 * 14, longer.
 */
export const POD_AGES = ['upTo3', 'upTo7', 'upTo14', 'over14'] as const
export type PodAge = (typeof POD_AGES)[number]
/** The days at which each age ends, both included; the last one has no end. */
export const POD_AGE_DAYS: Readonly<Record<PodAge, number | null>> = { upTo3: 3, upTo7: 7, upTo14: 14, over14: null }

/** A proof of delivery as far as it is asked what it proves. */
export interface Pod {
  readonly acceptance: 'accepted' | 'toCheck' | 'refused' | null
  /** the drop-offs that it proves; null: all of the route that its carrier drives, or of the order */
  readonly locationIds: readonly number[] | null
  /** of the assignment that the file is about */
  readonly routeId: number | null
}

interface PodStop extends Stop {
  readonly id: number
  readonly routeId: number | null
}

/** The drop-offs that a proof of delivery proves, canceled ones too. */
export function provenDropOffs<One extends PodStop>(
  { locationIds, routeId }: Pick<Pod, 'locationIds' | 'routeId'>,
  stops: readonly One[],
): One[] {
  const dropOffs = stops.filter(isDropOff)
  if (locationIds !== null) return dropOffs.filter(({ id }) => locationIds.includes(id))
  return routeId === null ? dropOffs : dropOffs.filter((stop) => stop.routeId === routeId)
}

/**
 * True where a proof of delivery shows what was dropped of these lines and nothing else, so that whose they are may be
 * shown it. A stop that is gone hides whose goods were dropped there; one that is canceled counts where it is named.
 */
export function provesAlone(
  { locationIds, routeId }: Pick<Pod, 'locationIds' | 'routeId'>,
  stops: readonly PodStop[],
  cargoIds: ReadonlySet<number>,
): boolean {
  const named = provenDropOffs({ locationIds, routeId }, stops)
  if (locationIds !== null && named.length < locationIds.length) return false
  const proven = locationIds === null ? named.filter(({ canceledAt }) => !canceledAt) : named
  const dropped = proven.map(({ cargoActions = [] }) => cargoActions.filter(({ action }) => action === 'DROP_OFF'))
  return (
    proven.some(({ canceledAt }) => !canceledAt) &&
    dropped.every((lines) => lines.length > 0 && lines.every(({ cargoId }) => cargoIds.has(cargoId ?? 0)))
  )
}

/** True where a proof of delivery speaks for a route: it names a stop of it, or nothing that is not its own. */
const provesRoute = ({ locationIds, routeId }: Pod, route: number, stops: readonly PodStop[]): boolean =>
  locationIds === null
    ? routeId === null || routeId === route
    : stops.some((stop) => stop.routeId === route && locationIds.includes(stop.id))

/** How these proofs of delivery stand together: the one that is furthest counts, a refused one does not. */
export function podState(pods: readonly Pick<Pod, 'acceptance'>[]): PodState {
  if (pods.some(({ acceptance }) => acceptance === 'accepted')) return 'accepted'
  return pods.some(({ acceptance }) => acceptance === 'toCheck') ? 'toCheck' : 'missing'
}

/** The same of one route. */
export const podStateOfRoute = (routeId: number, pods: readonly Pod[], stops: readonly PodStop[]): PodState =>
  podState(pods.filter((pod) => provesRoute(pod, routeId, stops)))

interface ProvenOrder<One extends PodStop> {
  readonly customerIds: readonly number[]
  readonly locations: readonly One[]
}

/**
 * The drop-offs that a proof of delivery may prove, and whether a person must say which: where the order has several
 * customers, or several routes and the file is about none of them. `routeId` is the route that the file is about.
 */
export function dropOffsToProve<One extends PodStop>(
  { customerIds, locations }: ProvenOrder<One>,
  routeId: number | null,
): { dropOffs: One[]; isAsked: boolean } {
  const dropOffs = locations.filter(
    (stop) => isDropOff(stop) && !stop.canceledAt && (routeId === null || stop.routeId === routeId),
  )
  const isOfOneRoute = new Set(dropOffs.map((stop) => stop.routeId)).size < 2
  return { dropOffs, isAsked: dropOffs.length > 1 && (customerIds.length > 1 || !isOfOneRoute) }
}
