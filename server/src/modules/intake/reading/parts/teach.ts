import type { LearnedField, LearnedRule, Reading, ReadOrder } from '@waybill/contract/intake/reading'
import { NUMBER, numberOf, scan, type Found } from '../find/found.ts'
import { lowered } from '../text/letters.rules.ts'
import type { Page } from '../text/page.ts'
import { hasDigits, isFigure, isLetter, placeIn, readBy } from './learned.ts'

/** A field as a person has saved it, where that is not what was read. */
export interface Correction {
  field: LearnedField
  saved: string | number
}

const MOST_WORDS = 4
const MOST_SIGNS = 40
const BEFORE = 100

/** Where a value stands in the text. */
function placesOf(low: string, { field, saved }: Correction): Found[] {
  if (typeof saved === 'number') {
    if (!isFigure(field)) return []
    return scan(new RegExp(NUMBER, 'g'), low)
      .filter(([written]) => numberOf(written, true) === saved)
      .map(({ index, 0: written }) => ({ from: index, to: index + written.length }))
  }
  const sought = lowered(saved)
  // One letter, or a number of one digit, stands everywhere.
  if (isFigure(field) || sought.length < 2 || (hasDigits(field) && !/\d/.test(sought))) return []
  const places: Found[] = []
  for (let at = low.indexOf(sought); at !== -1 && places.length < 50; at = low.indexOf(sought, at + sought.length))
    if (!isLetter(low[at - 1]) && !isLetter(low[at + sought.length])) places.push({ from: at, to: at + sought.length })
  return places
}

/**
 * The words that announce what stands at a place: some words without a digit, from the beginning of their line, cell
 * or sentence on. Where no mark such as a colon ends them, they are one or two, and begin their line.
 */
function labelBefore(page: Page, low: string, at: number): (Found & { label: string }) | null {
  let end = at
  let isBelow = false
  while (end > 0 && at - end < MOST_SIGNS && /[\s:.#=|-]/.test(low[end - 1]!)) {
    if (low[end - 1] === '\n' && isBelow) return null
    isBelow ||= low[end - 1] === '\n'
    end -= 1
  }
  const mark = low.slice(end, at)
  const hasMark = /[:#=|\t]/.test(mark)
  // A line above is a label only where it ends with a colon.
  if (isBelow && !/^[ \t]*:[ \t]*\n/.test(mark)) return null
  const start = Math.max(low.lastIndexOf('\n', end - 1) + 1, end - BEFORE)
  const head = page.text.slice(start, end)
  const cell = head.split(/\t|\||;|,| {2}|[.!?] /).at(-1)!
  const label = cell.replace(/^[\s>*•·–-]{1,20}/, '')
  const from = end - label.length
  const words = label.split(' ')
  const isWhole = head.trim().replace(/^[\s>*•·–-]{1,20}/, '') === label
  if (label.length > MOST_SIGNS || words.length > (hasMark ? MOST_WORDS : 2) || !(hasMark || isWhole)) return null
  if (/\d|@/.test(label) || !/\p{L}{2}/u.test(label)) return null
  // What is set aside, such as the signature, is blank there.
  return low.slice(from, end).trim() === '' ? null : { from, to: end, label }
}

/** Names that were read: towns, companies, people, goods. */
function namesIn({ stops, cargo }: ReadOrder): string[] {
  const names = [
    ...stops.flatMap(({ city, companyTitle, contactPerson }) => [city, companyTitle, contactPerson]),
    ...cargo.map(({ title }) => title),
  ]
  return names.flatMap((name) => (name === null || name.length < 3 ? [] : lowered(name)))
}

const isSame = (one: string | number, other: string | number): boolean =>
  typeof one === 'number' ? one === other : typeof other === 'string' && one.trim() === other.trim()

/**
 * The rule that reads this mail as a person has corrected it; null where the value stands nowhere behind words of its
 * own, or where several rules would do. A label that holds something else that was read, such as a town, is none: it
 * would be a value.
 */
function ruleOf(reading: Reading, page: Page, low: string, correction: Correction): LearnedRule | null {
  const { field, saved } = correction
  const own = `orders.0.${placeIn(reading.orders[0]!, field)!.path}`
  const isRead = ({ from, to }: Found): boolean => {
    const [start, end] = page.spanOf(from, to)
    return Object.entries(reading.spans).some(
      ([path, [one, other, of]]) => path !== own && of === undefined && one < end && other > start,
    )
  }
  const names = namesIn(reading.orders[0]!)
  const labels = new Map<string, string>()
  for (const { from } of placesOf(low, correction)) {
    const found = labelBefore(page, low, from)
    if (found === null || isRead(found)) continue
    const label = lowered(found.label)
    if (!names.some((name) => label.includes(name))) labels.set(label, found.label)
  }
  const rules: LearnedRule[] = [...labels.values()].map((label) => ({ field, label, position: null }))
  if (rules.length === 0 && hasDigits(field))
    for (const position of ['subject', 'firstLine'] as const) rules.push({ field, label: null, position })
  const right = rules.filter((rule) => {
    const found = readBy(page, low, rule)
    return found !== null && isSame(saved, found.value)
  })
  // The same figure behind several labels stands there by chance.
  return right.length === 1 || (right.length > 1 && typeof saved === 'string') ? right[0]! : null
}

/** What corrections of a mail's only order teach. */
export function teach(
  reading: Reading,
  { page, low }: { page: Page; low: string },
  corrections: readonly Correction[],
): LearnedRule[] {
  const [order, other] = reading.orders
  if (order === undefined || other !== undefined) return []
  return corrections.flatMap((correction) =>
    placeIn(order, correction.field) === null ? [] : (ruleOf(reading, page, low, correction) ?? []),
  )
}
