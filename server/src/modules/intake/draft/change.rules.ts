import type { ReadCargo, ReadChange, Reading, ReadStop, ReadTermin } from '@waybill/contract/intake/reading'
import type { ChangedOrder, ChangeValue, DraftChange } from '@waybill/contract/order/intake/mail-draft'
import { EXTRA_KINDS } from '@waybill/contract/order/extra'
import type { Order } from '@waybill/contract/order/order'
import { needsAssignment } from '@waybill/contract/order/status'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { isSameTown } from '../../place/index.ts'
import { addedRow, cut, draftTermin, exact, saidPrice, type KnownWords } from './draft-order.rules.ts'

/** The place of the only stop that a change can be about: in the town that is named, else the only one of its kind. */
function placeOf(order: Order, kind: 'loading' | 'unloading', town: string | null): number | null {
  const fitting = order.locations.flatMap((stop, place) =>
    stop.kind === kind && stop.canceledAt === null && (town === null || isSameTown(stop.city ?? '', town)) ? place : [],
  )
  return fitting.length === 1 ? fitting[0]! : null
}

/** The stop that is shown for a change: else the first pick-up or the last drop-off. */
function stopOf(order: Order, kind: 'loading' | 'unloading', town: string | null) {
  const place = placeOf(order, kind, town)
  if (place !== null) return order.locations[place]
  const stops = order.locations.filter((stop) => stop.kind === kind)
  return kind === 'loading' ? stops[0] : stops.at(-1)
}

const KINDS: Readonly<Record<string, 'loading' | 'unloading'>> = { pickUp: 'loading', dropOff: 'unloading' }

/** What the order says now of what a change is about; null where it says nothing, or of something new. */
function valueNow(order: Order, { field, of }: ReadChange): ChangeValue {
  const [part, name] = field.split('.')
  if (field === 'order') return order.status
  if (field === 'price.amountCents') return order.customerPriceCents
  const kind = KINDS[part!]
  if (kind !== undefined) {
    const stop = stopOf(order, kind, of)
    if (stop === undefined) return null
    return name === 'termin' ? stop.termin : stop.reference
  }
  if (part === 'cargo' && name !== 'added') {
    const [line, other] = order.cargo
    if (line === undefined) return null
    // Of several lines a mail means the sum.
    const key = name as 'quantity' | 'weightKg'
    return other === undefined ? line[key] : order.cargo.reduce((sum, one) => sum + (one[key] ?? 0), 0)
  }
  return null
}

// What comes to an order, by where its form takes it.
const ADDED: Readonly<Record<string, string>> = {
  'price.surcharge': 'extras',
  'stop.added': 'locations',
  'cargo.added': 'cargo',
}

/** The field of the order's form that a change is about; null where it is none, or not one alone. */
function pathIn(order: Order, { field, of }: ReadChange): string | null {
  const [part, name] = field.split('.')
  // The stops and goods of a merge's result are those of its orders.
  if (field in ADDED) return order.isMergeResult ? null : ADDED[field]!
  if (field === 'price.amountCents') return 'customerPriceCents'
  if (field === 'cargo.quantity' || field === 'cargo.weightKg')
    return order.cargo.length === 1 ? `cargo.0.${name}` : null
  const kind = KINDS[part!]
  const place = kind === undefined ? null : placeOf(order, kind, of)
  return place === null ? null : `locations.${place}.${name}`
}

const isTermin = (value: object): value is ReadTermin => 'dateFrom' in value

/** A day that is named alone moves the termin to it, and leaves the hours as they were agreed. */
const isDayAlone = ({ kind, timeFrom }: Termin) => kind === 'fix' && timeFrom === null
const hasHoursOfOneDay = ({ dateFrom, timeFrom, dateTo, timeTo }: Termin) =>
  (timeFrom !== null || timeTo !== null) && (dateTo ?? dateFrom) === dateFrom
const movedTo = (dateFrom: string, now: Termin): Termin => ({
  ...now,
  dateFrom,
  dateTo: now.dateTo === null ? null : dateFrom,
})

const words = (...parts: (string | number | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(' ')

/** What the order shall say; `isRead`: it is what the mail says, and nothing is added from the order. */
function valueAfter({ to }: ReadChange, now: ChangeValue): { value: ChangeValue; isRead: boolean } {
  const read = (value: ChangeValue) => ({ value, isRead: true })
  if (typeof to === 'number') return read(exact(to))
  if (typeof to === 'string') return read(cut(to, 100))
  if (to === null || typeof to !== 'object') return read(to)
  if (isTermin(to)) {
    const termin = draftTermin(to)
    const before = now !== null && typeof now === 'object' ? now : null
    return termin !== null && before !== null && isDayAlone(termin) && hasHoursOfOneDay(before)
      ? { value: movedTo(termin.dateFrom, before), isRead: false }
      : read(termin)
  }
  if ('action' in to) {
    const stop = to as ReadStop
    return read(words(stop.companyTitle, stop.address, stop.postal, stop.city, stop.countryCode))
  }
  const line = to as ReadCargo
  return read(words(line.quantity, line.unit, line.title, line.weightKg === null ? null : `${line.weightKg} kg`))
}

/** The order that a change is about; not proved: nobody knows whose mail it is. */
export interface MeantOrder {
  order: Order | null
  isProved: boolean
}

/** An order that a mail asks to change, as it is now. */
export const changedOrder = (order: Order, isCertain: boolean): ChangedOrder => ({
  id: order.id,
  title: order.number,
  version: order.version,
  status: order.status,
  isCertain,
  toldCarriers: [
    ...new Set(
      order.routes.flatMap(({ status, assignment }) =>
        needsAssignment(status) ? (assignment?.carrierCompany?.title ?? []) : [],
      ),
    ),
  ],
})

/** Where in the mail's text the new value of a change stands, all parts of it, and whether each of them is sure. */
function saidAt({ spans, sure }: Reading, index: number): { spans: [number, number][]; isSure: boolean } {
  const own = <Value>(all: Readonly<Record<string, Value>>) => {
    const of = (path: string) => Object.entries(all).filter(([at]) => at === path || at.startsWith(`${path}.`))
    const values = of(`changes.${index}.to`)
    return (values.length > 0 ? values : of(`changes.${index}`)).map(([, value]) => value)
  }
  const marks = own(sure)
  return {
    spans: own(spans).flatMap(([from, to, of]): [number, number][] => (of === undefined ? [[from, to]] : [])),
    isSure: marks.length > 0 && marks.every(Boolean),
  }
}

/** One change as it is proposed, beside what the order says now. */
export function draftChange(
  reading: Reading,
  index: number,
  { order, isProved }: MeantOrder,
  known: KnownWords,
): DraftChange {
  const change = reading.changes[index]!
  const { spans, isSure } = saidAt(reading, index)
  const now = order === null ? valueAfter({ ...change, to: change.from }, null).value : valueNow(order, change)
  const after = valueAfter(change, now)
  const said = typeof change.to === 'number' ? saidPrice({ amountCents: change.to, ...change.money }) : null
  return {
    reference: change.reference,
    order: order === null ? null : { id: order.id, title: order.number },
    field: change.field,
    path: order === null || after.value === null || said !== null ? null : pathIn(order, change),
    of: change.of,
    now,
    after: after.value,
    said,
    ...addedRow(reading, index, known),
    extra: change.field === 'price.surcharge' ? (EXTRA_KINDS.find((kind) => kind === change.extra) ?? 'other') : null,
    isSure: after.isRead && (order === null || isProved) && isSure,
    span:
      spans.length === 0 ? null : [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))],
  }
}
