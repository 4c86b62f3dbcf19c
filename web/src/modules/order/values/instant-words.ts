import type { Language } from '@waybill/contract/errors'
import { instantOf, localOf } from '@waybill/contract/kit/local-time'
import { parseTermin } from '@waybill/contract/order/termin-text'
import { readTime } from './stop-words.ts'

/**
 * Reads a moment at a stop as people type it: `2.12 7:15`, `mo 8`, or a time alone, which then falls on `day`.
 * Answers the instant, null for nothing, undefined for what is no moment.
 */
export function readInstant(
  typed: string,
  { zone, day, today, language }: { zone: string; day: string; today: string; language: Language },
): string | null | undefined {
  if (typed.trim() === '') return null
  const termin = parseTermin(typed, { today, language })
  // `3.12` may be a day or a time: nobody guesses.
  const time = termin === null || !typed.includes('.') ? readTime(typed) : undefined
  if (time) return instantOf(day, time, zone)
  if (termin === null || termin.timeFrom === null || termin.timeTo !== null) return undefined
  return instantOf(termin.dateFrom, termin.timeFrom, zone)
}

/** A moment as one would type it, to be edited. */
export function instantTyped(instant: string, zone: string): string {
  const { date, time } = localOf(instant, zone)
  return `${date.split('-').toReversed().join('.')} ${time}`
}

/** True for what is an instant, and not a text that could not be read. */
export const isInstant = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))

/** Now, as an instant; nobody writes seconds into a CMR note. */
export function thisMinute(): string {
  const now = new Date()
  now.setSeconds(0, 0)
  return now.toISOString()
}
