import type { Language } from '@waybill/contract/errors'
import { aroundSkipped, instantsAt, localOf } from '@waybill/contract/kit/local-time'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { readTime } from './stop-words.ts'

interface Here {
  /** The stop's */
  zone: string
  /** The day that a time alone means */
  day: string
  today: string
  language: Language
}

/**
 * Reads a moment at a stop as people type it: `2.12 7:15`, `mo 8`, or a time alone, which then falls on `day`.
 * Answers the instant (of a time that the clocks show twice the first), null for nothing, undefined for what is no
 * moment, or one that the clocks skip.
 */
export function readInstant(typed: string, here: Here): string | null | undefined {
  const moment = momentOf(typed, here)
  return moment ? instantsAt(moment.date, moment.time, here.zone)[0] : moment
}

/** What the clocks show around a typed moment that they skip; null for every other text. */
export function skippedAround(typed: string, here: Here): { earlier: string; later: string } | null {
  const moment = momentOf(typed, here)
  return moment ? aroundSkipped(moment.date, moment.time, here.zone) : null
}

/** Both instants of a moment that the clocks show twice, by one of them; none for every other. */
export function comesTwice(instant: string, zone: string): readonly string[] {
  const { date, time } = localOf(instant, zone)
  const both = instantsAt(date, time, zone)
  return both.length > 1 ? both : []
}

type Moment = { date: string; time: string }

function momentOf(typed: string, { day, today, language }: Here): Moment | null | undefined {
  if (typed.trim() === '') return null
  const termin = parseTermin(typed, { today, language })
  // `3.12` may be a day or a time: nobody guesses.
  const time = termin === null || !typed.includes('.') ? readTime(typed) : undefined
  if (time) return { date: day, time }
  if (termin === null || termin.timeFrom === null || termin.timeTo !== null) return undefined
  return { date: termin.dateFrom, time: termin.timeFrom }
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
