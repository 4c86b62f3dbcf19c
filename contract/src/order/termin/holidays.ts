import { addDays, easterSunday, orthodoxEaster } from '../../kit/local-time.ts'

interface Holidays {
  days: string
  easter: readonly number[]
}

/**
 * The public holidays of whole countries: days of the year as `MM-DD`, and days counted from Easter Sunday. Those of
 * single regions, and days that replace one that falls on a Sunday, are not told. Source: the holiday laws of the
 * countries, as of 2026.
 */
const HOLIDAYS: Readonly<Record<string, Holidays>> = {
  AT: { days: '01-01 01-06 05-01 08-15 10-26 11-01 12-08 12-25 12-26', easter: [1, 39, 50, 60] },
  BE: { days: '01-01 05-01 07-21 08-15 11-01 11-11 12-25', easter: [1, 39, 50] },
  CH: { days: '01-01 08-01 12-25', easter: [39] },
  CZ: { days: '01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26', easter: [-2, 1] },
  DE: { days: '01-01 05-01 10-03 12-25 12-26', easter: [-2, 1, 39, 50] },
  DK: { days: '01-01 12-25 12-26', easter: [-3, -2, 1, 39, 50] },
  EE: { days: '01-01 02-24 05-01 06-23 06-24 08-20 12-24 12-25 12-26', easter: [-2] },
  ES: { days: '01-01 01-06 05-01 08-15 10-12 11-01 12-06 12-08 12-25', easter: [-2] },
  FI: { days: '01-01 01-06 05-01 12-06 12-25 12-26', easter: [-2, 1, 39] },
  FR: { days: '01-01 05-01 05-08 07-14 08-15 11-01 11-11 12-25', easter: [1, 39, 50] },
  GB: { days: '01-01 12-25 12-26', easter: [-2, 1] },
  HR: { days: '01-01 01-06 05-01 05-30 06-22 08-05 08-15 11-01 11-18 12-25 12-26', easter: [1, 60] },
  HU: { days: '01-01 03-15 05-01 08-20 10-23 11-01 12-25 12-26', easter: [-2, 1, 50] },
  IE: { days: '01-01 03-17 12-25 12-26', easter: [1] },
  IT: { days: '01-01 01-06 04-25 05-01 06-02 08-15 10-04 11-01 12-08 12-25 12-26', easter: [1] },
  LT: { days: '01-01 02-16 03-11 05-01 06-24 07-06 08-15 11-01 11-02 12-24 12-25 12-26', easter: [1] },
  LU: { days: '01-01 05-01 05-09 06-23 08-15 11-01 12-25 12-26', easter: [1, 39, 50] },
  LV: { days: '01-01 05-01 05-04 06-23 06-24 11-18 12-24 12-25 12-26 12-31', easter: [-2, 1] },
  NL: { days: '01-01 04-27 12-25 12-26', easter: [1, 39, 50] },
  NO: { days: '01-01 05-01 05-17 12-25 12-26', easter: [-3, -2, 1, 39, 50] },
  PL: { days: '01-01 01-06 05-01 05-03 08-15 11-01 11-11 12-24 12-25 12-26', easter: [1, 49, 60] },
  PT: { days: '01-01 04-25 05-01 06-10 08-15 10-05 11-01 12-01 12-08 12-25', easter: [-2, 60] },
  RO: {
    days: '01-01 01-02 01-06 01-07 01-24 05-01 06-01 08-15 11-30 12-01 12-25 12-26',
    easter: [-2, 1, 50],
  },
  SE: { days: '01-01 01-06 05-01 06-06 12-25 12-26', easter: [-2, 1, 39] },
  SI: { days: '01-01 01-02 02-08 04-27 05-01 05-02 06-25 08-15 10-31 11-01 12-25 12-26', easter: [1] },
  SK: { days: '01-01 01-06 05-01 07-05 08-29 11-01 12-24 12-25 12-26', easter: [-2, 1] },
}

/** The public holiday of a whole country on a date: its day of the year, or its place from Easter Sunday. */
export type Holiday = { day: string } | { fromEaster: number }

/**
 * The public holiday of a whole country (ISO 3166-1 alpha-2) on a date `YYYY-MM-DD`, as far as it is known; null where
 * there is none. A day of the year counts before one of Easter, where both fall on one date.
 */
export function holidayOn(countryCode: string, date: string): Holiday | null {
  const known = HOLIDAYS[countryCode]
  if (known === undefined) return null
  const day = date.slice(5)
  if (known.days.includes(day)) return { day }
  const year = Number(date.slice(0, 4))
  // The only one here that keeps Easter by the Julian calendar.
  const easter = countryCode === 'RO' ? orthodoxEaster(year) : easterSunday(year)
  const fromEaster = known.easter.find((days) => addDays(easter, days) === date)
  return fromEaster === undefined ? null : { fromEaster }
}

/** Whether a date `YYYY-MM-DD` is a public holiday of a whole country (ISO 3166-1 alpha-2), as far as it is known. */
export const isHoliday = (countryCode: string, date: string): boolean => holidayOn(countryCode, date) !== null
