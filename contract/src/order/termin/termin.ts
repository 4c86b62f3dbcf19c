import { z } from 'zod'
import type { FormErrorCode } from '../../errors.ts'
import { isLocalDate, isLocalTime, issue, localDate, localTime } from '../../kit/fields.ts'
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
    for (const [field, code] of faultsIn(value)) context.addIssue(issue(code, [field]))
  })
export type Termin = z.output<typeof termin>

/** What does not go together in a termin of real days and times. */
function faultsIn({ kind, dateFrom, timeFrom, dateTo, timeTo }: Termin): [keyof Termin, FormErrorCode][] {
  if (kind !== 'period') {
    const tooMuch = { dateTo, timeTo }
    return (['dateTo', 'timeTo'] as const)
      .filter((field) => tooMuch[field] !== null)
      .map((one) => [one, 'invalid_value'])
  }
  if (dateTo === null && timeTo === null) return [['dateTo', 'required']]
  if (dateTo !== null && dateTo < dateFrom) return [['dateTo', 'ends_before_start']]
  const isSameDay = (dateTo ?? dateFrom) === dateFrom
  return isSameDay && timeFrom !== null && timeTo !== null && timeTo < timeFrom ? [['timeTo', 'ends_before_start']] : []
}

/** The same as the shape says, of a termin that was worked out, where nothing has fetched what checks shapes. */
export const isTermin = (value: Termin): boolean =>
  [value.dateFrom, value.dateTo].every((date) => date === null || isLocalDate(date)) &&
  [value.timeFrom, value.timeTo].every((time) => time === null || isLocalTime(time)) &&
  faultsIn(value).length === 0

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
