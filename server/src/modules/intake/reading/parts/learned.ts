import type { LearnedField, LearnedRule, Reading, ReadOrder } from '@waybill/contract/intake/reading'
import { numberOf, type Found } from '../find/found.ts'
import { lowered } from '../text/letters.rules.ts'
import type { Page } from '../text/page.ts'

/** A figure, and no text. */
export const isFigure = (field: LearnedField): boolean =>
  field === 'paymentPeriodDays' || (field.startsWith('cargo.') && field !== 'cargo.title')

/** Without a digit it is none: words such as *will follow* stand where it belongs. */
export const hasDigits = (field: LearnedField): boolean =>
  field === 'customerOrderNumber' || /\.(?:reference|postal|phone)$/.test(field)

/** Where a field of a rule stands in an order: what holds it, its name and its path; null where the order has none. */
export function placeIn(
  order: ReadOrder,
  field: LearnedField,
): { holder: Record<string, unknown>; name: string; path: string } | null {
  const [head, name] = field.split('.') as [string, string | undefined]
  if (name === undefined) return { holder: order as unknown as Record<string, unknown>, name: head, path: head }
  const at =
    head === 'cargo'
      ? order.cargo.length - 1
      : head === 'pickUp'
        ? order.stops.findIndex(({ action }) => action === 'PICK_UP')
        : order.stops.findLastIndex(({ action }) => action === 'DROP_OFF')
  const list = head === 'cargo' ? 'cargo' : 'stops'
  // Of several lines nobody knows which one is meant.
  if (at === -1 || (head === 'cargo' && at > 0)) return null
  return { holder: order[list][at] as unknown as Record<string, unknown>, name, path: `${list}.${at}.${name}` }
}

/** The fields of a reading that rules have given. */
export function learnedFields({ orders, learned }: Reading, fields: readonly LearnedField[]): LearnedField[] {
  const [order] = orders
  if (order === undefined) return []
  return fields.filter((field) => learned.includes(`orders.0.${placeIn(order, field)?.path}`))
}

export interface FoundValue extends Found {
  value: string | number
}

const MOST_PLACES = 50

/** What follows a label: up to the end of its cell, sentence or line. */
function textAfter(page: Page, low: string, at: number): (Found & { value: string }) | null {
  const mark = /^[ \t:.#=|-]{0,40}/.exec(low.slice(at, at + 40))![0]
  const end = at + mark.length
  // The value stands in the line below where the label's line ends with a colon.
  const below = mark.includes(':') ? (/^\n[ \t]{0,10}/.exec(low.slice(end, end + 11))?.[0] ?? '') : ''
  const from = end + below.length
  const body = /^[^\n\t|;,]{1,120}/.exec(page.text.slice(from, from + 120))?.[0].split(/\s{2,}/)[0] ?? ''
  const value = body.trim()
  // What is set aside, such as the signature, is blank there.
  if (value === '' || low.slice(from, from + body.length).trim() === '') return null
  return { from, to: from + value.length, value }
}

/** The value as its field has it; null where it can be none of it. */
function asField(field: LearnedField, found: Found & { value: string }): FoundValue | null {
  if (!isFigure(field)) return hasDigits(field) && !/\d/.test(found.value) ? null : found
  const written = /^\d[\d.,' ]{0,15}/.exec(found.value)?.[0].trim() ?? ''
  const value = written === '' ? Number.NaN : numberOf(written, true)
  return Number.isFinite(value) ? { from: found.from, to: found.from + written.length, value } : null
}

/** A letter or a figure: what goes on there is a part of the same word. */
export const isLetter = (text: string | undefined): boolean => text !== undefined && /[\p{L}\d]/u.test(text)

/** The value that a label announces; null where it stands nowhere, or announces two different ones. */
function valueBehind(page: Page, low: string, field: LearnedField, label: string): FoundValue | null {
  const sought = lowered(label)
  let first: FoundValue | null = null
  let from = 0
  for (let count = 0; count < MOST_PLACES; count += 1) {
    const at = low.indexOf(sought, from)
    if (at === -1) break
    from = at + sought.length
    if (isLetter(low[at - 1]) || isLetter(low[from])) continue
    const text = textAfter(page, low, from)
    const found = text === null ? null : asField(field, text)
    if (found === null) continue
    if (first !== null && first.value !== found.value) return null
    first ??= found
  }
  return first
}

/** The whole subject without the marks of answers, or the whole first line; null where it is no number. */
function valueAt(page: Page, low: string, { field, position }: LearnedRule): FoundValue | null {
  const [start, end] = position === 'subject' ? page.subject : [low.search(/\S/), low.length]
  if (start === -1) return null
  const line = /^[^\n]{0,120}/.exec(page.text.slice(start, end))![0]
  const mark = position === 'subject' ? /^(?:\s{0,3}(?:aw|re|odp|wg|fwd?|pd)\s?:){0,3}\s{0,3}/i.exec(line)![0] : ''
  const value = line.slice(mark.length).trim()
  const from = start + mark.length
  // Words, and not a number, stand there in most mails.
  const isNumber = /^[\p{L}\d][\p{L}\d ./_-]{1,40}$/u.test(value) && /\d/.test(value) && value.split(' ').length <= 3
  return isNumber && !isFigure(field) ? { from, to: from + value.length, value } : null
}

/** What a rule reads in a mail. */
export const readBy = (page: Page, low: string, rule: LearnedRule): FoundValue | null =>
  rule.label === null ? valueAt(page, low, rule) : valueBehind(page, low, rule.field, rule.label)

/**
 * What a person corrected in an earlier mail of this sender wins over the general rules, and says so. Not where a mail
 * holds several orders: nobody knows which of them is meant.
 */
export function learn(reading: Reading, page: Page, low: string, rules: readonly LearnedRule[]): Reading {
  const [order, other] = reading.orders
  if (order === undefined || other !== undefined) return reading
  for (const rule of rules) {
    const place = placeIn(order, rule.field)
    const found = place === null ? null : readBy(page, low, rule)
    if (place === null || found === null) continue
    const path = `orders.0.${place.path}`
    // Where the general rules read the same, they are as sure as they were.
    if (place.holder[place.name] !== found.value) {
      place.holder[place.name] = found.value
      reading.sure[path] = false
    }
    reading.spans[path] = page.spanOf(found.from, found.to)
    reading.learned.push(path)
  }
  return reading
}
