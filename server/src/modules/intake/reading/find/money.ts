import { long } from '../text/long.ts'
import { NUMBER, numberOf, scan, type Found } from './found.ts'

export interface Money extends Found {
  cents: number
  /** in whole units of its currency and their parts, as it is written */
  amount: number
  currency: string
  /** of what the words beside it say it is */
  use: 'price' | 'value' | 'surcharge' | 'rate' | null
  vat: 'net' | 'gross' | 'reverse_charge' | null
}

const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  chf: 'CHF',
  sfr: 'CHF',
  fr: 'CHF',
  pln: 'PLN',
  zl: 'PLN',
  zlotych: 'PLN',
  czk: 'CZK',
  kc: 'CZK',
  huf: 'HUF',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  ron: 'RON',
  usd: 'USD',
  $: 'USD',
}
const CURRENCY = '€|£|\\$|euros?|eur|gbp|pounds?|chf|sfr|pln|zlotych|zl|czk|kc|huf|sek|nok|dkk|ron|usd'
const AMOUNT = String.raw`(?:${NUMBER})(?:[.,]-{1,2})?`
// `4 EUR-Paletten` are pallets.
const AFTER = new RegExp(String.raw`(${AMOUNT})\s?(${CURRENCY})(?![a-z]|[- ]{1,2}pal)`, 'g')
const BEFORE = new RegExp(String.raw`(?<![a-z])(${CURRENCY})\s{0,3}(${AMOUNT})`, 'g')

const VALUE =
  /(?:warenwert|wert|value|wartosc|insured|versicher\w{0,8}|ubezpiecz\w{0,6}|zollwert|nachnahme|cod)\b[^\n\d]{0,24}$/
const SURCHARGE = new RegExp(long`
    (?:zuschlag|surcharge|extra|doplat\w|standgeld|stehgeld|demurrage|waiting|wartezeit|postojow\w{0,2}|maut|toll
    |diesel|floater|penalty|vertragsstrafe|kara|kary|storno\w{0,8}|deposit|fee|gebuhr|oplat\w|zuzuglich
    |plus)\b[^\n\d]{0,30}$
  `)
const RATE_AFTER = new RegExp(long`
    ^\s{0,2}(?:\/|pro |per |za |je |a )\s?(?:t\b|to\b|ton\w{0,3}|100 ?kg|h\b|hour|std|stunde|godz|km\b|tag|day
    |dzien|pal|stellplatz|ldm|started|angefangen|kazd|rozpoczet)
  `)
const PRICE = new RegExp(long`
    (?:preis|fracht\w{0,8}|frachtpreis|pauschal\w{0,2}|frei|rate|price|freight|agreed|stawka|stawke|cena|cene
    |fracht|frachtu|kosten|vergutung|budget|all[- ]in|for|fur|za|kwota|wynagrodzenie|offer|charge)\b[^\n\d]{0,40}$
  `)

const NET = new RegExp(long`
    zzgl|zuzugl|netto|\bnet\b|\+\s{0,2}(?:\d{1,2}\s?%\s?)?(?:mwst|mwst|ust|vat|must)|excl|ex vat|ohne mwst
    |plus (?:vat|mwst|ust)|exkl|bez vat|\+\s?vat
  `)
const GROSS = /\bbrutto\b|\bincl|inkl|\bgross\b|z vat\b|including vat/
const REVERSE = /reverse|odwrotne|steuerschuldnerschaft|art\. ?28b/

/** Whether a price is net, gross or with reversed charge, from the words after or before it. */
export const vatIn = (low: string): Money['vat'] =>
  REVERSE.test(low) ? 'reverse_charge' : NET.test(low) ? 'net' : GROSS.test(low) ? 'gross' : null

/** Amounts with their currency: nothing else is money. */
export function findMoney(low: string): Money[] {
  const matches = [
    ...scan(AFTER, low).map((match) => ({ match, written: match[1]!, currency: match[2]! })),
    ...scan(BEFORE, low).map((match) => ({ match, written: match[2]!, currency: match[1]! })),
  ].sort((one, other) => one.match.index - other.match.index || other.match[0].length - one.match[0].length)
  const found: Money[] = []
  for (const { match, written, currency } of matches) {
    const from = match.index
    const to = from + match[0].length
    const last = found.at(-1)
    if (last && from < last.to) continue
    const value = numberOf(written, true)
    if (!Number.isFinite(value) || value <= 0 || value > 50_000_000) continue
    const before = low.slice(Math.max(0, from - 60), from)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const after = low.slice(to, to + 60).replace(/\n.*$/s, '')
    const use = RATE_AFTER.test(after)
      ? 'rate'
      : VALUE.test(line)
        ? 'value'
        : SURCHARGE.test(line)
          ? 'surcharge'
          : PRICE.test(line)
            ? 'price'
            : null
    found.push({
      from,
      to,
      cents: Math.round(value * 100),
      amount: value,
      currency: CURRENCIES[currency] ?? 'EUR',
      use,
      vat: vatIn(after.replace(/[.;]\s.*$/, '')) ?? (/netto|\bnet\b/.test(line.slice(-16)) ? 'net' : null),
    })
  }
  return found
}

export interface PaymentPeriod extends Found {
  days: number
}

const DAYS = /(?<![\d.,])(\d{1,3})\s?(?:-\s?)?(tage?n?|days?|dni|dniowy|tg\.?)(?![a-z])/g
const PAYMENT = new RegExp(long`
    zahl|payment|pay\b|payable|platnosc|platne|przelew|termin plat|netto|\bnet\b|rechnung|invoice|faktur|terms
    |skonto|eur|€|vat|mwst|chf|gbp|£|pln|rate|stawka|fracht
  `)
const NO_PAYMENT =
  /(?:binnen|within|innerhalb|w ciagu|spatestens|before|vorher|earlier|lieferzeit|laufzeit|transit|cmr|pod)[^\n]{0,24}$/
const NO_PAYMENT_AFTER = /^\s{0,2}(?:vorher|before|earlier|przed|wczesniej|skonto)/

/** The days in which the price is paid. */
export function findPaymentPeriods(low: string): PaymentPeriod[] {
  return scan(DAYS, low).flatMap((match) => {
    const from = match.index
    const to = from + match[0].length
    const line = low.slice(Math.max(0, from - 90), from).replace(/^.*\n/s, '')
    const after = low.slice(to, to + 40).replace(/\n.*$/s, '')
    const days = Number(match[1])
    if (days < 1 || days > 180 || NO_PAYMENT_AFTER.test(after)) return []
    const isPayment = /zahl|payment|payable|platnosc|platne|przelew|plat/.test(line.slice(-60))
    if (!isPayment && NO_PAYMENT.test(line)) return []
    if (!isPayment && !PAYMENT.test(line.slice(-70)) && !PAYMENT.test(after)) return []
    return [{ from, to, days }]
  })
}
