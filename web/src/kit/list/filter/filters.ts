import type { CompactApi } from '../reference/references.ts'

interface FilterBase {
  /** The field of the contract's list query */
  name: string
  /** In the person's language */
  label: string
}

/**
 * A filter that a person may set, as data: several of a few, several records, a span of days, a
 * text, or one that is on or off.
 */
export type ListFilter =
  | (FilterBase & { kind: 'choices'; choices: readonly { value: string; label: string }[] })
  | (FilterBase & { kind: 'records'; api: CompactApi })
  | (FilterBase & { kind: 'days' })
  | (FilterBase & { kind: 'text' })
  | (FilterBase & { kind: 'flag' })

/** A span of local days, both ends included; either may be missing. */
export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

/** The spans that people ask for most, from today on, with weeks that begin on Monday. */
export const DAY_SPANS = ['today', 'tomorrow', 'thisWeek', 'nextWeek', 'thisMonth', 'lastMonth'] as const
export type DaySpan = (typeof DAY_SPANS)[number]

/** The days of a span. `today` is a local date. */
export function daysOf(span: DaySpan, today: string): Required<DayRange> {
  const day = (days: number) => shifted(today, days)
  // getUTCDay counts from Sunday.
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const [year, month] = today.split('-').map(Number) as [number, number]
  const monthDay = (plus: number, dayOfMonth: number) =>
    new Date(Date.UTC(year, month - 1 + plus, dayOfMonth)).toISOString().slice(0, 10)
  switch (span) {
    case 'today':
      return { from: today, to: today }
    case 'tomorrow':
      return { from: day(1), to: day(1) }
    case 'thisWeek':
      return { from: day(-weekday), to: day(6 - weekday) }
    case 'nextWeek':
      return { from: day(7 - weekday), to: day(13 - weekday) }
    case 'thisMonth':
      return { from: monthDay(0, 1), to: monthDay(1, 0) }
    case 'lastMonth':
      return { from: monthDay(-1, 1), to: monthDay(0, 0) }
  }
}

function shifted(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + by)
  return date.toISOString().slice(0, 10)
}

/** Today where the person sits, as a local date. */
export function localToday(now: Date = new Date()): string {
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
}
