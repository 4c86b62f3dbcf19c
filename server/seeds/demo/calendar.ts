import { addDays, instantOf, localOf, weekdayOf } from '@waybill/contract/kit/local-time'
import type { Random } from './random.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const iso = (epoch: number): string => new Date(epoch).toISOString()
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY)

// Days on which a forwarder's phone is silent all over the continent.
const QUIET = new Set(['12-25', '12-26', '01-01', '05-01'])

const isWorkday = (date: string): boolean => weekdayOf(date) <= 5 && !QUIET.has(date.slice(5))

/** The next working day after so many; 0 = the day itself, or the first one after it. */
export function workdayAfter(date: string, days: number): string {
  let day = date
  for (let rest = days; rest > 0 || !isWorkday(day); day = addDays(day, 1)) if (isWorkday(day)) rest -= 1
  return day
}

export function workdayBefore(date: string, days: number): string {
  let day = date
  for (let rest = days; rest > 0 || !isWorkday(day); day = addDays(day, -1)) if (isWorkday(day)) rest -= 1
  return day
}

const pad = (value: number): string => String(value).padStart(2, '0')
export const clock = (hours: number, minutes = 0): string => `${pad(hours)}:${pad(minutes)}`

/** A moment of that day at which somebody sits in the office. */
export const inOfficeHours = (random: Random, date: string, zone: string): number =>
  Date.parse(instantOf(date, clock(random.int(7, 17), random.int(0, 59)), zone)) + random.int(0, 59_999)

/** The moment itself if somebody was in the office, else one shortly before the office closed. */
export function atDesk(random: Random, epoch: number, zone: string): number {
  const { date, time } = localOf(iso(epoch), zone)
  if (isWorkday(date) && time >= '06:30' && time < '18:30') return epoch
  const day = isWorkday(date) && time >= '18:30' ? date : workdayBefore(addDays(date, -1), 0)
  return Date.parse(instantOf(day, clock(16, random.int(0, 59)), zone)) + random.int(0, 59_999)
}

// Freight by month: quiet around the turn of the year and in August, busy in spring and autumn.
const SEASON = [0.72, 0.88, 1.05, 1.0, 1.0, 1.06, 0.95, 0.78, 1.1, 1.16, 1.18, 0.82]
const WEEKDAYS = [0, 1.08, 1, 1, 1.02, 0.95, 0.07, 0.02]

/** How much is loaded on a day against an ordinary one. */
export function dayWeight(date: string): number {
  const turn = date.slice(5) >= '12-24' || date.slice(5) <= '01-03' ? 0.2 : 1
  return (
    SEASON[Number(date.slice(5, 7)) - 1]! * WEEKDAYS[weekdayOf(date)]! * turn * (QUIET.has(date.slice(5)) ? 0.03 : 1)
  )
}

/** What freight costs in a month against the year: the market follows the season with less spread. */
export const priceSeason = (date: string): number => 1 + (SEASON[Number(date.slice(5, 7)) - 1]! - 1) * 0.3
