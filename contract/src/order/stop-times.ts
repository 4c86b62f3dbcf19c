import type { FieldErrorCode } from '../errors.ts'
import { epochOf, type Instant } from '../kit/local-time.ts'
import type { CargoAction, Stop } from './schedule.ts'
import { terminRange } from './termin/termin.ts'

/** When something happened at a stop. */
export const STOP_TIMES = ['arrivedAt', 'loadedAt', 'unloadedAt'] as const
export type StopTime = (typeof STOP_TIMES)[number]

/** The time of a stop that a step asks for. */
export const TIME_ASKED = {
  loadingTimes: 'loadedAt',
  arrivalTime: 'arrivedAt',
  unloadingTimes: 'unloadedAt',
} as const satisfies Record<string, StopTime>

/** A time that a step back takes away, and what stands there afterwards: null, or what the step wrote over. */
export interface TakenBack {
  locationId: number
  field: StopTime
  at: string
  becomes: string | null
}

/** A time that cannot be, at the stop of that place in the list. */
export interface StopTimeFault {
  stop: number
  field: StopTime
  code: Extract<FieldErrorCode, 'in_the_future' | 'long_before_order' | 'before_arrival' | 'before_loading'>
}

// Clocks differ by minutes.
const TOLERANCE_MS = 5 * 60_000
// A transport may be written down weeks after it was driven; a year that was mistyped lies further back.
const MOST_BEFORE_ORDER_MS = 60 * 86_400_000

/** When times are written down: the moment, and when the order itself was written. */
export interface Written {
  now: Instant
  createdAt: Instant
}

/** Whether a moment cannot belong to an order: more than five minutes ahead, or 60 days before it was written. */
export function timeFault(at: Instant, { now, createdAt }: Written): 'in_the_future' | 'long_before_order' | null {
  if (epochOf(at) > epochOf(now) + TOLERANCE_MS) return 'in_the_future'
  return epochOf(at) < epochOf(createdAt) - MOST_BEFORE_ORDER_MS ? 'long_before_order' : null
}

const keyOf = ({ cargoId, cargoKey }: CargoAction): string => `${cargoId ?? ''} ${cargoKey ?? ''}`

/**
 * The times that cannot have been (`stops` in the order in which they are driven): after `now` by more than five
 * minutes; more than 60 days before the order was written (`createdAt`); loaded or unloaded before the arrival at the
 * same stop; arrived or unloaded before goods were loaded that are dropped off there. Canceled stops do not count.
 */
export function stopTimeFaults(stops: readonly Stop[], written: Written): StopTimeFault[] {
  const loadedAt = new Map<string, number>()
  for (const stop of stops)
    for (const action of stop.cargoActions ?? [])
      if (!stop.canceledAt && stop.loadedAt && action.action === 'PICK_UP')
        loadedAt.set(keyOf(action), epochOf(stop.loadedAt))
  return stops.flatMap((stop, index) => {
    if (stop.canceledAt) return []
    const dropped = (stop.cargoActions ?? []).flatMap((action) =>
      action.action === 'DROP_OFF' ? (loadedAt.get(keyOf(action)) ?? []) : [],
    )
    const loaded = Math.max(...dropped)
    const faultIn = (field: StopTime): StopTimeFault['code'] | null => {
      const value = stop[field]
      if (!value) return null
      const impossible = timeFault(value, written)
      if (impossible !== null) return impossible
      const at = epochOf(value)
      if (field !== 'loadedAt' && at < loaded) return 'before_loading'
      return field !== 'arrivedAt' && stop.arrivedAt && at < epochOf(stop.arrivedAt) ? 'before_arrival' : null
    }
    return STOP_TIMES.flatMap((field) => {
      const code = faultIn(field)
      return code === null ? [] : [{ stop: index, field, code }]
    })
  })
}

/** A time that may be right and looks like a slip: outside of what was agreed, or the minute of another stop. */
export type StopTimeDoubt = 'outside_termin' | 'same_minute'

/** What is doubtful about a time that is about to be written at one stop, `at` beside the times of the other stops. */
export function stopTimeDoubts(stop: Stop, at: Instant, others: readonly Instant[]): StopTimeDoubt[] {
  const epoch = epochOf(at)
  const minute = Math.floor(epoch / 60_000)
  const range = stop.termin && stop.timeZone ? terminRange(stop.termin, stop.timeZone) : null
  // A truck that comes within the hour before or after is no slip of the hand.
  const isOutside =
    range !== null && (epoch < epochOf(range.startAt) - 3_600_000 || epoch > epochOf(range.endAt) + 3_600_000)
  const isSame = others.some((other) => Math.floor(epochOf(other) / 60_000) === minute)
  return [...(isOutside ? ['outside_termin' as const] : []), ...(isSame ? ['same_minute' as const] : [])]
}

/**
 * The time that is proposed for a stop: when it was planned, else when it was due, where that has come; else now. To
 * the minute, RFC 3339.
 */
export function proposedStopTime(stop: Stop, now: Instant): string {
  const due = stop.termin?.timeFrom && stop.timeZone ? terminRange(stop.termin, stop.timeZone).startAt : null
  const known = [stop.plannedAt, due].find((at) => at != null && epochOf(at) <= epochOf(now))
  return new Date(Math.floor(epochOf(known ?? now) / 60_000) * 60_000).toISOString()
}
