import type { Board, BoardSpan } from '@waybill/contract/order/planning/board'
import { addDays, localOf, startOfDay, weekdayOf } from '@waybill/contract/kit/local-time'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface DayColumn {
  /** local, `YYYY-MM-DD` */
  date: string
  start: number
  end: number
  isWeekend: boolean
}

/** The days of the board and where a moment stands on it: a day is as long as it is, also when the clocks change. */
export function scaleOf({ startAt, endAt, timeZone }: Pick<Board, 'startAt' | 'endAt' | 'timeZone'>, days: BoardSpan) {
  const [start, end] = [Date.parse(startAt), Date.parse(endAt)]
  const first = localOf(startAt, timeZone).date
  const columns = Array.from({ length: days }, (_, index): DayColumn => {
    const date = addDays(first, index)
    return {
      date,
      start: Date.parse(startOfDay(date, timeZone)),
      end: Date.parse(startOfDay(addDays(date, 1), timeZone)),
      isWeekend: weekdayOf(date) > 5,
    }
  })
  const percent = (at: number): number => ((at - start) / (end - start)) * 100
  return {
    start,
    end,
    columns,
    /** percent from the left; below 0 or above 100 where it is not shown */
    percent,
    /** left and width of what is shown of a span; null where nothing is */
    box(from: number, to: number): { left: number; width: number; isCutLeft: boolean; isCutRight: boolean } | null {
      const [left, right] = [percent(Math.max(from, start)), percent(Math.min(to, end))]
      return from >= end || to <= start
        ? null
        : { left, width: right - left, isCutLeft: from < start, isCutRight: to > end }
    },
    /** the moment at a share of the width, on the step of the scale */
    at(share: number): number {
      const step = stepOf(days)
      return Math.round((start + share * (end - start)) / step) * step
    },
  }
}
export type TimeScale = ReturnType<typeof scaleOf>

/** How finely a pointer plans: a quarter of an hour on a day, else half an hour. */
const stepOf = (days: BoardSpan): number => (days === 1 ? 15 : 30) * MINUTE

/** What the arrow keys move by: an hour, with Shift a day. */
export const KEY_STEP = HOUR
export const KEY_DAY = 24 * HOUR

/** The first day of the span that a day lies in: weeks begin on Monday. */
export const firstDayOf = (day: string, days: BoardSpan): string =>
  days === 1 ? day : addDays(day, 1 - weekdayOf(day))

/** The number of a week (ISO 8601), by its Monday. */
export function weekNumber(monday: string): number {
  const thursday = addDays(monday, 3)
  const firstOfYear = `${thursday.slice(0, 4)}-01-01`
  return 1 + Math.floor((Date.parse(thursday) - Date.parse(firstOfYear)) / (7 * 24 * HOUR))
}
