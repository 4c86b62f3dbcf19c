import { describe, expect, test } from 'vitest'
import { accountStanding, showsIban } from '../kit/bank/bank.ts'
import {
  CHECK_KEYS,
  checksOf,
  missingForApproval,
  verdictOf,
  type CheckFacts,
  type CheckKey,
  type CheckLevel,
  type CheckSaying,
} from './check.ts'

const fitting: CheckFacts = {
  number: 'FV/2026/12/0088',
  amountCents: 118_000,
  vatBp: 0,
  vatCents: 0,
  totalCents: 118_000,
  leftToPayCents: null,
  iban: 'PL61109010140000071219812874',
  documentCreationDate: '2026-12-07',
  dueDate: '2027-01-06',
  today: '2026-12-08',
  arrivedOn: '2026-12-07',
  stoppedDays: 0,
  toleranceCents: 0,
  routes: ['26-04817/1'],
  leftRoutes: [],
  agreedCents: 118_000,
  shares: [{ route: '26-04817/1', agreedCents: 118_000, differenceCents: 0 }],
  carrier: { countryCode: 'PL', isInEu: true, hasVatNumber: true, needsLicence: true },
  expectedVatBp: 0,
  companyCountryCode: 'DE',
  account: 'confirmed',
  wasCanceled: false,
  alikeInvoice: null,
  otherInvoice: null,
  pods: ['accepted'],
  podTitle: 'CMR.pdf',
  paidRoutes: [{ periodDays: 30, podArrivedOn: '2026-12-07' }],
  currency: null,
  unloadedOn: '2026-12-04',
  transportOn: '2026-12-04',
  papers: [
    { documentType: 'EU_LICENSE', validUntil: '2027-05-31' },
    { documentType: 'INSURANCE_DOCUMENT', validUntil: '2026-12-04' },
  ],
}
const german = {
  carrier: { countryCode: 'DE', isInEu: true, hasVatNumber: true, needsLicence: true },
  expectedVatBp: 1900,
}
const checkOf = (key: CheckKey, facts: Partial<CheckFacts> = {}) =>
  checksOf({ ...fitting, ...facts }).find((check) => check.key === key)!

test('an invoice that fits has nine checks, and all of them fit', () => {
  const checks = checksOf(fitting)
  expect(checks.map(({ key }) => key)).toEqual(CHECK_KEYS)
  expect(checks.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(verdictOf(checks)).toEqual({ level: 'ok', keys: [] })
  expect(missingForApproval(checks, { difference: null, reason: null })).toEqual([])
})

describe('each check says what it found and what was expected', () => {
  test.each<[CheckKey, string, Partial<CheckFacts>, CheckLevel, CheckSaying]>([
    ['number', 'a canceled one had it', { wasCanceled: true }, 'look', 'numberCanceled'],
    ['number', 'one of the same amount is called alike', { alikeInvoice: 'FV1' }, 'stop', 'numberAlike'],
    ['number', 'another one is for the same route', { otherInvoice: 'FV/1' }, 'look', 'numberOther'],
    ['pod', 'nobody has accepted it', { pods: ['accepted', 'toCheck'] }, 'look', 'podToCheck'],
    ['pod', 'one is missing', { pods: ['toCheck', 'missing'] }, 'stop', 'podMissing'],
    ['pod', 'no transport is named', { pods: [] }, 'open', 'noTransport'],
    ['papers', 'valid on the last day', {}, 'ok', 'papersValid'],
    ['papers', 'expired the day before', { transportOn: '2026-12-05' }, 'look', 'papersExpired'],
    ['papers', 'none on file', { papers: [] }, 'open', 'papersUnknown'],
    ['papers', 'a licence and no insurance', { papers: fitting.papers.slice(0, 1) }, 'open', 'papersMissing'],
    ['papers', 'an insurance and no licence', { papers: fitting.papers.slice(1) }, 'open', 'papersMissing'],
    [
      'papers',
      'the only one on file had expired',
      { transportOn: '2026-12-05', papers: fitting.papers.slice(1) },
      'look',
      'papersExpired',
    ],
    [
      'papers',
      'an insurance, and no licence is needed',
      { carrier: { ...fitting.carrier, needsLicence: false }, papers: fitting.papers.slice(1) },
      'ok',
      'papersInsured',
    ],
    [
      'papers',
      'a licence alone, which is not needed',
      { carrier: { ...fitting.carrier, needsLicence: false }, papers: fitting.papers.slice(0, 1) },
      'open',
      'papersMissing',
    ],
    [
      'papers',
      'a newer one replaces the old',
      {
        transportOn: '2026-12-05',
        papers: [...fitting.papers, { documentType: 'INSURANCE_DOCUMENT', validUntil: '2027-12-31' }],
      },
      'ok',
      'papersValid',
    ],
    ['amount', 'a cent too much', { amountCents: 118_001 }, 'look', 'amountDiffers'],
    ['amount', 'a cent less', { amountCents: 117_999 }, 'look', 'amountDiffers'],
    ['amount', 'within the tolerance', { amountCents: 118_500, toleranceCents: 500 }, 'ok', 'amountWithin'],
    ['amount', 'a cent beyond it', { amountCents: 118_501, toleranceCents: 500 }, 'look', 'amountDiffers'],
    [
      'amount',
      'the sum is right and one of two routes is not',
      {
        shares: [
          { route: '26-04817/1', agreedCents: 60_000, differenceCents: 2_000 },
          { route: '26-04818/1', agreedCents: 58_000, differenceCents: -2_000 },
        ],
      },
      'look',
      'amountShared',
    ],
    ['amount', 'nothing agreed', { agreedCents: null }, 'look', 'amountOpen'],
    [
      'amount',
      'another carrier drives it',
      { agreedCents: null, leftRoutes: ['26-04817/1'] },
      'stop',
      'amountOfOthers',
    ],
    ['amount', 'no transport is named', { routes: [], agreedCents: null }, 'look', 'noTransport'],
    ['vat', 'reverse charge', {}, 'ok', 'vatReverse'],
    ['vat', 'VAT charged from abroad', { vatBp: 2300, vatCents: 27_140 }, 'stop', 'vatCharged'],
    ['vat', 'no VAT number on record', { carrier: { ...fitting.carrier, hasVatNumber: false } }, 'look', 'vatNoNumber'],
    [
      'vat',
      'from outside the Union',
      { carrier: { ...fitting.carrier, countryCode: 'CH', isInEu: false } },
      'ok',
      'vatOutside',
    ],
    ['vat', 'at home', { ...german, vatBp: 1900, vatCents: 22_420 }, 'ok', 'vatHome'],
    ['vat', 'at home without VAT', german, 'look', 'vatNone'],
    ['vat', 'another rate at home', { ...german, vatBp: 700, vatCents: 8260 }, 'stop', 'vatRate'],
    ['vat', 'a sum two cents off', { ...german, vatBp: 1900, vatCents: 22_422 }, 'stop', 'vatSum'],
    ['vat', 'a sum one cent off', { ...german, vatBp: 1900, vatCents: 22_421 }, 'ok', 'vatHome'],
    ['vat', 'VAT without its rate', { ...german, vatBp: null, vatCents: 22_420 }, 'ok', 'vatHome'],
    ['vat', 'VAT without its rate from abroad', { vatBp: null, vatCents: 22_420 }, 'stop', 'vatSum'],
    ['currency', 'not read yet', { currency: 'unread' }, 'open', 'currencyUnread'],
    ['currency', 'zlotys', { currency: 'PLN' }, 'stop', 'currencyOther'],
    ['date', 'tomorrow', { documentCreationDate: '2026-12-09' }, 'stop', 'dateFuture'],
    ['date', 'before the unloading', { documentCreationDate: '2026-12-03' }, 'look', 'dateBeforeUnloading'],
    ['date', 'not unloaded yet', { unloadedOn: null }, 'ok', 'dateFits'],
    ['date', 'none', { documentCreationDate: null }, 'look', 'dateNone'],
    ['due', 'a day too early', { dueDate: '2027-01-05' }, 'look', 'dueEarly'],
    [
      'due',
      'the proof of delivery came later',
      { paidRoutes: [{ periodDays: 30, podArrivedOn: '2026-12-08' }] },
      'look',
      'dueEarly',
    ],
    ['due', 'a problem has put it off', { stoppedDays: 1 }, 'look', 'dueEarly'],
    ['due', 'part of it was paid before', { leftToPayCents: 18_000 }, 'stop', 'duePrepaid'],
    ['due', 'all of it was paid before', { leftToPayCents: 0 }, 'stop', 'duePrepaid'],
    ['due', 'the total is what was left', { leftToPayCents: 118_000 }, 'ok', 'dueFits'],
    ['due', 'a credit note of which part was paid', { amountCents: -1, leftToPayCents: -5 }, 'ok', 'dueCredit'],
    ['due', 'none said', { dueDate: null }, 'ok', 'dueNone'],
    ['iban', 'none', { iban: null }, 'stop', 'ibanNone'],
    ['iban', 'on no record', { account: 'unknown' }, 'stop', 'ibanUnknown'],
    ['iban', 'confirmed by nobody', { account: 'unconfirmed' }, 'stop', 'ibanUnconfirmed'],
    ['iban', 'confirmed lately', { account: 'fresh' }, 'look', 'ibanFresh'],
  ])('%s: %s', (key, _, facts, level, says) => {
    const check = checkOf(key, facts)
    expect([check.level, check.expected.says]).toEqual([level, says])
  })

  test('half a hundredth of a percent goes away from zero on both sides', () => {
    for (const [cents, bp] of [
      [10, 1],
      [-10, -1],
    ] as const)
      expect(checkOf('amount', { agreedCents: 200_000, amountCents: 200_000 + cents })!.expected!.values).toMatchObject(
        { differenceBp: bp },
      )
  })

  test('a difference names what was agreed and how far off it is', () => {
    expect(checkOf('amount', { amountCents: 126_500 })).toEqual({
      key: 'amount',
      level: 'look',
      found: 126_500,
      expected: {
        says: 'amountDiffers',
        values: {
          agreedCents: 118_000,
          differenceCents: 8500,
          differenceBp: 720,
          toleranceCents: 0,
          route: '26-04817/1',
        },
      },
      answer: 'difference',
    })
  })
})

describe('approving', () => {
  const asked = (facts: Partial<CheckFacts>, said: Partial<Parameters<typeof missingForApproval>[1]> = {}) =>
    missingForApproval(checksOf({ ...fitting, ...facts }), { difference: null, reason: null, ...said }).map(
      ({ path }) => path,
    )
  test('asks what a difference is for, and a reason where it is something else', () => {
    const differs = { amountCents: 126_500 }
    expect(asked(differs)).toEqual(['answers.amount'])
    expect(asked(differs, { difference: 'waiting' })).toEqual([])
    expect(asked(differs, { difference: 'other', reason: ' ' })).toEqual(['reason'])
    expect(asked(differs, { difference: 'other', reason: 'agreed on the phone' })).toEqual([])
  })
  test('asks a reason of what stops it, but of its account', () => {
    expect(asked({ pods: ['missing'] })).toEqual(['reason'])
    expect(asked({ pods: ['missing'] }, { reason: 'the customer has confirmed' })).toEqual([])
    expect(asked({ account: 'unknown' })).toEqual([])
    expect(asked({ iban: null })).toEqual([])
  })
  test('the gravest check is the verdict, and stands first', () => {
    expect(verdictOf(checksOf({ ...fitting, amountCents: 1, account: 'unknown', papers: [] }))).toEqual({
      level: 'stop',
      keys: ['iban', 'amount'],
    })
  })
})

test('an account is fresh for thirty days after its confirmation', () => {
  const now = new Date('2026-12-31T12:00:00Z')
  expect(accountStanding(null, now)).toBe('unknown')
  expect(accountStanding({ confirmedById: null, confirmedAt: null }, now)).toBe('unconfirmed')
  expect(accountStanding({ confirmedById: 1, confirmedAt: null }, now)).toBe('confirmed')
  expect(accountStanding({ confirmedById: 1, confirmedAt: '2026-12-01T12:00:01Z' }, now)).toBe('fresh')
  expect(accountStanding({ confirmedById: 1, confirmedAt: '2026-12-01T12:00:00Z' }, now)).toBe('confirmed')
})

test.each([
  ['PL61109010140000071219812874', true],
  ['your account pl61 1090 1014 0000 0712 1981 2874 is new', true],
  ['DE89 3704 0044 0532 0130 00, please confirm', true],
  ['account ending in 2874', false],
  ['invoice RE26 0001 and order 26-04817/1', false],
  ['PL61109010140000071219812875', false],
])('a text shows an account in full or not: %s', (text, shows) => {
  expect(showsIban(text)).toBe(shows)
})
