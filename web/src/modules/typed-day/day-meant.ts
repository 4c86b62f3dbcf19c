import type { Language } from '@waybill/contract/errors'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { readDay } from '../../kit/i18n/day-text.ts'

/**
 * Which year a day without one lies in: `near` is the one next to today, for what may lie behind; `ahead` the first
 * from today, for what is still to come.
 */
export type YearMeant = 'near' | 'ahead'

/** The day that a text means, read as the times of stops are (`30.11`, `+2`, `mo`); null where it is none. */
export function dayMeant(text: string, year: YearMeant, today: string, language: Language): string | null {
  const near = year === 'near' ? readDay(text, today) : null
  if (near !== null) return near
  const read = parseTermin(text, { today, language })
  return read === null || read.timeFrom != null || read.dateTo != null ? null : read.dateFrom
}
