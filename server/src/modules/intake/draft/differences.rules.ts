import type { ChangeValue, Difference, DraftMark, DraftValues } from '@waybill/contract/order/intake/mail-draft'
import type { Order } from '@waybill/contract/order/order'
import { lettersOf } from '../reading/text/letters.rules.ts'

type Lists = 'cargo' | 'locations'
interface Compared {
  values: DraftValues
  marks: readonly DraftMark[]
}

// Who ordered is the same by the number; words that we wrote ourselves are not compared with those of a mail.
const NOT_COMPARED = new Set([
  'customerIds',
  'contactPersonId',
  'billingCustomerId',
  'customerOrderNumber',
  'description',
])

/** The rows of an order that a mail can speak of, by their places: stops that are driven, of a kind that mails name. */
function rowsOf(order: Order, list: Lists): number[] {
  if (list === 'cargo') return order.cargo.map((_line, place) => place)
  return order.locations.flatMap(({ kind, canceledAt }, place) =>
    kind === 'other' || canceledAt !== null ? [] : place,
  )
}

/** True where the rows of the mail are those of the order, one for one. */
function fits(order: Order, { values }: Compared, list: Lists): boolean {
  const places = rowsOf(order, list)
  if (places.length !== values[list].length) return false
  return list === 'cargo' || values.locations.every(({ kind }, place) => order.locations[places[place]!]!.kind === kind)
}

const PARTS = ['kind', 'dateFrom', 'timeFrom', 'dateTo', 'timeTo'] as const

function isSame(one: ChangeValue, other: ChangeValue): boolean {
  if (typeof one === 'string' && typeof other === 'string') return lettersOf(one) === lettersOf(other)
  if (one !== null && other !== null && typeof one === 'object' && typeof other === 'object')
    return PARTS.every((part) => one[part] === other[part])
  return one === other
}

const isValue = (value: unknown): value is ChangeValue =>
  value === null || typeof value !== 'object' || 'dateFrom' in (value as object)

/** At a dotted path; undefined where there is nothing that can be compared. */
function valueAt(of: object, path: string): ChangeValue | undefined {
  let value: unknown = of
  for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
  return value === undefined || !isValue(value) ? undefined : value
}

/**
 * Where a mail says something else than the order of the same number; what the mail does not say, and what is filled in
 * from our own records, is no difference. Of lists with another number of rows only that is said.
 */
export function differencesOf(order: Order, draft: Compared): Difference[] {
  const { values, marks } = draft
  const lists = { cargo: fits(order, draft, 'cargo'), locations: fits(order, draft, 'locations') }
  const found: Difference[] = []
  for (const list of ['locations', 'cargo'] as const)
    if (!lists[list] && values[list].length > 0)
      found.push({
        path: list,
        isTakeable: false,
        now: rowsOf(order, list).length,
        after: values[list].length,
        isSure: false,
        span: null,
      })
  for (const { path, state, span } of marks) {
    const [top, place, name] = path.split('.')
    const isRow = top === 'cargo' || top === 'locations'
    if (state === 'record' || NOT_COMPARED.has(path) || (isRow && !lists[top])) continue
    const there = isRow ? `${top}.${rowsOf(order, top)[Number(place)]!}.${name}` : path
    const after = valueAt(values, path)
    const now = valueAt(order, there)
    if (after === undefined || after === null || now === undefined || isSame(now, after)) continue
    // A period that is the customer's own counts where the order names none.
    if (path === 'paymentPeriodDays' && now === null && state === 'sure') continue
    found.push({ path: there, isTakeable: true, now, after, isSure: state === 'sure', span })
  }
  return found
}
