import { z } from 'zod'
import { issue, localDate, localTime } from '../../kit/fields.ts'
import { endOfDay, instantOf, startOfDay } from '../../kit/local-time.ts'

/** Spec §3: by a moment, at a moment, or within a period. */
export const TERMIN_KINDS = ['before', 'fix', 'period'] as const
export type TerminKind = (typeof TERMIN_KINDS)[number]

const optionalDate = localDate.nullable().default(null)
const optionalTime = localTime.nullable().default(null)

/**
 * When a stop is due, as local date and time at the stop (domain, Location).
 * `before` and `fix` use `dateFrom` and `timeFrom` alone. `period` ends at `dateTo` (the same day if left out) and
 * `timeTo`; one of the two is needed. No time = the whole day, or until its end.
 */
export const termin = z
  .strictObject({
    kind: z.enum(TERMIN_KINDS),
    dateFrom: localDate,
    timeFrom: optionalTime,
    dateTo: optionalDate,
    timeTo: optionalTime,
  })
  .superRefine((value, context) => {
    const { kind, dateFrom, timeFrom, dateTo, timeTo } = value
    if (kind !== 'period') {
      if (dateTo !== null) context.addIssue(issue('invalid_value', ['dateTo']))
      if (timeTo !== null) context.addIssue(issue('invalid_value', ['timeTo']))
      return
    }
    if (dateTo === null && timeTo === null) context.addIssue(issue('required', ['dateTo']))
    else if (dateTo !== null && dateTo < dateFrom) context.addIssue(issue('ends_before_start', ['dateTo']))
    else if ((dateTo ?? dateFrom) === dateFrom && timeFrom !== null && timeTo !== null && timeTo < timeFrom)
      context.addIssue(issue('ends_before_start', ['timeTo']))
  })
export type Termin = z.output<typeof termin>

/**
 * The instants between which a stop is due, `{startAt, endAt}` in RFC 3339. No time given = the whole local day, to
 * its last millisecond. A `before` has no start of its own: it counts from the beginning of its day. `zone` is the
 * stop's IANA zone.
 */
export function terminRange(value: Termin, zone: string): { startAt: string; endAt: string } {
  const { kind, dateFrom, timeFrom, dateTo, timeTo } = value
  const first = timeFrom === null ? null : instantOf(dateFrom, timeFrom, zone)
  if (kind === 'before') return { startAt: startOfDay(dateFrom, zone), endAt: first ?? endOfDay(dateFrom, zone) }
  const startAt = first ?? startOfDay(dateFrom, zone)
  if (kind === 'fix') return { startAt, endAt: first ?? endOfDay(dateFrom, zone) }
  const lastDay = dateTo ?? dateFrom
  const endAt = timeTo === null ? endOfDay(lastDay, zone) : instantOf(lastDay, timeTo, zone)
  // A start that the clocks skip moves forward, maybe past the end.
  return { startAt, endAt: endAt < startAt ? startAt : endAt }
}
