import { addDays, weekdayOf } from '@waybill/contract/kit/local-time'
import { isHoliday } from '@waybill/contract/order/termin/holidays'
import type { LatePayment } from '@waybill/contract/reminder/terms'

const DAY_MS = 86_400_000
// A year has 365 days for interest by law, leap years too.
const YEAR_OF_BASIS_POINTS = 365n * 10_000n

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** The rate of a day in hundredths of a percent; null before the first one that is known, and where none is. */
export function rateOn({ aboveBp, rates }: LatePayment, day: string): number | null {
  const base = rates.findLast(({ from }) => from <= day)
  return base === undefined ? null : Math.max(0, base.baseBp + aboveBp)
}

/**
 * Until when what is due on a day can be paid without being late: where that is a Saturday, a Sunday or a public
 * holiday of the creditor's country, until the next working day (§ 193 BGB, § 903 ABGB, art. 115 k.c.).
 */
export function lastDayToPay(dueDate: string, countryCode: string): string {
  let day = dueDate
  while (weekdayOf(day) > 5 || isHoliday(countryCode, day)) day = addDays(day, 1)
  return day
}

/**
 * Interest for each day after the due date, the day of the reminder included, at the rate of that day. Days before the
 * first known rate bear none. Rounded once, half a cent up.
 */
export function interestOf(openCents: number, dueDate: string, asOf: string, terms: LatePayment): number {
  const first = dayOf(dueDate) + 1
  const end = dayOf(asOf) + 1
  const parts = terms.rates.map(({ from }, index) => {
    const next = terms.rates[index + 1]
    const days = Math.min(end, next === undefined ? end : dayOf(next.from)) - Math.max(first, dayOf(from))
    return BigInt(Math.max(0, days)) * BigInt(rateOn(terms, from)!)
  })
  const owed = BigInt(openCents) * parts.reduce((sum, part) => sum + part, 0n)
  return Number((2n * owed + YEAR_OF_BASIS_POINTS) / (2n * YEAR_OF_BASIS_POINTS))
}

/** The flat sum for an invoice of this amount. */
export const feeOf = (totalCents: number, { fees }: Pick<LatePayment, 'fees'>): number =>
  fees.findLast(({ fromCents }) => fromCents <= totalCents)?.feeCents ?? 0
