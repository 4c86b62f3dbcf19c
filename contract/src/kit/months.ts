import { z } from 'zod'
import { coded } from './fields.ts'

/** A longer period is refused: it would be compared with itself. */
export const MOST_REPORT_MONTHS = 12

const reportMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)
const monthNumber = (value: string): number => Number(value.slice(0, 4)) * 12 + Number(value.slice(5, 7))

/** The month so many months later, both as `2026-11`. */
export function shiftMonth(month: string, by: number): string {
  const number = monthNumber(month) - 1 + by
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`
}

/** The last day of a month, `2026-11-30`. */
export const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)

/** How many months a period has, both ends included. */
export const monthsBetween = (from: string, to: string): number => monthNumber(to) - monthNumber(from) + 1

/** Months of the last unloading, both included, in the zone of that place. */
export const periodFields = { from: reportMonth, to: reportMonth }

/** For the query of a report: its period is not turned round, and not too long. */
export const isPeriod = ({ from, to }: { from: string; to: string }): boolean => {
  const months = monthsBetween(from, to)
  return months >= 1 && months <= MOST_REPORT_MONTHS
}
export const wrongPeriod = { ...coded('invalid_value'), path: ['to'] }
