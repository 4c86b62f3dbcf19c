import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import type { StopValues } from '../values/draft.ts'

/** Today where the person sits: what `+2` and `mo` count from. */
export const todayHere = (): string => localOf(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone).date

/**
 * What a typed time means for the stop: a termin, nothing, or a text that was not understood; that stays
 * beside what was known `before`.
 */
export function readTermin(
  text: string,
  language: Language,
  before: Termin | null,
): Pick<StopValues, 'termin' | 'terminText'> {
  if (text.trim() === '') return { termin: null, terminText: null }
  const termin = parseTermin(text, { today: todayHere(), language })
  return termin === null ? { termin: before, terminText: text } : { termin, terminText: null }
}
