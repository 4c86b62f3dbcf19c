import { epochOf } from '../../kit/local-time.ts'
import { fromThousandths, toThousandths } from '../../kit/money.ts'
import { LOAD_LIMITS } from '../cargo.ts'
import { isUnloaded, type OrderStatus } from '../status.ts'
import type { ClearanceReason } from '../clearance/clearance.ts'
import type { BoardBar, BoardStop } from './board.ts'
import { legKm, travelMinutes } from './driving.ts'

const MINUTE = 60_000
/** As long as a bar is at least, so that it can be taken hold of. */
const SHORTEST = 60 * MINUTE

/** When a stop is, or is expected to be: done, reached, planned, else by its termin. Epoch milliseconds or null. */
export function timeOfStop(stop: BoardStop): number | null {
  const known = stop.doneAt ?? stop.arrivedAt ?? stop.plannedAt ?? (stop.isLoading ? stop.startAt : stop.endAt)
  return known === null ? null : epochOf(known)
}

/** From when to when a route stands on the board, epoch milliseconds; null where none of its stops has a date. */
export function spanOf(stops: readonly BoardStop[]): { start: number; end: number } | null {
  const times = stops.flatMap((stop) => timeOfStop(stop) ?? [])
  if (times.length === 0) return null
  const [start, end] = [Math.min(...times), Math.max(...times)]
  return { start, end: Math.max(end, start + SHORTEST) }
}

/** The most that is on the vehicle at once: loading metres and kilograms. */
export function peakOf(stops: readonly Pick<BoardStop, 'ldmOn' | 'ldmOff' | 'kgOn' | 'kgOff'>[]) {
  const peak = (on: 'ldmOn' | 'kgOn', off: 'ldmOff' | 'kgOff'): number => {
    let [now, most] = [0, 0]
    for (const stop of stops) {
      now += toThousandths(stop[on]) - toThousandths(stop[off])
      most = Math.max(most, now)
    }
    return fromThousandths(most)
  }
  return { ldm: peak('ldmOn', 'ldmOff'), kg: peak('kgOn', 'kgOff') }
}

/** What is doubtful about a bar where it stands; nothing of it hinders planning (decision 107). */
export type BarWarning =
  | { readonly code: 'too_long' | 'too_heavy'; readonly value: number; readonly limit: number }
  /** planned outside the customer's termin */
  | { readonly code: 'late' | 'early'; readonly stopId: number; readonly minutes: number }
  /** the drive from the stop before takes longer than is planned for it */
  | { readonly code: 'unreachable'; readonly stopId: number; readonly minutes: number }
  /** on the road at that time for an order that the caller may not know of */
  | { readonly code: 'vehicle_busy'; readonly minutes: number }
  /** on the road with another bar of its row, or its driver with one of another row, at the same time */
  | { readonly code: 'vehicle_twice' | 'driver_twice'; readonly routeId: number; readonly minutes: number }
  /** the empty drive from the bar before takes longer than there is time */
  | { readonly code: 'gap_too_short'; readonly routeId: number; readonly minutes: number }
  /** its carrier could not be scheduled (decision 098) */
  | { readonly code: 'not_cleared'; readonly reasons: readonly ClearanceReason[] }

/** What a vehicle takes; where nothing is known of it, a standard semi-trailer. */
export interface Capacity {
  readonly ldm: number | null
  readonly payloadKg: number | null
}

const isOver = (status: OrderStatus): boolean => isUnloaded(status)
const isOpenStop = (stop: BoardStop): boolean => stop.doneAt === null && stop.arrivedAt === null

/** What is doubtful about a load on a vehicle. */
export function loadWarnings(stops: BoardBar['stops'], capacity: Capacity): BarWarning[] {
  const { ldm, kg } = peakOf(stops)
  const [mostLdm, mostKg] = [capacity.ldm ?? LOAD_LIMITS.ldm, capacity.payloadKg ?? LOAD_LIMITS.weightKg]
  return [
    ...(ldm > mostLdm ? [{ code: 'too_long' as const, value: ldm, limit: mostLdm }] : []),
    ...(kg > mostKg ? [{ code: 'too_heavy' as const, value: kg, limit: mostKg }] : []),
  ]
}

/** What is doubtful about the planned times of a route: outside the termins, or not to be driven. */
export function timeWarnings(stops: readonly BoardStop[]): BarWarning[] {
  return stops.flatMap((stop, index): BarWarning[] => {
    if (!isOpenStop(stop) || stop.plannedAt === null) return []
    const planned = epochOf(stop.plannedAt)
    const found: BarWarning[] = []
    if (stop.endAt !== null && planned > epochOf(stop.endAt))
      found.push({ code: 'late', stopId: stop.id, minutes: Math.round((planned - epochOf(stop.endAt)) / MINUTE) })
    if (stop.startAt !== null && planned < epochOf(stop.startAt))
      found.push({ code: 'early', stopId: stop.id, minutes: Math.round((epochOf(stop.startAt) - planned) / MINUTE) })
    const before = stops[index - 1]
    const left = before === undefined ? null : timeOfStop(before)
    const travel = before === undefined ? null : travelMinutes(legKm(before, stop))
    const short = left === null || travel === null ? 0 : travel - (planned - left) / MINUTE
    if (short > 0) found.push({ code: 'unreachable', stopId: stop.id, minutes: Math.ceil(short) })
    return found
  })
}

const overlap = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
  Math.min(a.end, b.end) - Math.max(a.start, b.start)

/** What keeps the carrier of a route from being scheduled. */
const clearanceWarnings = ({ clearance }: WarnedBar): BarWarning[] =>
  clearance === null || clearance.isCleared ? [] : [{ code: 'not_cleared', reasons: clearance.reasons }]

/** Two bars of one row, or of one driver, at the same time; the later one says it. */
function clashes(
  bar: WarnedBar,
  span: { start: number; end: number },
  others: readonly { bar: WarnedBar; span: { start: number; end: number } }[],
  code: 'vehicle_twice' | 'driver_twice',
): BarWarning[] {
  return others.flatMap((other): BarWarning[] => {
    const common = overlap(span, other.span)
    return common > 0 && other.bar.orderId !== bar.orderId
      ? [{ code, routeId: other.bar.routeId, minutes: Math.round(common / MINUTE) }]
      : []
  })
}

/** A bar as far as it is warned of. */
export type WarnedBar = Pick<
  BoardBar,
  'orderId' | 'routeId' | 'status' | 'stops' | 'ownFleet' | 'driverIds' | 'clearance'
>

/** The bars of one vehicle, with what it takes, and when it is on the road for others. */
export interface WarnedRow {
  readonly bars: readonly WarnedBar[]
  /** null: no single vehicle stands behind the row */
  readonly capacity: Capacity | null
  readonly busy?: readonly { readonly startAt: string; readonly endAt: string }[]
}

/** What is doubtful about each bar, by its route. Where no single vehicle stands behind a row, nothing clashes. */
export function boardWarnings(rows: readonly WarnedRow[]): Map<number, BarWarning[]> {
  const open = (bars: readonly WarnedBar[]) =>
    bars.flatMap((bar) => {
      const span = isOver(bar.status) ? null : spanOf(bar.stops)
      return span === null ? [] : [{ bar, span }]
    })
  const byDriver = new Map<string, ReturnType<typeof open>>()
  for (const one of rows.flatMap(({ bars }) => open(bars)))
    for (const driverId of one.bar.driverIds) {
      const driver = `${one.bar.ownFleet} ${driverId}`
      byDriver.set(driver, [...(byDriver.get(driver) ?? []), one])
    }
  const warnings = new Map<number, BarWarning[]>()
  for (const { bars, capacity, busy = [] } of rows) {
    const inRow = open(bars).toSorted((a, b) => a.span.start - b.span.start)
    inRow.forEach(({ bar, span }, index) => {
      const found = [...loadWarnings(bar.stops, capacity ?? { ldm: null, payloadKg: null }), ...timeWarnings(bar.stops)]
      if (capacity !== null) {
        const earlier = inRow.slice(0, index)
        found.push(...clashes(bar, span, earlier, 'vehicle_twice'))
        const away = busy.map(({ startAt, endAt }) => overlap(span, { start: epochOf(startAt), end: epochOf(endAt) }))
        const longest = Math.max(0, ...away)
        if (longest > 0) found.push({ code: 'vehicle_busy', minutes: Math.round(longest / MINUTE) })
        const previous = earlier.at(-1)
        const [from, to] = [previous?.bar.stops.at(-1), bar.stops[0]]
        const empty = from === undefined || to === undefined ? null : travelMinutes(legKm(from, to))
        const short = previous === undefined || empty === null ? 0 : empty - (span.start - previous.span.end) / MINUTE
        if (previous !== undefined && short > 0 && overlap(span, previous.span) <= 0)
          found.push({ code: 'gap_too_short', routeId: previous.bar.routeId, minutes: Math.ceil(short) })
      }
      const rowmates = new Set(bars.map(({ routeId }) => routeId))
      const ofDrivers = bar.driverIds.flatMap((driverId) => byDriver.get(`${bar.ownFleet} ${driverId}`) ?? [])
      const elsewhere = ofDrivers.filter((other) => !rowmates.has(other.bar.routeId) && other.span.start <= span.start)
      found.push(...clashes(bar, span, elsewhere, 'driver_twice'), ...clearanceWarnings(bar))
      if (found.length > 0) warnings.set(bar.routeId, found)
    })
  }
  return warnings
}
