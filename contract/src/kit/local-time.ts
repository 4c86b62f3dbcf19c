import { dateTimeFormat } from './intl.ts'

const DAY = 86_400_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2})$/

const clockIn = (zone: string): Intl.DateTimeFormat =>
  dateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

const clocks = new Map<string, number>()

// Some megabytes at most.
const MOST_CLOCKS = 20_000

/** The wall clock of a zone at an epoch millisecond, written as if it were UTC. */
function wallClock(epoch: number, zone: string): number {
  const key = `${epoch} ${zone}`
  const known = clocks.get(key)
  if (known !== undefined) return known
  // A table of orders asks for the same few days and hours again and again, and each answer costs 20 µs.
  if (clocks.size >= MOST_CLOCKS) clocks.clear()
  const clock = readClock(epoch, zone)
  clocks.set(key, clock)
  return clock
}

function readClock(epoch: number, zone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of clockIn(zone).formatToParts(epoch)) parts[type] = Number(value)
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second)
}

const offsetAt = (epoch: number, zone: string): number => wallClock(epoch, zone) - Math.floor(epoch / 1000) * 1000

const utcOf = (date: string): number => {
  const match = DATE.exec(date)
  const epoch = match ? Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) : Number.NaN
  if (Number.isNaN(epoch) || new Date(epoch).toISOString().slice(0, 10) !== date)
    throw new RangeError(`no such date: ${date}`)
  return epoch
}

/** An instant as a Date or in RFC 3339. */
export type Instant = Date | string

export const epochOf = (instant: Instant): number =>
  typeof instant === 'string' ? Date.parse(instant) : instant.getTime()

/** True for a date `YYYY-MM-DD` that is in the calendar: not 2026-02-30. */
export function isRealDate(date: string): boolean {
  try {
    utcOf(date)
    return true
  } catch {
    return false
  }
}

// The same moment of the calendar and the clock, written as if the zone had no offset.
function wantedOf(date: string, time: string): number {
  const match = TIME.exec(time)
  if (!match || Number(match[1]) > 23 || Number(match[2]) > 59) throw new RangeError(`no such time: ${time}`)
  return utcOf(date) + Number(match[1]) * 3_600_000 + Number(match[2]) * 60_000
}

// No zone changes twice within two days, so these are the readings before and after any change nearby.
const readingsOf = (wanted: number, zone: string): readonly [number, number] => [
  wanted - offsetAt(wanted - DAY, zone),
  wanted - offsetAt(wanted + DAY, zone),
]

/**
 * Every instant (RFC 3339, UTC, the earlier first) at which a local date `YYYY-MM-DD` and time `HH:MM` fall in an IANA
 * zone: none for a time that the clocks skip, two for one that comes twice. Throws RangeError where date, time or zone
 * do not exist.
 */
export function instantsAt(date: string, time: string, zone: string): string[] {
  const wanted = wantedOf(date, time)
  const fitting = new Set(readingsOf(wanted, zone).filter((epoch) => wallClock(epoch, zone) === wanted))
  return [...fitting].toSorted((a, b) => a - b).map((epoch) => new Date(epoch).toISOString())
}

/**
 * The instant (RFC 3339, UTC) at which a local date `YYYY-MM-DD` and time `HH:MM` fall in an IANA zone.
 * A time that the clocks skip moves forward by as much as they skip (02:30 → 03:30); of a time that comes twice it is
 * the earlier. Throws RangeError where date, time or zone do not exist.
 */
export const instantOf = (date: string, time: string, zone: string): string =>
  instantsAt(date, time, zone)[0] ?? new Date(readingsOf(wantedOf(date, time), zone)[0]).toISOString()

/**
 * Where the clocks skip a local time: what they show that long before and after it (`{earlier, later}`, `HH:MM`);
 * null for a time that there is. Throws RangeError where date, time or zone do not exist.
 */
export function aroundSkipped(date: string, time: string, zone: string): { earlier: string; later: string } | null {
  if (instantsAt(date, time, zone).length > 0) return null
  const [later, earlier] = readingsOf(wantedOf(date, time), zone)
  return {
    earlier: localOf(new Date(earlier), zone).time,
    later: localOf(new Date(later), zone).time,
  }
}

/** The local date and time `{date, time}` of an instant in an IANA zone; seconds are cut off. */
export function localOf(instant: Instant, zone: string): { date: string; time: string } {
  const text = new Date(wallClock(epochOf(instant), zone)).toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 16) }
}

/** The first instant of a local day; not always 00:00, where the clocks change at midnight. */
export const startOfDay = (date: string, zone: string): string => instantOf(date, '00:00', zone)

/** The last millisecond of a local day: still the same date wherever it is shown, after 23, 24 or 25 hours. */
export const endOfDay = (date: string, zone: string): string =>
  new Date(Date.parse(startOfDay(addDays(date, 1), zone)) - 1).toISOString()

/** The date so many days later (or, negative, earlier). */
export const addDays = (date: string, days: number): string =>
  new Date(utcOf(date) + days * DAY).toISOString().slice(0, 10)

/** ISO 8601: Monday is 1, Sunday 7. */
export const weekdayOf = (date: string): number => new Date(utcOf(date)).getUTCDay() || 7

/** Easter Sunday of a year of the Gregorian calendar, `YYYY-MM-DD`. Source: the anonymous computus of 1876. */
export function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const d = b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + d + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const day = h + l - 7 * m + 114
  return `${year}-${String(Math.floor(day / 31)).padStart(2, '0')}-${String((day % 31) + 1).padStart(2, '0')}`
}

/**
 * Easter Sunday of the Orthodox churches, `YYYY-MM-DD` of the Gregorian calendar, for the years 1900 to 2099. Source:
 * Meeus, Astronomical Algorithms, chapter 8.
 */
export function orthodoxEaster(year: number): string {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  // From 22 March of the Julian calendar, thirteen days later in the Gregorian one.
  return addDays(`${year}-04-04`, d + e)
}
