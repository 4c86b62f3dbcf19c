import { isIn, type Found } from '../../find/found.ts'
import { long } from '../../text/long.ts'
import { leaf, type Maybe } from '../draft.ts'
import type { Findings } from '../findings.ts'
import { terminOf, type FoundTermin } from '../termin.ts'
import { isOldAt, isSaidToStay, lowOf, touches } from './words.ts'

const NEW_QUANTITY = new RegExp(long`
    (?<![\d.,])(\d{1,4})\s?(?:[a-z-]{2,16}[\s,]{1,2}){0,2}(?:\([^()\n]{0,40}\)\s?)?(?:,?\s?(?:statt|anstatt
    |anstelle von|instead of|rather than|zamiast|not|nicht|a nie)\s(?:\w{2,8}\s)?)(\d{1,4})(?![\d.,:]\d|\s?(?:uhr|kg
    |eur|€|t\b))
  `)
const OLD_QUANTITY = new RegExp(long`
    (?:statt|anstatt|instead of|zamiast)\s(\d{1,4})(?:\s?[a-z-]{2,16})?(?:,)?\s(?:jetzt|nun|sind es|now|teraz|bedzie
    |es sind|will be|it is|are)?\s?(?:nur\s|only\s|tylko\s)?(\d{1,4})(?![\d.,:]\d|\s?(?:uhr|kg|eur|€|t\b))
  `)
// `ilość palet wzrosła do 24`
const TO_QUANTITY = new RegExp(long`
    (?:palet|pallet|kolli|colli|karton|stuck|pieces|sztuk|ilosc|menge|anzahl|quantity)[^.\n]{0,60}(?:wzr\w{2,6}
    |zwieksz\w{0,6}|zmniejsz\w{0,6}|spad\w{0,4}|erhoh\w{0,4}|reduzier\w{0,4}|increas\w{0,3}|reduc\w{0,4}|goes|go
    |went|steigt|sinkt)[^.\n]{0,24}?\s(?:auf|to|do)\s(\d{1,4})(?![\d.,:]\d|\s?(?:uhr|kg|eur|€|t\b))
  `)

const COUNTS = new RegExp(long`
    nur noch|\bjetzt|\bnun\b|\bneu\b|reduzier|erhoh|andert|geandert|\bnow\b|\bonly\b|make it|increase|reduce|change
    |menge\b|anzahl|quantity|\bilosc|\bliczba|\bnicht \d|\bnot \d|\bnie \d|teraz|tylko|zmniejsz|zwieksz|zmien
    |\bbedzie\b|\bwill be\b|\bsind es\b|\bes sind\b|\bthere (?:are|will be)\b|\bjednak\b|\bdoch\b
  `)

/** How many there are now; null where a sentence does not say. */
export function newQuantity(found: Findings, part: Found): Maybe<number> {
  const low = lowOf(found, part)
  for (const pattern of [NEW_QUANTITY, OLD_QUANTITY, TO_QUANTITY]) {
    const match = pattern.exec(low)
    if (match === null) continue
    const count = pattern === NEW_QUANTITY ? match[1]! : match.at(-1)!
    const from = part.from + match.index + (pattern === NEW_QUANTITY ? 0 : match[0].lastIndexOf(count))
    const place = { from, to: from + count.length }
    const isElse = [...found.money, ...found.weights, ...found.days, ...found.times, ...found.references].some((one) =>
      touches(place, one),
    )
    return isElse ? null : leaf(Number(count), place)
  }
  // `nur noch 18 Paletten`
  const last = found.quantities.findLast((one) => isIn(part, one) && !isOldAt(found, one.from))
  return last !== undefined && COUNTS.test(low) ? leaf(last.quantity, last) : null
}

const NOT_THIS = /(?:statt|instead of|zamiast|weniger|less|mniej|\bnot|\bnicht|\bnie)\s?$/

/** What it weighs now; null where a sentence does not say. */
export function newWeight(found: Findings, part: Found): Maybe<number> {
  const last = found.weights.findLast(
    (one) =>
      isIn(part, one) &&
      !isSaidToStay(found, one) &&
      !NOT_THIS.test(found.low.slice(Math.max(0, one.from - 14), one.from)) &&
      !/^\s?(?:less|weniger|mniej)/.test(found.low.slice(one.to, one.to + 8)),
  )
  return last === undefined ? null : leaf(last.kg, last)
}

/** The termin that days and times of one part say now, without what it was before. */
export function newTermin(found: Findings, days: Findings['days'], times: Findings['times']): FoundTermin | null {
  const signs = [...days, ...times].sort((one, other) => one.from - other.from)
  // `from 06:00 to 09:00` are both new.
  const isOld = (one: (typeof signs)[number]) => one.until === null && isOldAt(found, one.from)
  const kept = signs.filter((one) => !isOld(one))
  if (kept.length === 0) return null
  // `statt morgen 8 Uhr erst um 11:00 Uhr`: the day stays, the time is the last.
  const newDay = kept.findLast(({ kind }) => kind === 'day') ?? signs.find(({ kind }) => kind === 'day')
  if (newDay?.kind !== 'day') return null
  const keptTimes = kept.filter(({ kind }) => kind === 'time')
  const newTimes =
    isOld(newDay) && keptTimes.length > 1 ? keptTimes.filter((one) => one !== firstTimeAfter(signs, newDay)) : keptTimes
  const time = newTimes.at(-1)
  const pair = time === undefined ? [newDay] : [newDay, { ...time, from: Math.max(time.from, newDay.from) }]
  const near =
    pair.length === 2 && Math.abs(pair[1]!.from - newDay.to) > 30
      ? [newDay, { ...time!, from: newDay.to, to: newDay.to }]
      : pair
  return terminOf(
    found.low,
    near.sort((one, other) => one.from - other.from),
  )
}

const firstTimeAfter = (signs: readonly (Found & { kind: string })[], day: Found) =>
  signs.find(({ kind, from }) => kind === 'time' && from > day.from)
