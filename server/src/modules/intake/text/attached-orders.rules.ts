import type { Reading, ReadOrder, Span } from '@waybill/contract/intake/reading'
import { lettersOf } from '../reading/text/letters.rules.ts'

/** What was read in one attachment: its place among those with a text, and where its text begins in the mail's. */
interface AttachedReading {
  /** null: the mail's own words */
  part: number | null
  from: number
  reading: Reading
}

/** One order of an attachment. */
interface AttachedOrder extends AttachedReading {
  index: number
  order: ReadOrder
}

const ends = ({ stops }: ReadOrder) => ({
  first: stops.find(({ action, city }) => action === 'PICK_UP' && city !== null),
  last: stops.findLast(({ action, city }) => action === 'DROP_OFF' && city !== null),
})

/** A delivery note or terms of carriage name places as well: an order says where it is loaded and where unloaded. */
function isWhole(order: ReadOrder): boolean {
  const { first, last } = ends(order)
  return first !== undefined && last !== undefined
}

const isOther = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one != null && other != null && lettersOf(one) !== lettersOf(other)

/** Whether a number is the order's own: one in the subject is said of the whole mail. */
const ownNumber = ({ reading, index, order }: AttachedOrder): string | null =>
  reading.spans[`orders.${index}.customerOrderNumber`]?.[2] === 'subject' ? null : order.customerOrderNumber

/** Two orders are one, as a PDF and a table of it are, unless something that both say differs. */
function isSame(one: AttachedOrder, other: AttachedOrder): boolean {
  const [number, otherNumber] = [ownNumber(one), ownNumber(other)]
  if (number !== null && otherNumber !== null) return lettersOf(number) === lettersOf(otherNumber)
  // What the mail itself says of an order is said of the one that is attached.
  if (one.part === null || other.part === null) return true
  const [from, to] = [ends(one.order), ends(other.order)]
  return !(
    isOther(from.first?.city, to.first?.city) ||
    isOther(from.last?.city, to.last?.city) ||
    isOther(from.first?.termin?.dateFrom, to.first?.termin?.dateFrom) ||
    isOther(from.last?.termin?.dateFrom, to.last?.termin?.dateFrom)
  )
}

/** How many values an order states. */
const statedIn = (value: unknown): number =>
  value === null || typeof value !== 'object'
    ? Number(value !== null)
    : Object.values(value).reduce((sum: number, one) => sum + statedIn(one), 0)

/** The orders of a mail by its attachments, each once: as that one says it which says most. */
export function ordersAttached(attached: readonly AttachedReading[]): AttachedOrder[] {
  const kept: AttachedOrder[] = []
  for (const one of attached)
    for (const [index, order] of one.reading.orders.entries()) {
      if (!isWhole(order)) continue
      const found = { ...one, index, order }
      // Orders of one attachment are told apart by the reader.
      const same = kept.findIndex((other) => other.part !== one.part && isSame(other, found))
      if (same === -1) kept.push(found)
      else if (statedIn(order) > statedIn(kept[same]!.order)) kept[same] = found
    }
  return kept
}

const shifted = ([from, to, of]: Span, by: number): Span => (of === undefined ? [from + by, to + by] : [from, to, of])

/** A reading of these orders, with their places in the mail's text. */
export function readingOfFiles(own: Reading, orders: readonly AttachedOrder[]): Reading {
  const joined: Reading = {
    kind: 'order',
    language: orders[0]!.reading.language ?? own.language,
    orders: [],
    changes: [],
    contradictions: [],
    sure: {},
    spans: {},
    learned: [],
    setAside: null,
    ofParts: orders.map(({ part }) => part),
  }
  const isOnly = orders.length === 1
  for (const [place, found] of orders.entries()) {
    const { reading, index, from } = found
    const number = isOnly ? found.order.customerOrderNumber : ownNumber(found)
    joined.orders.push({ ...found.order, customerOrderNumber: number })
    const before = `orders.${index}`
    const isOurs = (path: string) =>
      (path === before || path.startsWith(`${before}.`)) &&
      (number !== null || path !== `${before}.customerOrderNumber`)
    const renamed = (path: string) => `orders.${place}${path.slice(before.length)}`
    for (const [path, span] of Object.entries(reading.spans))
      if (isOurs(path)) joined.spans[renamed(path)] = shifted(span, from)
    for (const [path, sure] of Object.entries(reading.sure)) if (isOurs(path)) joined.sure[renamed(path)] = sure
    joined.learned.push(...reading.learned.filter(isOurs).map(renamed))
    for (const { at, paths, spans, ...said } of reading.contradictions) {
      if (!at.some(isOurs)) continue
      joined.contradictions.push({
        ...said,
        at: at.filter(isOurs).map(renamed),
        ...(paths === undefined
          ? {}
          : { paths: paths.map((path) => (path !== null && isOurs(path) ? renamed(path) : null)) }),
        spans: spans.map((span) => shifted(span, from)),
      })
    }
  }
  return joined
}
