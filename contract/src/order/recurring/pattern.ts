import { addDays, weekdayOf } from '../../kit/local-time.ts'
import { isDropOff, isPickUp, type Stop } from '../schedule.ts'
import { holidayOn, type Holiday } from '../termin/holidays.ts'
import type { Termin } from '../termin/termin.ts'

/** On which days a recurring order is driven; days are dates `YYYY-MM-DD` of its first loading. */
export interface Pattern {
  /** ISO 8601: Monday is 1, Sunday 7 */
  readonly weekdays: readonly number[]
  readonly fromDay: string
  /** the last day; null: until it is ended */
  readonly untilDay: string | null
  /** 1: every week; weeks are counted from the one that `fromDay` is in, and begin on Monday */
  readonly everyWeeks: number
  readonly skipsHolidays: boolean
  /** by hand */
  readonly leftOut: readonly string[]
}

/** Where it is loaded first and unloaded last, as far as holidays are concerned. */
export interface PatternLane {
  readonly fromCountryCode: string
  readonly toCountryCode: string
  /** how many days after the first loading; 0 where no date says it */
  readonly unloadingAfterDays: number
}

/** Why a day of the pattern has no order: by hand, or because of a holiday on `date` in a country. */
export type LeftOut = { by: 'hand' } | { by: 'holiday'; countryCode: string; date: string; holiday: Holiday }

export interface PlannedDay {
  day: string
  leftOut: LeftOut | null
}

const DAY_MS = 86_400_000
/** No pattern is looked at further ahead than so: ten days of one in every four weeks, twice over. */
const LOOKED_AT_DAYS = 2 * 10 * 4 * 7

const daysFrom = (first: string, second: string): number =>
  Math.round((Date.parse(second) - Date.parse(first)) / DAY_MS)

const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day))

/** Whether the pattern falls on a day, whatever is left out. */
export const isPatternDay = ({ weekdays, fromDay, untilDay, everyWeeks }: Pattern, day: string): boolean =>
  day >= fromDay &&
  (untilDay === null || day <= untilDay) &&
  weekdays.includes(weekdayOf(day)) &&
  (daysFrom(mondayOf(fromDay), mondayOf(day)) / 7) % everyWeeks === 0

/**
 * The holiday that leaves a day out: of either country on the day of the first loading, else of the country of the last
 * unloading on the day of that.
 */
function holidayOf({ fromCountryCode, toCountryCode, unloadingAfterDays }: PatternLane, day: string): LeftOut | null {
  const looked = [
    [fromCountryCode, day],
    [toCountryCode, day],
    [toCountryCode, addDays(day, unloadingAfterDays)],
  ] as const
  for (const [countryCode, date] of looked) {
    const holiday = holidayOn(countryCode, date)
    if (holiday !== null) return { by: 'holiday', countryCode, date, holiday }
  }
  return null
}

/** Why a day of the pattern is left out; null where it is driven. */
export function leftOutOn(pattern: Pattern, lane: PatternLane, day: string): LeftOut | null {
  if (pattern.leftOut.includes(day)) return { by: 'hand' }
  return pattern.skipsHolidays ? holidayOf(lane, day) : null
}

/** The next so many days of the pattern from a day on, those that are left out among them. */
export function plannedDays(pattern: Pattern, lane: PatternLane, from: string, count: number): PlannedDay[] {
  const found: PlannedDay[] = []
  let day = from > pattern.fromDay ? from : pattern.fromDay
  for (let ahead = 0; ahead < LOOKED_AT_DAYS && found.length < count; ahead += 1) {
    if (pattern.untilDay !== null && day > pattern.untilDay) break
    if (isPatternDay(pattern, day)) found.push({ day, leftOut: leftOutOn(pattern, lane, day) })
    day = addDays(day, 1)
  }
  return found
}

/** The next day from `from` on that is driven and not among those that are made; null where there is none. */
export function nextDayOf(pattern: Pattern, lane: PatternLane, from: string, made: ReadonlySet<string>): string | null {
  const days = plannedDays(pattern, lane, from, LOOKED_AT_DAYS)
  return days.find(({ day, leftOut }) => leftOut === null && !made.has(day))?.day ?? null
}

type DatedStop = Stop & { readonly termin?: Termin | null }

/** The day from which an order's other dates are counted: that of its first loading, else its earliest. */
export function templateDayOf(stops: readonly DatedStop[]): string | null {
  const first = stops.find(isPickUp)?.termin?.dateFrom
  const dates = stops.flatMap(({ termin }) => termin?.dateFrom ?? [])
  return first ?? dates.toSorted()[0] ?? null
}

/** What decides which holidays count; null where no stop loads, or none unloads. */
export function laneOfStops(stops: readonly (DatedStop & { countryCode: string })[]): PatternLane | null {
  const [from, to] = [stops.find(isPickUp), stops.findLast(isDropOff)]
  if (from === undefined || to === undefined) return null
  const first = templateDayOf(stops)
  const last = to.termin?.dateTo ?? to.termin?.dateFrom
  return {
    fromCountryCode: from.countryCode,
    toCountryCode: to.countryCode,
    unloadingAfterDays: first === null || last === undefined ? 0 : Math.max(0, daysFrom(first, last)),
  }
}

/**
 * The stops of a template as they are driven on a day: all dates moved by as many days as the first loading is, local
 * times as they are. Where that has no date, it gets the day.
 */
export function stopsOnDay<One extends DatedStop>(stops: readonly One[], day: string): One[] {
  const base = templateDayOf(stops)
  const shift = base === null ? 0 : daysFrom(base, day)
  const first = stops.findIndex(isPickUp)
  return stops.map((stop, index) => {
    const { termin } = stop
    if (!termin) {
      if (index !== first) return stop
      return { ...stop, termin: { kind: 'fix', dateFrom: day, timeFrom: null, dateTo: null, timeTo: null } }
    }
    return {
      ...stop,
      termin: {
        ...termin,
        dateFrom: addDays(termin.dateFrom, shift),
        dateTo: termin.dateTo === null ? null : addDays(termin.dateTo, shift),
      },
    }
  })
}
