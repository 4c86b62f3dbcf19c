import { LEARNED_FIELDS, type LearnedField, type Reading } from '@waybill/contract/intake/reading'
import type { DraftValues } from '@waybill/contract/order/intake/mail-draft'
import type { OrderWrite } from '@waybill/contract/order/order'
import { placeIn } from '../reading/parts/learned.ts'
import type { Correction } from '../reading/parts/teach.ts'

type Value = string | number | null

const valueIn = (record: object | undefined, name: string): Value => {
  const value = (record as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** A field of an order that is saved; null where it is empty, or nobody knows which stop or line is meant. */
export function savedValue(
  body: { cargo: readonly object[]; locations: readonly Pick<OrderWrite['locations'][number], 'kind'>[] },
  field: LearnedField,
): Value {
  const [head, name] = field.split('.') as [string, string | undefined]
  if (name === undefined) return valueIn(body, head)
  if (head === 'cargo') return body.cargo.length === 1 ? valueIn(body.cargo[0], name) : null
  const stop =
    head === 'pickUp'
      ? body.locations.find(({ kind }) => kind === 'loading')
      : body.locations.findLast(({ kind }) => kind === 'unloading')
  return valueIn(stop, name)
}

/** The same field as it was proposed. */
function draftedValue(drafted: DraftValues, path: string): Value {
  const [head, at, name] = path.split('.') as [string, string?, string?]
  if (at === undefined || name === undefined) return valueIn(drafted, head)
  return valueIn((head === 'cargo' ? drafted.cargo : drafted.locations)[Number(at)], name)
}

/** What a person has saved otherwise than it was proposed, of what can be learned. */
export function correctionsOf(reading: Reading, drafted: DraftValues, body: OrderWrite): Correction[] {
  const [order, other] = reading.orders
  if (order === undefined || other !== undefined) return []
  return LEARNED_FIELDS.flatMap((field) => {
    const path = placeIn(order, field)?.path
    const saved = savedValue(body, field)
    if (path === undefined || saved === null || saved === draftedValue(drafted, path)) return []
    return { field, saved }
  })
}
