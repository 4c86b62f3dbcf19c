import { addDays, easterSunday, weekdayOf } from '../../kit/local-time.ts'
import { roundHalfAwayFromZero } from '../../kit/money.ts'

// Act of 18 January 1951 on days free from work, with 24 December since 2025.
const FREE_DAYS = ['01-01', '01-06', '05-01', '05-03', '08-15', '11-01', '11-11', '12-25', '12-26']
const CHRISTMAS_EVE = { day: '12-24', since: 2025 }
// Easter Monday and Corpus Christi; Easter and Whit Sunday are Sundays.
const FREE_AFTER_EASTER = [1, 60]

/** Whether a day `YYYY-MM-DD` is a working day in Poland: NBP publishes its table A then. */
export function isPolishWorkingDay(date: string): boolean {
  const [year, day] = [Number(date.slice(0, 4)), date.slice(5)]
  if (weekdayOf(date) > 5 || FREE_DAYS.includes(day)) return false
  if (day === CHRISTMAS_EVE.day && year >= CHRISTMAS_EVE.since) return false
  const easter = easterSunday(year)
  return FREE_AFTER_EASTER.every((days) => addDays(easter, days) !== date)
}

/** The first Polish working day after this one. */
export function nextPolishWorkingDay(date: string): string {
  let day = addDays(date, 1)
  while (!isPolishWorkingDay(day)) day = addDays(day, 1)
  return day
}

/**
 * The day of the table by which VAT on an amount in euros becomes złoty: the last working day before the tax point, or
 * before the invoice where that is earlier (Polish VAT Act, Art. 31a). The tax point of a carriage is its end, of a
 * customer that is billed by periods the end of the period (Art. 19a(3)).
 */
export function rateDay(taxPoint: string | null, invoiceDate: string): string {
  const earlier = taxPoint !== null && taxPoint < invoiceDate ? taxPoint : invoiceDate
  let day = addDays(earlier, -1)
  while (!isPolishWorkingDay(day)) day = addDays(day, -1)
  return day
}

/** The calendar month of a day, from its first day to its last: the period of customers that are billed by periods. */
export function monthOf(day: string): { from: string; to: string } {
  const from = `${day.slice(0, 7)}-01`
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) }
}

/** What one euro cost on a day; `rateE4` in ten-thousandths of a złoty, as NBP publishes it. */
export interface NbpRate {
  day: string
  tableNumber: string
  rateE4: number
}

/** The rate for what is due on a tax point; null: for all of an invoice. */
export interface TaxPointRate extends NbpRate {
  taxPoint: string | null
}

/** Cents of a euro in grosz, half away from zero. */
export const inGrosz = (cents: number, { rateE4 }: Pick<NbpRate, 'rateE4'>): number =>
  roundHalfAwayFromZero(BigInt(cents) * BigInt(rateE4), 10_000)

/** A rate as it is written: `4.2662`. */
export const rateText = (rateE4: number): string =>
  `${Math.trunc(rateE4 / 10_000)}.${String(rateE4 % 10_000).padStart(4, '0')}`
