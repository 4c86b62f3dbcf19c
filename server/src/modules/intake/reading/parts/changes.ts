import { long } from '../text/long.ts'
import type { ReadChange } from '@waybill/contract/intake/reading'
import { scan, type Found } from '../find/found.ts'
import { CANCELS } from './kind.ts'
import { leaf, type Leaf } from './draft.ts'
import type { Findings } from './findings.ts'
import { terminOf } from './termin.ts'

export interface DraftChange {
  reference: Leaf<string> | null
  field: Leaf<ReadChange['field']>
  of: Leaf<string> | null
  to: Leaf<ReadChange['to']>
  money?: ReadChange['money']
}

interface Number_ extends Found {
  value: string
}

const CODE = new RegExp(
  long`
    (?<![a-z0-9./-])(?:(?=[a-z0-9./-]{0,24}\d)[a-z0-9]{1,10}(?:[-/][a-z0-9]{1,10}){1,4}|[a-z]{2,4}\s\d{3,7}
    |[a-z]{1,4}\d{3,9}|\d{6,12})(?![a-z0-9]|[.:/-]\d)
  `,
  'g',
)
const NO_CODE = new RegExp(long`
    ^(?:am|um|ab|auf|zu|je|po|ca|bis|den|do|na|od|to|on|at|by|from|vom|mit|uber|bei|nach|kw|and|und|for|jan|feb|mar|apr
    |may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\s
  `)

/** The numbers of orders in a text: after their labels, and what looks like one elsewhere. */
function numbersIn(found: Findings): Number_[] {
  const labelled = found.references.filter(({ use }) => use === 'order' || use === 'any')
  const others = scan(CODE, found.low).flatMap((match): Number_[] => {
    const value = found.text.slice(match.index, match.index + match[0].length)
    const isDay = /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$/.test(match[0]) && !/^\d{4}\/\d{3}/.test(match[0])
    const isTaken = [
      ...found.contacts,
      ...found.days,
      ...found.times,
      ...found.places,
      ...found.money,
      ...found.weights,
      ...found.quantities,
    ].some((one) => match.index < one.to && match.index + match[0].length > one.from)
    if (isDay || isTaken || NO_CODE.test(match[0])) return []
    if (labelled.some((one) => match.index < one.to && match.index + match[0].length > one.from)) return []
    return [{ from: match.index, to: match.index + match[0].length, value }]
  })
  return [...labelled, ...others].sort((one, other) => one.from - other.from).slice(0, 200)
}

const CLAUSE = new RegExp(
  long`
    (?<![\d]|\b(?:[Gg]odz|ca|[Nn]r|ok|[Tt]el|[Ss]tr|ul|Mr|Mrs|Dr|Hr|Fr|St|[Rr]ef|[Nn]o))[.;!?]\s(?!\d)
    |(?<=\d)[.;!?]\s(?=\p{Lu})|\n|\(\d\)|\s-\s|,\s(?:and|und|oraz|i|a)\s
    |,\s(?=aber|but|außerdem|au.erdem|also|sowie)
  `,
  'gu',
)
const PICK_UP = /abhol|belad|\blad(?:e|ung)|verlad|collect|pick-?\s?up|loading|zaladun|odbior(?!c)|podje/
const DROP_OFF = /entlad|zustell|anliefer|liefer|abladen|deliver|unload|drop|rozladun|dostaw/
const NEW_QUANTITY = new RegExp(long`
    (\d{1,4})\s?(?:[a-z-]{2,16}[\s,]{1,2}){0,2}(?:,?\s?(?:statt|anstatt|anstelle von|instead of|rather than|zamiast|not
    |nicht|a nie)\s(?:\w{2,8}\s)?)(\d{1,4})(?![\d.,:]\d|\s?(?:uhr|kg|eur|€|t\b))
  `)
const OLD_QUANTITY = new RegExp(long`
    (?:statt|anstatt|instead of|zamiast)\s(\d{1,4})(?:\s?[a-z-]{2,16})?(?:,)?\s(?:jetzt|nun|sind es|now|teraz
    |bedzie|es sind|will be|it is|are)?\s?(?:nur\s|only\s|tylko\s)?(\d{1,4})(?![\d.,:]\d|\s?(?:uhr|kg|eur|€|t\b))
  `)
const OLD_BEFORE = new RegExp(long`
    (?:statt|anstatt|anstelle|instead of|rather than|zamiast|bisher|previously|von|from|\bz|not|nicht
    |,\s?nie)\s(?:am |um |on |at |w |dnia |the |dem |den |mon\w{0,4} |\S{2,12}tag )?$
  `)
const SURCHARGE = /zuschlag|surcharge|waiting|wartezeit|standgeld|postoj|doplat|extra|on top|zusatzlich/

const isIn = ({ from, to }: Found, one: Found) => one.from >= from && one.from < to

/** What a mail changes of orders placed before: which order, what, and its new value. */
export function readChanges(found: Findings, subject: Findings, subjectAt: Found): DraftChange[] {
  const numbers = numbersIn(found)
  const inSubject = numbersIn(subject).find((one) => isIn(subjectAt, one))
  const changes: DraftChange[] = []
  const bounds = [0, ...scan(CLAUSE, found.text).map(({ index, 0: mark }) => index + mark.length), found.low.length]
  let current: Number_ | null = inSubject ?? numbers[0] ?? null
  let role: 'pickUp' | 'dropOff' | null = null
  const put = (
    reference: Number_ | null,
    field: ReadChange['field'],
    to: Leaf<ReadChange['to']>,
    money?: ReadChange['money'],
  ) => {
    if (changes.some((one) => one.field.value === field && one.reference?.value === reference?.value)) return
    changes.push({
      reference: reference === null ? null : leaf(reference.value, reference),
      field: leaf(field, to),
      of: null,
      to,
      ...(money === undefined ? {} : { money }),
    })
  }
  for (const [index, from] of bounds.slice(0, -1).entries()) {
    const part = { from, to: bounds[index + 1]! }
    const low = found.low.slice(part.from, Math.min(part.to, part.from + 600))
    if (low.trim() === '') continue
    const own = numbers.filter((one) => isIn(part, one))
    if (own.length > 0) current = own[0]!
    const clearRole = PICK_UP.test(low) ? 'pickUp' : DROP_OFF.test(low) ? 'dropOff' : null
    if (clearRole !== null) role = clearRole
    const cancels = CANCELS.exec(low)
    const days = found.days.filter((one) => isIn(part, one))
    const isOfGoods = /\b(?:palet|pallet|paletten|kart|drop|second|stop|goods)\b/.test(low) && own.length === 0
    if (
      cancels !== null &&
      !isOfGoods &&
      !(index > 0 && own.length === 0 && changes.some(({ field }) => field.value === 'order'))
    ) {
      const place = { from: part.from + cancels.index, to: part.from + cancels.index + cancels[0].length }
      // Several numbers before the word: all of them.
      const meant = own.length > 0 ? own : current === null ? [] : [current]
      for (const one of meant) put(one, 'order', leaf('canceled', place))
      if (meant.length === 0) put(null, 'order', leaf('canceled', place))
      continue
    }
    const quantity = NEW_QUANTITY.exec(low)
    const old = quantity === null ? OLD_QUANTITY.exec(low) : null
    const count = quantity?.[1] ?? old?.[2]
    if (count !== undefined) {
      const match = (quantity ?? old)!
      const at = part.from + match.index + (quantity !== null ? 0 : match[0].lastIndexOf(count))
      const isMoney = found.money.some((one) => at >= one.from && at < one.to)
      if (!isMoney) put(current, 'cargo.quantity', leaf(Number(count), { from: at, to: at + count.length }))
    }
    const weights = found.weights.filter(
      (one) =>
        isIn(part, one) &&
        !/(?:statt|instead of|zamiast|weniger|less|mniej)\s?$/.test(
          found.low.slice(Math.max(0, one.from - 14), one.from),
        ) &&
        !/^\s?(?:less|weniger|mniej)/.test(found.low.slice(one.to, one.to + 8)),
    )
    if (weights[0] !== undefined) put(current, 'cargo.weightKg', leaf(weights.at(-1)!.kg, weights.at(-1)!))
    const fresh = found.money.find(
      (one) =>
        isIn(part, one) &&
        !/(?:statt|instead of|zamiast)\s(?:der |the )?(?:agreed |vereinbarten )?$/.test(
          found.low.slice(Math.max(0, one.from - 34), one.from),
        ),
    )
    if (
      fresh !== undefined &&
      !/[x*]\s?$/.test(found.low.slice(Math.max(0, fresh.from - 3), fresh.from)) &&
      fresh.use !== 'rate' &&
      fresh.use !== 'value'
    ) {
      const isSurcharge = fresh.use === 'surcharge' || SURCHARGE.test(low)
      const { cents, currency, vat } = fresh
      const money = currency === 'EUR' && vat !== 'gross' ? undefined : { currency, vat }
      put(current, isSurcharge ? 'price.surcharge' : 'price.amountCents', leaf(cents, fresh), money)
    }
    const times = found.times.filter((one) => isIn(part, one))
    if (days.length + times.length === 0) continue
    const signs = [...days, ...times].sort((one, other) => one.from - other.from)
    const isOld = (one: Found) => OLD_BEFORE.test(found.low.slice(Math.max(0, one.from - 30), one.from))
    const kept = signs.filter((one) => !isOld(one))
    // `statt morgen 8 Uhr erst um 11:00 Uhr`: the day stays, the time is the last.
    const newDay = kept.findLast(({ kind }) => kind === 'day') ?? signs.find(({ kind }) => kind === 'day')
    const newTimes = kept.filter(
      (one) =>
        one.kind === 'time' &&
        !(
          newDay !== undefined &&
          isOld(newDay) &&
          one === firstTimeAfter(signs, newDay) &&
          kept.filter(({ kind }) => kind === 'time').length > 1
        ),
    )
    const time = newTimes.findLast(({ kind }) => kind === 'time')
    if (newDay === undefined || !(kept.length > 0) || role === null) continue
    if (newDay.kind !== 'day') continue
    const gapLow = found.low
    const pair = time === undefined ? [newDay] : [newDay, { ...time, from: Math.max(time.from, newDay.from) }]
    const near =
      pair.length === 2 && Math.abs(pair[1]!.from - newDay.to) > 30
        ? [newDay, { ...time!, from: newDay.to, to: newDay.to }]
        : pair
    const termin = terminOf(
      gapLow,
      near.sort((one, other) => one.from - other.from),
    )
    if (termin === null) continue
    put(current, role === 'pickUp' ? 'pickUp.termin' : 'dropOff.termin', leaf(termin.termin, termin))
  }
  return changes
}

const firstTimeAfter = (signs: readonly (Found & { kind: string })[], day: Found) =>
  signs.find(({ kind, from }) => kind === 'time' && from > day.from)
