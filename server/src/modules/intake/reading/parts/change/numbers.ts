import { isIn, scan, type Found } from '../../find/found.ts'
import { STOP_LABELS } from '../../find/references.ts'
import { long } from '../../text/long.ts'
import type { Findings } from '../findings.ts'
import { isOldAt, lowOf, roleOf, touches } from './words.ts'

/** What may be the number of an order. */
export interface OrderNumber extends Found {
  value: string
}

const CODE = new RegExp(
  long`
    (?<![a-z0-9./-])(?:(?=[a-z0-9./-]{0,24}\d)[a-z0-9]{1,10}(?:[-/][a-z0-9]{1,10}){1,4}|[a-z]{2,4}\s\d{3,7}
    |[a-z]{1,4}\d{3,9}|\d{6,12})(?![a-z0-9]|[.:/-]\d)
  `,
  'g',
)
const NO_CODE = new RegExp(long`
    ^(?:am|um|ab|auf|zu|je|po|ca|bis|den|do|na|od|to|on|at|by|from|vom|mit|uber|bei|nach|kw|and|und|for|jan|feb|mar
    |apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\s
  `)

/** The numbers of orders in a text: after their labels, and what looks like one elsewhere. */
export function numbersIn(found: Findings, taken: readonly Found[]): OrderNumber[] {
  const labelled = found.references.filter(
    (one) => (one.use === 'order' || one.use === 'any') && !taken.some((other) => touches(one, other)),
  )
  const others = scan(CODE, found.low).flatMap((match): OrderNumber[] => {
    const place = { from: match.index, to: match.index + match[0].length }
    const isDay = /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$/.test(match[0]) && !/^\d{4}\/\d{3}/.test(match[0])
    const isTaken = [
      ...found.contacts,
      ...found.days,
      ...found.times,
      ...found.places,
      ...found.money,
      ...found.weights,
      ...found.quantities,
      ...labelled,
      ...taken,
    ].some((one) => touches(place, one))
    if (isDay || isTaken || NO_CODE.test(match[0])) return []
    const from = place.from + (/^(?:load|job|trip|tour)\s/.exec(match[0])?.[0].length ?? 0)
    return [{ from, to: place.to, value: found.text.slice(from, place.to) }]
  })
  return [...labelled, ...others].sort((one, other) => one.from - other.from).slice(0, 200)
}

const STOP_CODE = new RegExp(
  long`
    (?<![a-z0-9./-])(?:(?!(?:ist|is|to|jest|nr|no|am|um|auf|bei|von|do|od|na|for|at|on|by)\s)[a-z]{2,4}\s\d{3,7}
    |(?=[a-z0-9./-]{0,30}\d)[a-z0-9][a-z0-9./-]{2,34})(?<![./-])(?![a-z0-9])
  `,
  'g',
)
const FRESH = new RegExp(long`
    \bneue?[rsn]?\b|jetzt|\bnun\b|lautet|geandert|\bnew\b|\bnow\b|chang|\bnowy\b|\bnowa\b|\bnowe\b|teraz|zmien
    |\bto\b|ist\b|\bis\b
  `)

export interface StopNumber extends Found {
  use: 'pickUp' | 'dropOff'
  value: string
}

/** The number of a stop in a part of the mail: after its label, in the same sentence. */
export function stopNumberIn(found: Findings, part: Found): StopNumber | null {
  const low = lowOf(found, part)
  const role = roleOf(low)
  const isTaken = (place: Found) =>
    [
      ...found.contacts,
      ...found.days,
      ...found.times,
      ...found.money,
      ...found.weights,
      ...found.quantities,
      ...found.references.filter((one) => one.use === 'order'),
    ].some((one) => touches(place, one))
  for (const { use, pattern } of STOP_LABELS) {
    const label = pattern.exec(low)
    if (label === null) continue
    const start = label.index + label[0].length
    for (const match of low.slice(start, start + 90).matchAll(STOP_CODE)) {
      const from = part.from + start + match.index
      const place = { from, to: from + match[0].length }
      if (isTaken(place) || isOldAt(found, from)) continue
      return { ...place, use, value: found.text.slice(place.from, place.to) }
    }
  }
  // `Entladung: neue Referenz 88-4471`
  const own = found.references.find((one) => one.use === 'any' && isIn(part, one))
  return own !== undefined && role !== null && FRESH.test(low) ? { ...own, use: role } : null
}
