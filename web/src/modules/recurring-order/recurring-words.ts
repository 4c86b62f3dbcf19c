import { addDays } from '@waybill/contract/kit/local-time'
import type { Termin } from '@waybill/contract/order/termin/termin'
import type { LeftOut } from '@waybill/contract/order/recurring/pattern'
import type { RecurringState } from '@waybill/contract/order/recurring/recurring-order'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { StatusLook } from '../../ui/marks/status-badge.tsx'
import type { HistoryWords } from '../audit-entry/history-list-section.ts'

/** Which colour a state wears. */
export const RECURRING_LOOKS: Readonly<Record<RecurringState, StatusLook>> = {
  active: 'approved',
  paused: 'created',
  ended: 'canceled',
}

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const A_SUNDAY = '2026-01-04'

const joined = (days: readonly number[]): (readonly [number, number])[] => {
  const runs: [number, number][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.[1] === day - 1) last[1] = day
    else runs.push([day, day])
  }
  return runs
}

/** Weekdays, short and long, and several of them in short: `Mon–Fri`, `Tue, Thu`. */
export function useWeekdays() {
  const { i18n } = useTranslation()
  const named = (day: number, weekday: 'short' | 'long') =>
    new Intl.DateTimeFormat(i18n.language, { weekday, timeZone: 'UTC' }).format(new Date(addDays(A_SUNDAY, day)))
  const short = (day: number) => named(day, 'short')
  return {
    short,
    long: (day: number) => named(day, 'long'),
    several: (days: readonly number[]) =>
      joined(days)
        .map(([first, last]) =>
          first === last ? short(first) : `${short(first)}${last === first + 1 ? ', ' : '–'}${short(last)}`,
        )
        .join(', '),
  }
}

/** Why a day is left out, in words: the holiday, and the country that has it. */
export function useLeftOutWords(): (why: LeftOut) => string {
  const { t, i18n } = useTranslation('recurring-order')
  const format = useFormat()
  return (why) => {
    if (why.by === 'hand') return t('preview.byHand')
    const { countryCode, date, holiday } = why
    const key = 'day' in holiday ? holiday.day.replace('-', '') : `e${holiday.fromEaster}`.replace('-', 'm')
    // What a country calls its own day, before what many call that day.
    const own = `holidays.${countryCode}${key}`
    const name = t(i18n.exists(own, { ns: 'recurring-order' }) ? own : `holidays.${key}`, {
      defaultValue: t('holidays.any'),
    })
    const country = new Intl.DisplayNames([i18n.language], { type: 'region' }).of(countryCode) ?? countryCode
    return t('preview.holiday', { name, country, date: format.date(date) })
  }
}

/** Hours of a stop, as they recur. */
export function timesOf({ kind, dateFrom, timeFrom, dateTo, timeTo }: Termin): string {
  if (kind !== 'period') return timeFrom ?? ''
  const isOneDay = dateTo === null || dateTo === dateFrom
  return isOneDay && (timeFrom !== null || timeTo !== null)
    ? `${timeFrom ?? '00:00'}–${timeTo ?? '24:00'}`
    : (timeFrom ?? '')
}

const DAYS = ['fromDay', 'untilDay', 'day']

/** How the history of a recurring order calls its fields, and says what stood in them. */
export function useHistoryWords(): HistoryWords {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const weekdays = useWeekdays()
  return {
    labelOf: (path) => t(`historyFields.${path}`, { defaultValue: path }),
    wordsOf: (path, value) => {
      if (value === null || value === undefined || value === '') return ''
      if (path === 'weekdays') return weekdays.several(String(value).split(',').map(Number))
      if (path === 'leftOut') return String(value).split(',').map(format.date).join(', ')
      if (path === 'skipsHolidays' || path === 'tellsCustomer') return t(value === true ? 'yes' : 'no')
      if (DAYS.includes(path)) return format.date(String(value))
      return typeof value === 'number' ? format.number(value) : String(value)
    },
  }
}
