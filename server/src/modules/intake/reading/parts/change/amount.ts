import type { ExtraKind } from '@waybill/contract/order/extra'
import { isIn, type Found } from '../../find/found.ts'
import type { Money } from '../../find/money.ts'
import { long } from '../../text/long.ts'
import type { Findings } from '../findings.ts'
import { isAdding } from './added-words.ts'
import { isOldAt, lowOf } from './words.ts'

const ON_TOP = new RegExp(long`
    zuschlag|surcharge|\bwait|wartezeit|standgeld|stehgeld|demurrage|posto[jiu]|doplat|doplac|dolicz|\bextra\b
    |on top|zusatzlich|separat|osobno|gesondert|maut|\btolls?\b|\bferry|\bprom(?:em|u)\b|oplat
  `)
const PRICE = /preis|\bfracht(?!brief)|\brate\b|\bprice\b|\bfreight\b|\bstawk|\bcen[aye]\b/

const EXTRAS: readonly (readonly [ExtraKind, RegExp])[] = [
  ['waiting_time', /wartezeit|standgeld|stehgeld|standzeit|\bwait|demurrage|detention|posto[jiu]/],
  ['ferry', /\bfahr(?:e|kosten|uberfahrt)|\bferry|\bprom(?:em|u|ow[ay])?\b/],
  ['tolls', /maut|\btolls?\b|\bmyto|oplat\w{0,3} drogow|autostrad/],
  ['customs', /zoll(?!stock)|customs|\bceln|\bodpraw/],
  ['detour', /umweg|detour|objazd|mehrkilometer|\bextra km/],
  ['pallets', /palettentausch|tauschpaletten|pallet exchange|wymian\w{0,2} palet/],
  ['storage', /lagergeld|lagerung|storage|magazynowan|skladowan/],
  ['cancellation', /storno|cancellation|anulacj|leerfahrt|dead freight/],
  ['handling', /hebebuhne|tail-?\s?lift|\bwind[ayz]\b|handling|umschlag|przeladun|stapler|forklift|wozek/],
  [
    'additional_stop',
    new RegExp(long`
    zusatz\w{0,6} ?(?:stopp|entlade|belade|lade|stelle)|(?:extra|additional|second) (?:stop|drop|call)
    |dodatkow\w{1,3} (?:rozladun|zaladun|punkt)
  `),
  ],
]
const kindOfExtra = (low: string): ExtraKind => EXTRAS.find(([, words]) => words.test(low))?.[0] ?? 'other'

// `3 h x 45 EUR`: so many at so much; the money stands behind it.
const TIMES_RATE =
  /(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:h|std\.?|stunden?|hours?|hrs|godz\w*\.?)\s?(?:[x*×]|a|à|je|at|po|zu)\s{0,2}$/
const AGREED_BEFORE = /(?:statt|instead of|zamiast)\s(?:der |the )?(?:agreed |vereinbarten )?$/

interface AskedAmount {
  cents: number
  of: Money
  /** what it is for beside the freight; null: it is the price */
  extra: ExtraKind | null
}

/** What a sentence asks for in money, as its new price or as something on top. */
export function amountIn(found: Findings, part: Found): AskedAmount | null {
  const low = lowOf(found, part)
  const asked = (cents: number, of: Money): AskedAmount => {
    const kind = kindOfExtra(low)
    const isOnTop =
      of.use === 'surcharge' || (!PRICE.test(low) && (kind !== 'other' || ON_TOP.test(low) || isAdding(low)))
    return { cents, of, extra: isOnTop ? kind : null }
  }
  const before = ({ from }: Money, most: number) => found.low.slice(Math.max(0, from - most), from)
  const own = found.money.filter(
    (one) => isIn(part, one) && one.use !== 'value' && !AGREED_BEFORE.test(before(one, 34)),
  )
  const rateOf = (one: Money) => TIMES_RATE.exec(before(one, 24))
  const wholes = own.filter((one) => rateOf(one) === null && one.use !== 'rate')
  // `from 890 EUR to 940 EUR`
  const whole = wholes.find(({ from }) => !isOldAt(found, from)) ?? wholes.at(-1)
  if (whole !== undefined) return asked(whole.cents, whole)
  const rated = own.find((one) => rateOf(one) !== null)
  if (rated === undefined) return null
  return asked(Math.round(rated.cents * Number(rateOf(rated)![1]!.replace(',', '.'))), rated)
}
