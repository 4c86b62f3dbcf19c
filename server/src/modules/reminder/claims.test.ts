import { describe, expect, it } from 'vitest'
import { LATE_PAYMENT } from '../../../seeds/late-payment.ts'
import { termsFor } from '@waybill/contract/reminder/terms'
import { feeOf, interestOf, lastDayToPay, rateOn } from './claims.rules.ts'

const GERMAN = {
  aboveBp: 900,
  consumerAboveBp: null,
  rates: [
    { from: '2025-01-01', baseBp: 227 },
    { from: '2025-07-01', baseBp: 127 },
  ],
  fees: [{ fromCents: 0, feeCents: 4000 }],
}

describe('what late payment costs', () => {
  it('is the rate of each day on what is open, beginning the day after it was due', () => {
    // 97 days at 10.27 % on 2,640.00 €
    expect(interestOf(264_000, '2026-09-02', '2026-12-08', GERMAN)).toBe(7205)
    expect(interestOf(264_000, '2026-12-07', '2026-12-08', GERMAN)).toBe(74)
    expect(interestOf(264_000, '2026-12-08', '2026-12-08', GERMAN)).toBe(0)
  })

  it('begins after the next working day where it was due on a weekend or a public holiday of the creditor', () => {
    const days = (due: string, code: string) => lastDayToPay(due, code)
    // A Friday, a Saturday, a Sunday; the third of October, a Saturday in 2026; Easter from Good Friday on.
    expect([days('2026-11-20', 'DE'), days('2026-11-21', 'DE'), days('2026-11-22', 'DE')]).toEqual([
      '2026-11-20',
      '2026-11-23',
      '2026-11-23',
    ])
    expect([days('2026-10-03', 'DE'), days('2026-04-03', 'DE')]).toEqual(['2026-10-05', '2026-04-07'])
    // Independence Day is one in Poland alone, and of an unknown country the weekends count.
    expect([days('2026-11-11', 'PL'), days('2026-11-11', 'DE'), days('2026-12-26', 'XX')]).toEqual([
      '2026-11-12',
      '2026-11-11',
      '2026-12-28',
    ])
    const onSaturday = lastDayToPay('2026-11-21', 'DE')
    expect(interestOf(264_000, onSaturday, '2026-11-23', GERMAN)).toBe(0)
    expect(interestOf(264_000, onSaturday, '2026-11-24', GERMAN)).toBe(74)
  })

  it('changes with the base rate in the middle, and counts nothing before the first known one', () => {
    // June: 11.27 %, July: 10.27 %, on 100,000 € for 30 and 31 days
    const june = interestOf(10_000_000, '2025-05-31', '2025-06-30', GERMAN)
    const july = interestOf(10_000_000, '2025-06-30', '2025-07-31', GERMAN)
    expect([june, july]).toEqual([92_630, 87_225])
    expect(interestOf(10_000_000, '2025-05-31', '2025-07-31', GERMAN)).toBe(june + july)
    expect(interestOf(10_000_000, '2024-12-30', '2025-01-01', GERMAN)).toBe(3088)
    expect(interestOf(10_000_000, '2024-01-01', '2024-12-31', GERMAN)).toBe(0)
    expect([rateOn(GERMAN, '2024-12-31'), rateOn(GERMAN, '2025-07-01')]).toEqual([null, 1027])
  })

  it('is nothing where no rate is known, and never less than nothing', () => {
    expect(
      interestOf(10_000_000, '2025-05-31', '2026-05-31', { aboveBp: 900, consumerAboveBp: null, rates: [], fees: [] }),
    ).toBe(0)
    const negative = { aboveBp: 50, consumerAboveBp: null, rates: [{ from: '2020-01-01', baseBp: -88 }], fees: [] }
    expect(interestOf(10_000_000, '2025-05-31', '2026-05-31', negative)).toBe(0)
  })

  it('stays exact for the largest invoice that there can be', () => {
    expect(interestOf(1_000_000_000_000, '2025-12-31', '2026-12-31', GERMAN)).toBe(102_700_000_000)
  })

  it('has a flat sum by the amount of the invoice', () => {
    const fees = [
      { fromCents: 0, feeCents: 4000 },
      { fromCents: 117_001, feeCents: 7000 },
      { fromCents: 1_170_000, feeCents: 10_000 },
    ]
    expect([117_000, 117_001, 1_169_999, 1_170_000].map((cents) => feeOf(cents, { fees }))).toEqual([
      4000, 7000, 7000, 10_000,
    ])
    expect(feeOf(100, { fees: [] })).toBe(0)
  })

  it('is less for a private person: other points, no flat sum, and no interest where no points are known', () => {
    const german = { ...GERMAN, consumerAboveBp: 500 }
    const terms = termsFor(german, { isConsumer: true })
    expect([rateOn(terms, '2026-12-08'), feeOf(264_000, terms)]).toEqual([627, 0])
    expect(interestOf(264_000, '2026-12-07', '2026-12-08', terms)).toBe(45)
    expect(termsFor(german, { isConsumer: false })).toEqual(german)
    const unknown = termsFor({ ...GERMAN, consumerAboveBp: null }, { isConsumer: true })
    expect([rateOn(unknown, '2026-12-08'), interestOf(264_000, '2026-12-07', '2026-12-08', unknown)]).toEqual([null, 0])
  })

  it('steps in Poland above 5,000 PLN and from 50,000 PLN on, at 4.27 PLN for a euro', () => {
    const lawful = (cents: number) => {
      const tenThousandths = cents * 427
      if (tenThousandths <= 5000 * 10_000) return 4000
      return tenThousandths < 50_000 * 10_000 ? 7000 : 10_000
    }
    const { fees } = LATE_PAYMENT.PL!
    for (const near of [117_000, 117_096, 117_097, 1_170_000, 1_170_960, 1_170_961])
      expect([near, feeOf(near, { fees })]).toEqual([near, lawful(near)])
  })
})
