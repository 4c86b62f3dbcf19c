import type { Found } from '../../find/found.ts'
import { long } from '../../text/long.ts'
import type { Findings } from '../findings.ts'

export const touches = (one: Found, other: Found): boolean => one.from < other.to && one.to > other.from
const PICK_UP = new RegExp(long`
    abhol|ladebereit|versandbereit|ready for|gotow\w{1,2} do|belad|\blad(?:e|ung)|verlad|collect
    |pick-?\s?up|loading|zaladun|odbior(?!c)|podje
  `)
const DROP_OFF = new RegExp(long`
    consignee|empfanger|odbiorc|\baccepts?\b|annehmen|angenommen|warenannahme|receiv|przyj[am]|entlad|zustell
    |anliefer|liefer|abladen|deliver|unload|drop|rozladun|dostaw
  `)

// A sentence is shorter; junk of a megabyte is none.
const MOST_LOOKED_AT = 600
const endOf = ({ from, to }: Found): number => Math.min(to, from + MOST_LOOKED_AT)

/** The words of a sentence, folded. */
export const lowOf = (found: Findings, part: Found): string => found.low.slice(part.from, endOf(part))
/** The same as they are written, without what was read as a number. */
export const restOf = (found: Findings, part: Found): string => found.rest.slice(part.from, endOf(part))

/** Of which end of the way a sentence speaks. */
export const roleOf = (low: string): 'pickUp' | 'dropOff' | null =>
  PICK_UP.test(low) ? 'pickUp' : DROP_OFF.test(low) ? 'dropOff' : null

/** Of a sentence that speaks of both ends the one that leads to a day. */
export function roleBefore(found: Findings, part: Found, { from }: Found): 'pickUp' | 'dropOff' | null {
  const before = found.low.slice(Math.max(part.from, from - 300), from)
  const last = (words: RegExp) => [...before.matchAll(new RegExp(words, 'g'))].at(-1)?.index ?? -1
  const [pickUp, dropOff] = [last(PICK_UP), last(DROP_OFF)]
  return pickUp === dropOff ? null : pickUp > dropOff ? 'pickUp' : 'dropOff'
}

const OLD_BEFORE = new RegExp(long`
    (?:statt|anstatt|anstelle|instead of|rather than|zamiast|bisher|previously|von|from|\bz|not|nicht
    |,\s?nie)\s(?:am |um |on |at |w |dnia |the |dem |den |mon\w{0,4} |\S{2,12}tag )?$
  `)

/** Whether what stands at a place is said to have been so before: `statt 8 Uhr`. */
export const isOldAt = (found: Findings, at: number): boolean =>
  OLD_BEFORE.test(found.low.slice(Math.max(0, at - 30), at))

export const SAME = /unverandert|\bbleib(?:t|en)\b|unchanged|stays? (?:as|the same)|bez zmian|nie zmienia/
const MOVES = /verschieb|verschoben|statt|\bmoves?\b|instead|przesu|zamiast|zmien/

/** `die Abholung bleibt wie geplant am 05.03.`: what stands between the same two commas as a day. */
export function isSaidToStay(found: Findings, { from, to }: Found): boolean {
  const before = /[^,;\n]*$/.exec(found.low.slice(Math.max(0, from - 80), from))![0]
  const after = /^(?:[^,;\n.]|\.(?=\d))*/.exec(found.low.slice(to, to + 60))![0]
  return SAME.test(`${before} ${after}`) && !MOVES.test(before)
}
