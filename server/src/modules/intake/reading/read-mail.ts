import type { LearnedRule, MailText, Reading } from '@waybill/contract/intake/reading'
import { isRealDate } from '@waybill/contract/kit/local-time'
import { answerOf } from './answer.ts'
import { findUnits } from './find/goods.ts'
import type { Found } from './find/found.ts'
import type { Towns } from './find/places.ts'
import { readChanges, type DraftChange } from './parts/change/changes.ts'
import { findAll, type Findings } from './parts/findings.ts'
import { kindOf, mayChange, languageOf } from './parts/kind.ts'
import { learn, placeIn, readBy } from './parts/learned.ts'
import { readOrder, type OrderReading, type Setting } from './parts/order.ts'
import { splitOrders } from './parts/split.ts'
import { findTables, rowsOfCargo } from './parts/tables.ts'
import { teach, type Correction } from './parts/teach.ts'
import { pageOf } from './text/page.ts'
import { masked, zonesOf } from './text/zones.ts'

export interface Known {
  towns: Towns
}

/** Where a mail of a language comes from, if nothing says otherwise. */
const HOMES: ReadonlyMap<string, string> = new Map([
  ['de', 'DE'],
  ['pl', 'PL'],
  ['en', 'GB'],
])

const EPOCH = '2000-01-01'

/** The day of a header's time, in its own zone. */
const dayOf = (sentAt: string): string => {
  const day = /^\d{4}-\d\d-\d\d/.exec(sentAt)?.[0]
  return day !== undefined && isRealDate(day) ? day : EPOCH
}

/** No mail holds more orders than are read of it. */
const MOST_ORDERS = 40

/**
 * Reads a customer's mail: what it orders, changes or cancels, with the place of every value and how sure it is. Rules
 * alone, in a time that grows with the mail's length; what is beyond `MOST_READ` is not read.
 */
export function readMail(mail: MailText, known: Known, learned: readonly LearnedRule[] = []): Reading {
  const page = pageOf(mail)
  const zones = zonesOf(page, page.subject[0] - 2)
  const sentOn = dayOf(mail.sentAt)
  const bodies = zones.filter(({ kind }) => kind === 'body')
  const signatures = zones.filter(({ kind }) => kind === 'signature')
  const dayAt = (at: number): string => bodies.find(({ from, to }) => at >= from && at <= to)?.day ?? sentOn
  const subjectAt = { from: page.subject[0], to: page.subject[1] }
  const low = masked(page.low, bodies)
  const language = languageOf(
    bodies.map(({ from, to }) => page.low.slice(from, to)).join('\n') + page.low.slice(subjectAt.from, subjectAt.to),
  )
  const reader = { towns: known.towns, home: HOMES.get(language ?? '') ?? null, dayAt }
  const text = masked(page.text, bodies)
  const found = findAll(text, low, reader)
  const part = (spans: readonly Found[]): Findings => findAll(masked(page.text, spans), masked(page.low, spans), reader)
  const sender = { from: page.sender[0], to: page.sender[1] }
  const subject = part([subjectAt])
  const signature = part(signatures)
  const subjectLow = page.low.slice(subjectAt.from, subjectAt.to)
  const tables = findTables(text, low)
  const setting: Setting = {
    mail,
    towns: known.towns,
    subject,
    subjectAt,
    signature,
    signatureAt: signatures,
    sender,
    number: null,
    rows: [],
  }
  const parts = splitOrders(found, tables, subjectLow).slice(0, MOST_ORDERS)
  const readings: OrderReading[] = []
  if (parts.length > 1) {
    const own = parts.flatMap(({ spans }) => spans)
    const headings = tables.map(({ heading }) => heading)
    for (const { number, spans } of parts) {
      const others = [...own.filter((span) => !spans.includes(span)), ...headings]
      const rest = (source: string) => blanked(source, others)
      readings.push(readOrder(findAll(rest(text), rest(low), reader), { ...setting, number }))
    }
  } else {
    const inTables = tables.flatMap((table) => rowsOfCargo(table, low, unitBeside(found)))
    readings.push(readOrder(found, { ...setting, rows: inTables }))
  }
  const stopsOf = readings.map(({ order }) => order.stops)
  const counted = {
    stops: Math.min(...stopsOf.map((stops) => stops.length)),
    addresses: Math.max(...stopsOf.map((stops) => stops.filter(({ postal }) => postal !== null).length)),
    goods: Math.max(...readings.map(({ order }) => order.cargo.length)),
  }
  const isAnswer = /^\s{0,3}(?:aw|re|odp)\s?:/.test(subjectLow)
  const closing = signatures.map(({ from, to }) => page.low.slice(from, Math.min(to, from + 200))).join('\n')
  const words = `${low}\n${closing}`
  const first = kindOf(words, subjectLow, counted, isAnswer)
  const asks =
    first === 'change' || first === 'cancel' || (first === 'other' && mayChange(words, subjectLow, counted, isAnswer))
  const changes = asks ? readChanges(found, subject, subjectAt, known.towns) : []
  const kind = changes.length === 0 ? first : changes.every(isCancellation) ? 'cancel' : 'change'
  const answer = (head: Pick<Reading, 'kind' | 'language'>, orders: readonly OrderReading[], asked: typeof changes) =>
    answerOf(
      page,
      head,
      orders.map(({ order }) => order),
      asked,
      orders.flatMap(({ contradictions }, index) => {
        const whole = (path: string) => `orders.${index}.${path}`
        return contradictions.map(({ at, paths = [], ...one }) => ({
          ...one,
          at: at.map(whole),
          paths: paths.map((path) => (path === null ? null : whole(path))),
        }))
      }),
    )
  const reading = answer({ kind, language }, kind === 'order' ? readings : [], changes)
  if (kind !== 'order') {
    const { orders, contradictions, sure, spans } = answer({ kind, language }, readings, [])
    const isAny = orders.some((order) => order.stops.length > 0 || order.cargo.length > 0)
    reading.setAside = isAny ? { orders, contradictions, sure, spans } : null
  }
  return learn(reading, page, low, learned)
}

const isCancellation = ({ field }: DraftChange) => field.value === 'order'

/** A mail as rules that were learned look for words in it. */
function wordsOf(mail: MailText) {
  const page = pageOf(mail)
  const bodies = zonesOf(page, page.subject[0] - 2).filter(({ kind }) => kind === 'body')
  return { page, low: masked(page.low, bodies) }
}

/** The rules that would have read a mail's only order as a person has corrected it. */
export const learnFrom = (mail: MailText, reading: Reading, corrections: readonly Correction[]): LearnedRule[] =>
  teach(reading, wordsOf(mail), corrections)

/** What one rule reads in a mail; null where it finds nothing, or the mail's only order has no place for it. */
export function readWith(mail: MailText, { orders }: Reading, rule: LearnedRule): string | number | null {
  if (orders[0] === undefined || placeIn(orders[0], rule.field) === null) return null
  const { page, low } = wordsOf(mail)
  return readBy(page, low, rule)?.value ?? null
}

/** A pallet's kind that is named without a number beside the table: `Palety EUR wys. 160 cm`. */
const unitBeside = (found: Findings): string | null =>
  findUnits(found.low).find(({ unit }) => unit !== 'Pallet' && unit !== 'Piece')?.unit ?? null

const blanked = (source: string, spans: readonly Found[]): string => {
  let result = source
  for (const { from, to } of spans)
    result = result.slice(0, from) + result.slice(from, to).replace(/[^\n]/g, ' ') + result.slice(to)
  return result
}
