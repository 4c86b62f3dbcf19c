import { epochOf, type Instant } from '../kit/local-time.ts'
import { expectedLoadingAt, expectedUnloadingAt, lastDropOff, nextPickUp, type Stop } from './schedule.ts'
import type { OrderStatus } from './status.ts'

export interface Delay {
  kind: 'sending' | 'delivery'
  /** when it should have been done, RFC 3339 */
  expectedAt: string
  /** started days, at least 1 */
  days: number
  /** started hours in all, at least 1; shown while the delay is under one day */
  hours: number
}

const HOUR = 3_600_000

/** Which statuses can be late, and in what. */
const LATE_IN: Readonly<Partial<Record<OrderStatus, Delay['kind']>>> = {
  scheduled: 'sending',
  in_transit: 'delivery',
  arrived: 'delivery',
}

/**
 * How late a status is against the two dates expected, or null (domain, Delays). Sending: scheduled, past the end of
 * the termin of the first pick-up not yet loaded. Delivery: in transit or arrived, past that of the last drop-off.
 */
export function delayAgainst(
  status: OrderStatus,
  expected: { readonly loadingAt: string | null; readonly unloadingAt: string | null },
  now: Instant,
): Delay | null {
  const kind = LATE_IN[status]
  const expectedAt = kind === 'sending' ? expected.loadingAt : kind === 'delivery' ? expected.unloadingAt : null
  if (kind === undefined || expectedAt === null) return null
  const late = epochOf(now) - epochOf(expectedAt)
  return late > 0 ? { kind, expectedAt, days: Math.ceil(late / (24 * HOUR)), hours: Math.ceil(late / HOUR) } : null
}

/** How late an order or a route is by its stops, or null. A stop without a termin or a zone is never late. */
export const delayOf = (
  { status, stops }: { status: OrderStatus; stops: readonly Stop[] },
  now: Instant,
): Delay | null =>
  delayAgainst(status, { loadingAt: expectedLoadingAt(stops), unloadingAt: expectedUnloadingAt(stops) }, now)

/** The stop that a delay is counted at: its time is told in that stop's zone. */
export const delayedStop = <One extends Stop>(stops: readonly One[], { kind }: Pick<Delay, 'kind'>): One | undefined =>
  kind === 'sending' ? nextPickUp(stops) : lastDropOff(stops)
