import type { AccountStanding } from '../kit/bank/bank.ts'
import { addDays } from '../kit/local-time.ts'
import { roundHalfAwayFromZero, vatOf } from '../kit/money.ts'
import { agreedDueDate, agreedPeriodDays, isCreditNote, type PaidRoute } from './carrier-terms.ts'

/*
 * What a carrier's invoice is checked for before it is paid (decision 074). Nothing here knows of
 * rows or screens: the server gathers the facts, the web shows what comes of them.
 */

/** In the order in which they are shown. */
export const CHECK_KEYS = ['number', 'pod', 'papers', 'amount', 'vat', 'currency', 'date', 'due', 'iban'] as const
export type CheckKey = (typeof CHECK_KEYS)[number]

/** `ok` fits, `look` is to be looked at, `stop` speaks against paying, `open` is not known, `running` is at work. */
export const CHECK_LEVELS = ['ok', 'look', 'stop', 'open', 'running'] as const
export type CheckLevel = (typeof CHECK_LEVELS)[number]

/** What is said of the expected value; each has its sentence in the web. */
export const CHECK_SAYINGS = [
  'numberNew',
  'numberCanceled',
  'numberAlike',
  'numberOther',
  'podAccepted',
  'podToCheck',
  'podMissing',
  'podNotNeeded',
  'noTransport',
  'papersValid',
  'papersInsured',
  'papersExpired',
  'papersMissing',
  'papersUnknown',
  'amountAgreed',
  'amountWithin',
  'amountDiffers',
  'amountShared',
  'amountOpen',
  'amountOfOthers',
  'amountCurrency',
  'amountCredit',
  'vatHome',
  'vatReverse',
  'vatOutside',
  'vatNoNumber',
  'vatNone',
  'vatCharged',
  'vatRate',
  'vatSum',
  'currencyEuro',
  'currencyOther',
  'currencyUnread',
  'dateAfterUnloading',
  'dateBeforeUnloading',
  'dateFits',
  'dateFuture',
  'dateNone',
  'dueFits',
  'dueNone',
  'dueEarly',
  'dueCredit',
  'duePrepaid',
  'ibanConfirmed',
  'ibanFresh',
  'ibanUnconfirmed',
  'ibanUnknown',
  'ibanNone',
  'ibanNotNeeded',
] as const
export type CheckSaying = (typeof CHECK_SAYINGS)[number]

/** What an amount that was not agreed is for. `other` needs a reason. */
export const DIFFERENCE_KINDS = ['waiting', 'tolls', 'weight', 'customs', 'deduction', 'other'] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

export interface Check {
  key: CheckKey
  level: CheckLevel
  /** as the invoice says it: cents, hundredths of a percent, a date, or words */
  found: string | number | null
  expected: { says: CheckSaying; values: Record<string, string | number | null> }
  /** what approving it asks for: what the difference is for, or a reason */
  answer?: 'difference' | 'reason'
}

export interface CheckFacts {
  number: string | null
  /** below zero on a credit note */
  amountCents: number
  vatBp: number | null
  vatCents: number
  totalCents: number
  /** what its electronic invoice leaves to pay after prepayments; null where that says of none */
  leftToPayCents: number | null
  iban: string | null
  documentCreationDate: string | null
  dueDate: string | null
  /** the day by the clock of our company */
  today: string
  /** on which the invoice came */
  arrivedOn: string
  /** the payment period stood still for so long */
  stoppedDays: number
  /** the company's */
  toleranceCents: number
  /** numbers of the routes that it is for */
  routes: readonly string[]
  /** those of them that this carrier does not drive any more */
  leftRoutes: readonly string[]
  /** net, of all its routes, without what was invoiced before; null where none has a cost */
  agreedCents: number | null
  /** what it bills for each of several routes, against what is left of the agreed cost */
  shares: readonly { route: string; agreedCents: number; differenceCents: number }[]
  carrier: { countryCode: string | null; isInEu: boolean; hasVatNumber: boolean; needsLicence: boolean }
  /** what a carrier of its country charges us */
  expectedVatBp: number
  companyCountryCode: string | null
  account: AccountStanding
  /** a canceled invoice of this carrier had the same number */
  wasCanceled: boolean
  /** of the same amount, and the same number but for its groups and leading zeros */
  alikeInvoice: string | null
  /** number of another invoice of this carrier for one of its routes */
  otherInvoice: string | null
  /** of each route */
  pods: readonly ('missing' | 'toCheck' | 'accepted')[]
  /** name of the newest proof of delivery */
  podTitle: string | null
  /** of each route: the agreed days, and when its proof of delivery came */
  paidRoutes: readonly PaidRoute[]
  /** of the electronic invoice, `unread` where that could not be read yet, else that of the record; null: not asked */
  currency: string | null
  /** on which it was unloaded, as far as that is known */
  unloadedOn: string | null
  /** on which it was to be unloaded, or was */
  transportOn: string | null
  /** of the carrier, with the day until which each is valid */
  papers: readonly { documentType: string; validUntil: string }[]
}

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Papers that a carrier must have for every transport, the licence unless it needs none. */
const NEEDED_PAPERS = ['EU_LICENSE', 'INSURANCE_DOCUMENT'] as const

type Values = Check['expected']['values']
type Said = Omit<Check, 'key'>

const said = (
  level: CheckLevel,
  found: Check['found'],
  says: CheckSaying,
  values: Values = {},
  answer?: Check['answer'],
): Said => ({ level, found, expected: { says, values }, ...(answer && { answer }) })

const stop = (found: Check['found'], says: CheckSaying, values: Values = {}): Said =>
  said('stop', found, says, values, 'reason')

function numberOf(facts: CheckFacts): Said {
  const { number, wasCanceled, alikeInvoice, otherInvoice } = facts
  if (alikeInvoice !== null) return stop(number, 'numberAlike', { other: alikeInvoice })
  if (otherInvoice !== null && !isCreditNote(facts)) return said('look', number, 'numberOther', { other: otherInvoice })
  return wasCanceled ? said('look', number, 'numberCanceled') : said('ok', number, 'numberNew')
}

function podOf(facts: CheckFacts): Said {
  const { pods, podTitle } = facts
  if (isCreditNote(facts)) return said('ok', podTitle, 'podNotNeeded')
  if (pods.length === 0) return said('open', null, 'noTransport')
  const missing = pods.filter((state) => state === 'missing').length
  if (missing > 0) return stop(null, 'podMissing', { count: missing })
  const toCheck = pods.filter((state) => state === 'toCheck').length
  return toCheck > 0
    ? said('look', podTitle, 'podToCheck', { count: toCheck })
    : said('ok', podTitle, 'podAccepted', { count: pods.length })
}

function papersOf({ papers, transportOn, today, carrier }: CheckFacts): Said {
  const day = transportOn ?? today
  const needed = NEEDED_PAPERS.filter((type) => type !== 'EU_LICENSE' || carrier.needsLicence)
  const newest = needed
    .flatMap((type) => {
      const ends = papers.filter(({ documentType }) => documentType === type).map(({ validUntil }) => validUntil)
      return ends.length === 0 ? [] : [{ documentType: type, validUntil: ends.toSorted().at(-1)! }]
    })
    .toSorted((a, b) => a.validUntil.localeCompare(b.validUntil))
  const [first] = newest
  if (first !== undefined && first.validUntil < day)
    return said('look', first.validUntil, 'papersExpired', { ...first, day })
  const [missing, other] = needed.filter((type) => newest.every(({ documentType }) => documentType !== type))
  if (missing !== undefined)
    return other === undefined
      ? said('open', null, 'papersMissing', { documentType: missing })
      : said('open', null, 'papersUnknown')
  return said('ok', first!.validUntil, carrier.needsLicence ? 'papersValid' : 'papersInsured', { day })
}

function amountOf(facts: CheckFacts): Said {
  const { amountCents, agreedCents, shares, routes, leftRoutes, toleranceCents } = facts
  if (isCreditNote(facts)) return said('look', amountCents, 'amountCredit')
  const route = routes.join(', ')
  if (routes.length === 0) return said('look', amountCents, 'noTransport')
  if (agreedCents === null && leftRoutes.length > 0)
    return stop(amountCents, 'amountOfOthers', { route: leftRoutes.join(', ') })
  if (agreedCents === null) return said('look', amountCents, 'amountOpen', { route })
  // Nothing is booked as a difference between two currencies.
  if (isForeign(facts)) return said('look', amountCents, 'amountCurrency', { agreedCents, route })
  const differenceCents = amountCents - agreedCents
  const values = { agreedCents, differenceCents, toleranceCents, route }
  if (Math.abs(differenceCents) <= toleranceCents) {
    const off = shares.find((share) => Math.abs(share.differenceCents) > toleranceCents)
    if (off !== undefined) return said('look', amountCents, 'amountShared', { ...values, ...off }, 'difference')
    return said('ok', amountCents, differenceCents === 0 ? 'amountAgreed' : 'amountWithin', values)
  }
  const differenceBp = agreedCents === 0 ? null : roundHalfAwayFromZero(differenceCents * 10_000, agreedCents)
  return said('look', amountCents, 'amountDiffers', { ...values, differenceBp }, 'difference')
}

function vatCheck({ amountCents, vatBp, vatCents, carrier, companyCountryCode, expectedVatBp }: CheckFacts): Said {
  const isHome = companyCountryCode === null || carrier.countryCode === companyCountryCode
  const expectedBp = expectedVatBp
  const values = { expectedBp, carrier: carrier.countryCode, company: companyCountryCode }
  const rate = vatBp ?? (vatCents === 0 ? 0 : expectedBp)
  // Each rounds in its own way.
  if (Math.abs(vatCents - vatOf(amountCents, rate)) > 1)
    return stop(rate, 'vatSum', { ...values, expectedCents: vatOf(amountCents, rate), vatCents })
  if (isHome) {
    if (rate === expectedBp) return said('ok', rate, 'vatHome', values)
    // Small businesses charge none; a wrong rate cannot be deducted.
    return rate === 0 ? said('look', rate, 'vatNone', values) : stop(rate, 'vatRate', values)
  }
  if (rate !== 0) return stop(rate, 'vatCharged', values)
  if (!carrier.isInEu) return said('ok', rate, 'vatOutside', values)
  return carrier.hasVatNumber ? said('ok', rate, 'vatReverse', values) : said('look', rate, 'vatNoNumber', values)
}

/** In a currency that we do not pay in. */
const isForeign = ({ currency }: CheckFacts): boolean =>
  currency !== null && currency !== 'unread' && currency !== 'EUR'

function currencyOf({ currency }: CheckFacts): Said {
  if (currency === 'unread') return said('open', null, 'currencyUnread')
  return currency === null || currency === 'EUR'
    ? said('ok', 'EUR', 'currencyEuro')
    : stop(currency, 'currencyOther', { currency })
}

function dateOf({ documentCreationDate: date, today, unloadedOn }: CheckFacts): Said {
  if (date === null) return said('look', null, 'dateNone')
  if (date > today) return stop(date, 'dateFuture', { today })
  if (unloadedOn === null) return said('ok', date, 'dateFits')
  const days = daysBetween(unloadedOn, date)
  return days < 0
    ? said('look', date, 'dateBeforeUnloading', { unloadedOn })
    : said('ok', date, 'dateAfterUnloading', { unloadedOn, count: days })
}

/** The first day on which a carrier's invoice may be due, and the days from which it is counted. */
function earliestDue({ arrivedOn, paidRoutes, stoppedDays }: CheckFacts): { date: string; days: number } {
  const routes =
    paidRoutes.length > 0
      ? paidRoutes
      : [{ periodDays: agreedPeriodDays({ assignment: null, carrier: null }), podArrivedOn: null }]
  return {
    date: addDays(agreedDueDate(arrivedOn, routes).date, stoppedDays),
    days: Math.max(...routes.map(({ periodDays }) => periodDays)),
  }
}

function dueOf(facts: CheckFacts): Said {
  const { dueDate, totalCents, leftToPayCents } = facts
  if (isCreditNote(facts)) return said('ok', dueDate, 'dueCredit')
  // A payment run pays the total.
  if (leftToPayCents !== null && leftToPayCents < totalCents)
    return stop(dueDate, 'duePrepaid', { leftToPayCents, totalCents })
  const { date: earliest, days } = earliestDue(facts)
  if (dueDate === null) return said('ok', null, 'dueNone', { earliest, count: days })
  return dueDate < earliest
    ? said('look', dueDate, 'dueEarly', { earliest, count: days })
    : said('ok', dueDate, 'dueFits', { earliest, count: days })
}

// No reason is asked for approving: the account itself keeps the payment back.
const IBAN_SAYINGS = {
  unknown: ['stop', 'ibanUnknown'],
  unconfirmed: ['stop', 'ibanUnconfirmed'],
  fresh: ['look', 'ibanFresh'],
  confirmed: ['ok', 'ibanConfirmed'],
} as const satisfies Record<AccountStanding, readonly [CheckLevel, CheckSaying]>

function ibanOf(facts: CheckFacts): Said {
  const { iban, account } = facts
  if (isCreditNote(facts)) return said('ok', iban, 'ibanNotNeeded')
  if (iban === null) return said('stop', null, 'ibanNone')
  const [level, says] = IBAN_SAYINGS[account]
  return said(level, iban, says)
}

const RULES: Readonly<Record<CheckKey, (facts: CheckFacts) => Said>> = {
  number: numberOf,
  pod: podOf,
  papers: papersOf,
  amount: amountOf,
  vat: vatCheck,
  currency: currencyOf,
  date: dateOf,
  due: dueOf,
  iban: ibanOf,
}

/** All checks of a carrier's invoice, in the order in which they are shown. */
export const checksOf = (facts: CheckFacts): Check[] => CHECK_KEYS.map((key) => ({ key, ...RULES[key](facts) }))

/** What all checks come to: the gravest of them, and which are not fine. */
export function verdictOf(checks: readonly Pick<Check, 'key' | 'level'>[]): {
  level: Extract<CheckLevel, 'ok' | 'look' | 'stop'>
  keys: CheckKey[]
} {
  const [stops, looks] = (['stop', 'look'] as const).map((level) => checks.filter((check) => check.level === level))
  const level = stops!.length > 0 ? 'stop' : looks!.length > 0 ? 'look' : 'ok'
  return { level, keys: [...stops!, ...looks!].map(({ key }) => key) }
}

/** What still has to be said before an invoice with these checks can be approved. */
export function missingForApproval(
  checks: readonly Check[],
  { difference, reason }: { difference: DifferenceKind | null; reason: string | null },
): { path: 'answers.amount' | 'reason'; code: 'required' | 'reason_missing' }[] {
  const asks = (answer: Check['answer']) => checks.some((check) => check.answer === answer)
  const needsDifference = asks('difference') && difference === null
  const needsReason = (asks('reason') || difference === 'other') && !reason?.trim()
  return [
    ...(needsDifference ? [{ path: 'answers.amount' as const, code: 'required' as const }] : []),
    ...(needsReason ? [{ path: 'reason' as const, code: 'reason_missing' as const }] : []),
  ]
}

/** From the fifth day on an invoice has waited long. */
export const OLD_DAYS = 5
