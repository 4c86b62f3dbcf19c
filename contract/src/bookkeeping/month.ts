import { addDays } from '../kit/local-time.ts'

/** The first and the last day of a month `YYYY-MM`. */
export function daysOfMonth(month: string): { from: string; to: string } {
  return { from: `${month}-01`, to: addDays(`${monthAfter(month, 1)}-01`, -1) }
}

/** The month so many months after this one, or before it. */
export function monthAfter(month: string, by: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** The first day of the fiscal year that a month is in, where fiscal years begin with month 1 to 12. */
export function fiscalYearOf(month: string, beginsWith: number): string {
  const year = Number(month.slice(0, 4)) - (Number(month.slice(5)) < beginsWith ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(beginsWith).padStart(2, '0')}-01`
}
