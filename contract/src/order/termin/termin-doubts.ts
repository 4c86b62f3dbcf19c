import type { FieldErrorCode } from '../../errors.ts'
import { isHoliday } from './holidays.ts'
import { aroundSkipped, epochOf, instantsAt, weekdayOf } from '../../kit/local-time.ts'
import { isDropOff, isPickUp, type CargoAction, type Stop } from '../schedule.ts'
import { terminRange, type Termin } from './termin.ts'

/** A termin that may be meant so and looks like a slip: it is shown, and refused by nobody. */
export type TerminDoubt = Extract<FieldErrorCode, 'before_pick_up' | 'on_sunday' | 'on_holiday' | 'comes_twice'>

/** A stop, and the country in which it lies (ISO 3166-1 alpha-2) where that is known. */
export type StopInCountry = Stop & { readonly countryCode?: string | null }

/** The parts of a termin that are times, each with the day that it belongs to. */
const timesOf = ({ dateFrom, timeFrom, dateTo, timeTo }: Termin) =>
  [
    { field: 'timeFrom', date: dateFrom, time: timeFrom },
    { field: 'timeTo', date: dateTo ?? dateFrom, time: timeTo },
  ] as const

const sameCargo = (one: CargoAction, other: CargoAction): boolean =>
  (one.cargoId != null && one.cargoId === other.cargoId) || (one.cargoKey != null && one.cargoKey === other.cargoKey)

/** A stop, and the instants between which it is due; null for one that does not count. */
interface Due {
  stop: StopInCountry
  range: ReturnType<typeof terminRange> | null
}

// Before the zone of a new stop is known, its clock is taken for everybody's.
const dueOf = (stop: StopInCountry): Due => ({
  stop,
  range: stop.termin && !stop.canceledAt ? terminRange(stop.termin, stop.timeZone ?? 'UTC') : null,
})

/** A time of a termin that the clocks skip there, and what they show around it. */
export interface SkippedTime {
  field: 'timeFrom' | 'timeTo'
  earlier: string
  later: string
}

/** The times of a termin that the clocks of its stop's IANA zone skip. */
export const skippedTimes = (termin: Termin, zone: string): SkippedTime[] =>
  timesOf(termin).flatMap(({ field, date, time }) => {
    const around = time === null ? null : aroundSkipped(date, time, zone)
    return around === null ? [] : [{ field, ...around }]
  })

/** A drop-off that ends before what is dropped off there can have been picked up. */
function isBeforePickUp({ stop, range }: Due, place: number, all: readonly Due[]): boolean {
  if (range === null || !isDropOff(stop)) return false
  const dropped = stop.cargoActions?.filter(({ action }) => action === 'DROP_OFF') ?? []
  return all.some(({ stop: other, range: from }, index) => {
    if (from === null || index === place || !isPickUp(other)) return false
    const isOurs =
      dropped.length === 0
        ? index < place
        : other.cargoActions?.some(
            (action) => action.action === 'PICK_UP' && dropped.some((one) => sameCargo(one, action)),
          )
    return isOurs === true && epochOf(range.endAt) < epochOf(from.startAt)
  })
}

/** The only day on which a stop is due; null for several, or none. */
const onlyDay = (termin: Termin): string | null =>
  termin.dateTo === null || termin.dateTo === termin.dateFrom ? termin.dateFrom : null

/**
 * What is doubtful about the termin of each stop (`stops` in the order in which they are driven): a drop-off before
 * its pick-up, a Sunday, a public holiday of the stop's country, a time that the clocks show twice that night.
 */
export function terminDoubts(stops: readonly StopInCountry[]): TerminDoubt[][] {
  const all = stops.map(dueOf)
  return all.map((due, place) => {
    const { stop } = due
    const { termin, timeZone, countryCode } = stop
    if (!termin || stop.canceledAt) return []
    const day = onlyDay(termin)
    const isTwice =
      timeZone != null &&
      timesOf(termin).some(({ date, time }) => time !== null && instantsAt(date, time, timeZone).length > 1)
    const isOnHoliday = day !== null && countryCode != null && isHoliday(countryCode, day)
    return [
      ...(isBeforePickUp(due, place, all) ? ['before_pick_up' as const] : []),
      ...(isOnHoliday ? ['on_holiday' as const] : []),
      ...(!isOnHoliday && day !== null && weekdayOf(day) === 7 ? ['on_sunday' as const] : []),
      ...(isTwice ? ['comes_twice' as const] : []),
    ]
  })
}
