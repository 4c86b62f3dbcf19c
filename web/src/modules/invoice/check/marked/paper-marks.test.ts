import type { CheckLine, InvoiceCheck } from '@waybill/contract/invoice/checking'
import { describe, expect, test } from 'vitest'
import { paperLines, type TextRun } from './paper-lines.ts'
import { marksOf, notFound, saidIn, soughtOf } from './paper-marks.ts'

const line = (key: CheckLine['key'], found: CheckLine['found'], more: Partial<CheckLine> = {}): CheckLine => ({
  key,
  level: 'ok',
  found,
  expected: { says: 'numberNew', values: {} },
  ...more,
})

const soughtFor = (checks: CheckLine[], given: Partial<InvoiceCheck> = {}) =>
  soughtOf({ amountCents: 0, totalCents: 0, company: null, orders: [], routes: [], ...given, checks } as InvoiceCheck)

/** The words of a text that say what is sought. */
const said = (text: string, checks: CheckLine[], given?: Partial<InvoiceCheck>): string[] =>
  saidIn(text, soughtFor(checks, given)).map(({ from, to }) => text.slice(from, to))

describe('A number', () => {
  const number = [line('number', 'FV/12/0088')]

  test('is not found in a longer one', () => {
    expect(said('FV/12/00881 XFV/12/0088 FV/12/0088/2026 FV/12/0088a', number)).toEqual([])
  })

  test('is found whatever its letters and blanks', () => {
    expect(said('Faktura nr fv/12/0088, FV / 12 / 0088.', number)).toEqual(['fv/12/0088', 'FV / 12 / 0088'])
  })

  test('of two letters is not looked for: it stands everywhere', () => {
    expect(said('1 12 of 12', [line('number', '12')])).toEqual([])
  })

  test('is not put together from two columns', () => {
    expect(said('FV/12\t/0088', number)).toEqual([])
  })
})

describe('An amount', () => {
  const amount = [line('amount', 118_000)]
  const given = { amountCents: 118_000, totalCents: 118_000 }

  test('is not found in a larger one or a longer one', () => {
    expect(said('11180,00 2.1180,00 1180,005 -', amount, given)).toEqual([])
    expect(
      said('1 180,00 2.180,00 3,180.00', [line('amount', 18_000)], { amountCents: 18_000, totalCents: 18_000 }),
    ).toEqual([])
  })

  test.each(['1180,00', '1180.00', '1.180,00', '1,180.00', '1 180,00', '1\u00A0180,00', "1'180.00", '1.180,-'])(
    'is found as %s',
    (text) => expect(said(`Netto ${text} EUR`, amount, given)).toEqual([text]),
  )

  test('beside a quantity in the column before it is itself', () => {
    expect(said('Transport\t1\t1 180,00', amount, given)).toEqual(['1 180,00'])
  })

  test('is marked with what it is too much', () => {
    const off = [
      line('amount', 126_500, {
        level: 'look',
        expected: { says: 'amountDiffers', values: { differenceCents: 8500 } },
      }),
    ]
    const found = saidIn('Przestój 85,00 razem 1 265,00', soughtFor(off, { amountCents: 126_500, totalCents: 126_500 }))
    expect(found.map(({ isOff }) => isOff)).toEqual([true, true])
  })
})

describe('A day', () => {
  const date = [line('date', '2026-12-07')]

  test.each([
    '07.12.2026',
    '7.12.2026',
    '07/12/26',
    '2026-12-07',
    '7. Dezember 2026',
    '7 grudnia 2026',
    'December 7, 2026',
    '07 Dec 2026',
  ])('is found as %s', (text) => expect(said(`Datum ${text}`, date)).toEqual([text]))

  test('is not found in another', () => {
    expect(said('17.12.2026 07.12.20261 7.12.2027', date)).toEqual([])
  })
})

test('An account is found over two columns, and a changed letter is no account', () => {
  const iban = [line('iban', 'PL61109010140000071219812874', { level: 'stop' })]
  expect(said('PL61 1090 1014\t0000 0712 1981 2874', iban)).toHaveLength(1)
  expect(said('PL61 1090 1014 0000 0712 1981 2875', iban)).toEqual([])
})

test('What the paper should say and does not is named, and nothing is where the record says nothing', () => {
  const sought = soughtFor([
    line('number', 'FV/12/0088'),
    line('date', '2026-12-07'),
    line('iban', null),
    line('due', '2027-01-31'),
  ])
  expect(notFound(sought, saidIn('Faktura FV/12/0089', sought))).toEqual(['number', 'date'])
  expect(notFound(sought, saidIn('FV/12/0088 z dnia 7.12.2026', sought))).toEqual([])
})

test('A place that says two things is one, and as grave as the graver of them', () => {
  const sought = soughtFor([line('date', '2026-12-07'), line('due', '2026-12-07', { level: 'look' })])
  expect(saidIn('7.12.2026', sought)).toMatchObject([{ keys: ['date', 'due'], isOff: true }])
})

test('Letters that a paper sets one by one are read as words, and marked where they stand', () => {
  const runs = [...'FV/12/0088'].map(
    (text, index): TextRun => ({ text, x: 100 + 6 * index, y: 50, width: 6, height: 10 }),
  )
  const sought = soughtFor([line('number', 'FV/12/0088')])
  const lines = paperLines([{ text: 'Faktura', x: 40, y: 50.4, width: 50, height: 10 }, ...runs.toReversed()])
  expect(lines.map(({ text }) => text)).toEqual(['Faktura FV/12/0088'])
  expect(marksOf(lines, sought)).toMatchObject([{ x: 100, width: 60 }])
})
