import type { ReadChange } from '@waybill/contract/intake/reading'
import type { ExtraKind } from '@waybill/contract/order/extra'
import { isIn, scan, type Found } from '../../find/found.ts'
import type { Towns } from '../../find/places.ts'
import { long } from '../../text/long.ts'
import { leaf, type DraftCargo, type DraftStop, type Leaf, type Maybe } from '../draft.ts'
import type { Findings } from '../findings.ts'
import { CANCELS } from '../kind.ts'
import { addedCargo, addedStops } from './added.ts'
import { amountIn } from './amount.ts'
import { numbersIn, stopNumberIn, type OrderNumber } from './numbers.ts'
import { newOf } from './old-parts.ts'
import { townNamed } from './towns.ts'
import { newQuantity, newTermin, newWeight } from './values.ts'
import { isSaidToStay, lowOf, roleBefore, roleOf, SAME } from './words.ts'

export interface DraftChange {
  reference: Leaf<string> | null
  field: Leaf<ReadChange['field']>
  of: Leaf<string> | null
  to: Leaf<ReadChange['to']> | DraftStop | DraftCargo
  money?: { currency: Leaf<string>; vat: Maybe<'net' | 'gross' | 'reverse_charge'> }
  extra?: Leaf<ExtraKind>
}

const CLAUSE = new RegExp(
  long`
    (?<![\d]|\b(?:[Gg]odz|[Ss]td|[Mm]in|inkl|zzgl|bzw|evtl|ggf|max|mind
    |ca|[Nn]r|ok|[Tt]el|[Ss]tr|ul|Mr|Mrs|Dr|Hr|Fr|St|[Rr]ef|[Nn]o))[.;!?]\s(?!\d)
    |(?<=\d)[.;!?]\s(?=\p{Lu})|\n|\(\d\)|\s-\s|,\s(?:and|und(?! zwar)|oraz|i|a)\s|,\s(?=aber|but|außerdem|au.erdem
    |also|sowie)
  `,
  'gu',
)

type More = Partial<Pick<DraftChange, 'of' | 'money' | 'extra'>>

const SEVERAL = new Set<ReadChange['field']>(['stop.added', 'cargo.added', 'price.surcharge'])

/** Takes a change in: of each field of an order the first counts, and of a stop's each town's. */
function put(
  changes: DraftChange[],
  reference: OrderNumber | null,
  field: ReadChange['field'],
  to: DraftChange['to'],
  more: More = {},
): void {
  const isThere = (one: DraftChange) =>
    one.field.value === field &&
    one.reference?.value === reference?.value &&
    (one.of === null || !more.of || one.of.value === more.of.value)
  if (!SEVERAL.has(field) && changes.some(isThere)) return
  const place: Found = 'value' in to ? to : Object.values(to).find((one) => one !== null)!
  changes.push({
    reference: reference === null ? null : leaf(reference.value, reference),
    field: leaf(field, place),
    of: null,
    to,
    ...more,
  })
}

/** What a mail changes of orders placed before: which order, what, and its new value. */
export function readChanges(all: Findings, subject: Findings, subjectAt: Found, towns: Towns): DraftChange[] {
  const found = newOf(all)
  const bounds = [0, ...scan(CLAUSE, found.text).map(({ index, 0: mark }) => index + mark.length), found.low.length]
  const parts = bounds
    .slice(0, -1)
    .map((from, index) => ({ from, to: bounds[index + 1]! }))
    .filter((part) => lowOf(found, part).trim() !== '')
  const added = addedStops(found, towns)
  const isOfAdded = (one: Found) => added.some(({ at }) => isIn(at, one))
  const stopNumbers = parts.map((part) => stopNumberIn(found, part))
  const numbers = numbersIn(found, [...stopNumbers.filter((one) => one !== null), ...added.map(({ at }) => at)])
  const changes: DraftChange[] = []
  let order: OrderNumber | null = numbersIn(subject, []).find((one) => isIn(subjectAt, one)) ?? numbers[0] ?? null
  let role: 'pickUp' | 'dropOff' | null = null
  let town: Maybe<string> = null
  for (const [index, part] of parts.entries()) {
    const low = lowOf(found, part)
    const own = numbers.filter((one) => isIn(part, one))
    order = own[0] ?? order
    for (const { at, stop } of added) if (isIn(part, at)) put(changes, order, 'stop.added', stop)
    const clearRole = roleOf(low)
    const named = townNamed(found, part, towns)
    if (clearRole !== null || named !== null) town = named
    role = clearRole ?? role
    const cancels = CANCELS.exec(low)
    const isOfGoods = /\b(?:palet|pallet|paletten|kart|drop|second|stop|goods)\b/.test(low) && own.length === 0
    const isRepeated = index > 0 && own.length === 0 && changes.some(({ field }) => field.value === 'order')
    if (cancels !== null && !isOfGoods && !isRepeated) {
      const place = { from: part.from + cancels.index, to: part.from + cancels.index + cancels[0].length }
      // Several numbers before the word: all of them.
      for (const one of own.length > 0 ? own : [order]) put(changes, one, 'order', leaf('canceled', place))
      continue
    }
    const line = addedCargo(found, part)
    const quantity = line === null ? newQuantity(found, part) : null
    const weight = line === null ? newWeight(found, part) : null
    if (line !== null) put(changes, order, 'cargo.added', line)
    if (quantity !== null) put(changes, order, 'cargo.quantity', quantity)
    if (weight !== null) put(changes, order, 'cargo.weightKg', weight)
    const amount = amountIn(found, part)
    if (amount !== null) {
      const { of, cents, extra } = amount
      put(changes, order, extra === null ? 'price.amountCents' : 'price.surcharge', leaf(cents, of), {
        ...((of.currency !== 'EUR' || of.vat === 'gross') && {
          money: { currency: leaf(of.currency, of), vat: of.vat === null ? null : leaf(of.vat, of) },
        }),
        ...(extra !== null && { extra: leaf(extra, of) }),
      })
    }
    const number = stopNumbers[index]!
    if (number !== null && !SAME.test(low) && !isOfAdded(number))
      put(changes, order, `${number.use}.reference`, leaf(number.value, number), { of: named })
    // `Standgeld vom Montag` moves nothing.
    if (amount !== null && amount.extra !== null) continue
    const days = found.days.filter((one) => isIn(part, one) && !isOfAdded(one) && !isSaidToStay(found, one))
    const [first] = days
    if (first === undefined) continue
    role = roleBefore(found, part, first) ?? role
    const times = found.times.filter((one) => isIn(part, one) && !isOfAdded(one))
    const termin = role === null ? null : newTermin(found, days, times)
    if (termin !== null) put(changes, order, `${role!}.termin`, leaf(termin.termin, termin), { of: town })
  }
  return changes
}
