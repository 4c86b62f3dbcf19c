import { localOf } from '@waybill/contract/kit/local-time'
import type { Words } from './words.ts'

/** When a stop is due, as it was typed in the order: local dates and times at the stop. */
interface Termin {
  kind: 'before' | 'fix' | 'period'
  dateFrom: string
  timeFrom: string | null
  dateTo: string | null
  timeTo: string | null
}

const joined = (day: string, time: string | null): string => (time === null ? day : `${day} ${time}`)

/** A moment by the clock of its stop: `Thu 3 Dec 09:50`. */
export function momentText(instant: string, timeZone: string, { format }: Pick<Words<never>, 'format'>): string {
  const { date, time } = localOf(instant, timeZone)
  return joined(format.shortWeekdayDate(date), time)
}

/** When a stop is due, as it was agreed: `Wed 2 Dec 06:00–14:00`, `Thu 3 Dec before 16:00`. */
export function terminText(termin: Termin, { t, format }: Words<'before' | 'beforeDay'>): string {
  const { kind, dateFrom, timeFrom, dateTo, timeTo } = termin
  const day = format.shortWeekdayDate(dateFrom)
  if (kind === 'before') return timeFrom === null ? t('beforeDay', { day }) : t('before', { day, time: timeFrom })
  if (kind === 'fix') return joined(day, timeFrom)
  if (dateTo === null || dateTo === dateFrom) return joined(day, `${timeFrom ?? '00:00'}–${timeTo ?? '24:00'}`)
  return `${joined(day, timeFrom)} – ${joined(format.shortWeekdayDate(dateTo), timeTo)}`
}
