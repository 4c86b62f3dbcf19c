import { long } from '../text/long.ts'
import { isIn, type Found } from '../find/found.ts'
import { linesOf } from '../text/zones.ts'
import { leaf, type Leaf } from './draft.ts'
import type { Findings } from './findings.ts'
import type { Table } from './tables.ts'

/** The part of the mail that speaks of one order alone. */
export interface OrderPart {
  number: Leaf<string> | null
  key: string
  spans: Found[]
}

const ITEM = new RegExp(long`
    ^[\s>]{0,6}(?:([a-h1-9])[.)]|\(([a-h1-9])\)|(?:auftrag|order|zlecenie|sendung|shipment|transport|load
    |lieferung|zl\.|ladung|tour|przesylka)\s(?:nr\.?\s?)?#?([1-9a-h])\s?[:.)–-])\s?
  `)
const HEADED = /^[\s>]{0,6}(?:auftrag|order|zlecenie|sendung|shipment|transport|load|lieferung|zl\.|tour)/
const SEVERAL = new RegExp(long`
    \b(?:zwei|drei|vier|funf|2|3|4|5|two|three|four|these|dwa|dwoch|dwie|trzy|trzech|cztery|folgende
    |mehrere)\s(?:\w{2,14}\s){0,2}(?:auftrage|sendungen|transporte|ladungen|lieferungen|fahrten|orders|loads
    |shipments|transports|jobs|consignments|reefers|trucks|zlece\w{0,4}|transport\w{0,3}|przesyl\w{0,3}
    |ladunk\w{0,3}|stuckgutsendungen)\b
  `)
const CODE = new RegExp(long`
    (?<![a-z0-9])(?=[a-z0-9./-]{0,24}\d)[a-z0-9]{1,10}(?:[-/.][a-z0-9]{1,10}){1,4}(?![a-z0-9])
    |(?<![a-z0-9])[a-z]{2,4}\s\d{3,7}(?!\d)
  `)

/** The rows of a table that are orders each: a number, one address, no word that makes them stops. */
function fromTable(found: Findings, table: Table): OrderPart[] {
  const parts = table.rows.flatMap((row): OrderPart[] => {
    const places = found.places.filter((place) => isIn(row, place))
    const [first] = row.cells
    const low = found.low.slice(first!.from, first!.to)
    const isNumber = /\d/.test(low) && /^[a-z0-9][a-z0-9./ -]{1,24}$/.test(low) && !/^\d{1,2}$/.test(low)
    if (places.length === 0 || !isNumber) return []
    return [{ number: leaf(first!.text, first!, true), key: low, spans: [{ from: row.from, to: row.to }] }]
  })
  return parts.length > 1 && parts.length === table.rows.length ? parts : []
}

/** Items of a list that are orders each: with an address, goods, and a number or price of their own. */
function fromList(found: Findings, subject: string): OrderPart[] {
  const lines = linesOf(found.low, 0, found.low.length)
  const items: { key: string; from: number; to: number; isHeaded: boolean }[] = []
  for (const [index, line] of lines.entries()) {
    const match = ITEM.exec(line.low)
    if (match === null) {
      const last = items.at(-1)
      const isBlank = line.low.trim() === ''
      const open = last !== undefined && last.to >= line.from - 1
      // Below a heading of its own all lines up to an empty one, else those that go on.
      const isLabel = !last?.isHeaded && /^\s{0,3}\p{L}[\p{L} ]{2,20}:\s/u.test(line.low)
      if (open && !isBlank && !isLabel) last.to = line.to
      if (open && isBlank && last.isHeaded && last.to - last.from < 60 && lines[index + 1] !== undefined)
        last.to = line.to
      continue
    }
    const isHeaded = HEADED.test(line.low)
    items.push({ key: match[1] ?? match[2] ?? match[3]!, from: line.from, to: line.to, isHeaded })
  }
  const isGood = (one: Found) =>
    found.places.some((place) => isIn(one, place)) &&
    (found.quantities.some((q) => isIn(one, q)) || found.weights.some((w) => isIn(one, w)))
  const good = items.filter(isGood)
  if (good.length < 2 || good.length < items.length - 1) return []
  const isHeaded = good.every((one) => one.isHeaded)
  const isPriced = good.every((one) =>
    found.money.some((money) => isIn(one, money) && money.use !== 'value' && money.use !== 'rate'),
  )
  const isCued = good.some((one) =>
    found.cues.some((cue) => cue.role === 'pickUp' && isIn(one, cue) && cue.from - one.from < 12),
  )
  const numberOf = (one: Found) => {
    const labelled = found.references.find((reference) => reference.use === 'order' && isIn(one, reference))
    if (labelled !== undefined) return leaf(labelled.value, labelled, true)
    const lead = found.low.slice(one.from, Math.min(one.to, one.from + 34))
    const after = ITEM.exec(lead)?.[0].length ?? 0
    const label = /^\s{0,2}(?:nr|no|number|numer)\b[.:]?\s{0,2}/.exec(lead.slice(after))?.[0].length ?? 0
    return codeAfter(one.from + after + label)
  }
  const codeAfter = (at: number) => {
    const match = CODE.exec(found.low.slice(at, at + 24))
    return match !== null && match.index === 0
      ? leaf(found.text.slice(at, at + match[0].length), { from: at, to: at + match[0].length }, true)
      : null
  }
  const numbers = good.map(numberOf)
  const isNumbered = numbers.every((number) => number !== null)
  const isSaid = SEVERAL.test(found.low) || SEVERAL.test(subject)
  if (isCued && !isHeaded) return []
  if (
    !(
      isHeaded ||
      isNumbered ||
      (isPriced && isSaid) ||
      (isSaid && /sendungen|auftrage|orders|shipments|zlece|transport/.test(`${found.low} ${subject}`))
    )
  )
    return []
  if (!isHeaded && !isNumbered && !isPriced && !hasKeyedPrices(found, good)) return []
  return good.map((one, index) => ({ number: numbers[index]!, key: one.key, spans: [{ from: one.from, to: one.to }] }))
}

const hasKeyedPrices = (found: Findings, good: readonly { key: string; to: number }[]): boolean =>
  good.every(({ key }) =>
    new RegExp(String.raw`[\s:(]${key}\)\s?(?:€|eur)?\s?\d`).test(found.low.slice(good.at(-1)!.to)),
  )

/** Sentences elsewhere that name one of the orders speak of that one alone. */
function claimSentences(found: Findings, parts: readonly OrderPart[]): void {
  const taken = parts.flatMap(({ spans }) => spans)
  for (const line of linesOf(found.low, 0, found.low.length)) {
    if (taken.some((span) => line.from >= span.from && line.from <= span.to)) continue
    const marks = parts
      .flatMap((part) => {
        const number = part.number === null ? null : found.low.slice(part.number.from, part.number.to)
        const byNumber = number === null ? -1 : line.low.indexOf(number)
        const byKey = part.key.length === 1 ? line.low.search(new RegExp(String.raw`(?:^|[\s:(])${part.key}\)\s`)) : -1
        const at = byNumber >= 0 ? byNumber : byKey
        return at < 0 ? [] : [{ part, at }]
      })
      .sort((one, other) => one.at - other.at)
    if (marks.length === 0) continue
    for (const [index, { part, at }] of marks.entries()) {
      const sentence = /(?<=[a-z]{4}|\d)[.;!?]\s/.exec(line.low.slice(at + 4))
      const end = Math.min(
        marks[index + 1]?.at ?? line.low.length,
        marks.length > 1 || sentence === null ? line.low.length : at + 4 + sentence.index + 1,
      )
      part.spans.push({ from: line.from + at, to: line.from + end })
    }
    // The number stands in the subject and elsewhere too: lists of all of them are nobody's.
    if (marks.length === parts.length && !/\d/.test(line.low.replace(CODE, '')))
      for (const { part } of marks) part.spans.pop()
  }
}

/** The orders of a mail that holds several; empty where it holds one. */
export function splitOrders(found: Findings, tables: readonly Table[], subject: string): OrderPart[] {
  for (const table of tables) {
    const parts = fromTable(found, table)
    if (parts.length === 0) continue
    claimSentences(found, parts)
    return parts
  }
  const parts = fromList(found, subject)
  if (parts.length > 0) claimSentences(found, parts)
  return parts
}
