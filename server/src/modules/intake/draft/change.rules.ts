import type { ReadCargo, ReadChange, Reading, ReadStop, ReadTermin } from '@waybill/contract/intake/reading'
import type { ChangeValue, DraftChange } from '@waybill/contract/order/intake/mail-draft'
import type { Order } from '@waybill/contract/order/order'

const keyOf = (text: string | null): string => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The stop that a change is about: the one in the town that is named, else the first pick-up or the last drop-off. */
function stopOf(order: Order, kind: 'loading' | 'unloading', town: string | null) {
  const stops = order.locations.filter((stop) => stop.kind === kind)
  const named = town === null ? undefined : stops.find(({ city }) => keyOf(city) === keyOf(town))
  return named ?? (kind === 'loading' ? stops[0] : stops.at(-1))
}

/** What the order says now of what a change is about; null where it says nothing, or of something new. */
function valueNow(order: Order, { field, of }: ReadChange): ChangeValue {
  const [part, name] = field.split('.')
  if (field === 'order') return order.status
  if (field === 'price.amountCents') return order.customerPriceCents
  if (part === 'pickUp' || part === 'dropOff') {
    const stop = stopOf(order, part === 'pickUp' ? 'loading' : 'unloading', of)
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

const isTermin = (value: object): value is ReadTermin => 'dateFrom' in value

const words = (...parts: (string | number | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(' ')

function valueOf(value: ReadChange['to']): ChangeValue {
  if (value === null || typeof value !== 'object') return value
  if (isTermin(value)) return value.dateFrom === null ? null : { ...value, dateFrom: value.dateFrom }
  if ('action' in value) {
    const stop = value as ReadStop
    return words(stop.companyTitle, stop.address, stop.postal, stop.city, stop.countryCode)
  }
  const line = value as ReadCargo
  return words(line.quantity, line.unit, line.title, line.weightKg === null ? null : `${line.weightKg} kg`)
}

/** The order that a change is about; not proved: nobody knows whose mail it is. */
export interface MeantOrder {
  order: Order | null
  isProved: boolean
}

/** One change as it is proposed, beside what the order says now. */
export function draftChange(reading: Reading, index: number, { order, isProved }: MeantOrder): DraftChange {
  const change = reading.changes[index]!
  const span = Object.entries(reading.spans).find(
    ([path]) => path === `changes.${index}` || path.startsWith(`changes.${index}.`),
  )
  return {
    reference: change.reference,
    order: order === null ? null : { id: order.id, title: order.number },
    field: change.field,
    of: change.of,
    now: order === null ? valueOf(change.from) : valueNow(order, change),
    after: valueOf(change.to),
    isSure:
      (order === null || isProved) &&
      Object.entries(reading.sure).some(
        ([path, sure]) => sure && (path === `changes.${index}` || path.startsWith(`changes.${index}.`)),
      ),
    span: span === undefined ? null : [span[1][0], span[1][1]],
  }
}
