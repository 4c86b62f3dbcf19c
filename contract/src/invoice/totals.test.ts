import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueDate, invoiceTotals, lineNetCents, mirroredLines, paymentPeriod, type PricedLine } from './totals.ts'
import { VAT_CATEGORIES } from './vat.ts'

const line = (unitPriceCents: number, vatBp = 1900, quantity = 1): PricedLine => ({
  quantity,
  unitPriceCents,
  vatBp,
  vatCategory: vatBp > 0 ? 'S' : 'AE',
})
const anyLine = fc.record({
  quantity: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
  unitPriceCents: fc.integer({ min: -100_000_000, max: 100_000_000 }),
  vatBp: fc.constantFrom(0, 700, 800, 1900, 2300),
  vatCategory: fc.constantFrom(...VAT_CATEGORIES),
})
const anyLines = fc.array(anyLine, { maxLength: 30 })

describe('a line', () => {
  test.each([
    [1, 118_000, 118_000],
    [3, 4500, 13_500],
    [2.5, 4501, 11_253],
    [-2.5, 4501, -11_253],
    [0.001, 499, 0],
    [0.001, 500, 1],
    [-0.001, 500, -1],
    [1.005, 100, 101],
    [0, 4500, 0],
  ])('of %d at %d cents is %d net', (quantity, unitPriceCents, net) => {
    expect(lineNetCents({ quantity, unitPriceCents })).toBe(net)
  })
})

describe('an invoice', () => {
  test('without lines is nothing, and of no rate', () => {
    expect(invoiceTotals([])).toEqual({
      netCents: [],
      vatGroups: [],
      amountCents: 0,
      vatBp: null,
      vatCents: 0,
      totalCents: 0,
    })
  })

  test('for the full truck to Poznań: 1,180.00 + 224.20 = 1,404.20', () => {
    expect(invoiceTotals([line(118_000)])).toEqual({
      netCents: [118_000],
      vatGroups: [{ vatBp: 1900, vatCategory: 'S', netCents: 118_000, vatCents: 22_420 }],
      amountCents: 118_000,
      vatBp: 1900,
      vatCents: 22_420,
      totalCents: 140_420,
    })
  })

  test('under reverse charge has no VAT', () => {
    expect(invoiceTotals([line(145_000, 0)])).toMatchObject({ vatBp: 0, vatCents: 0, totalCents: 145_000 })
  })

  test('for three shipments of one customer: 410 + 520 + 165 = 1,095.00', () => {
    expect(invoiceTotals([line(41_000), line(52_000), line(16_500)])).toMatchObject({
      amountCents: 109_500,
      vatCents: 20_805,
      totalCents: 130_305,
    })
  })

  test('takes VAT on the sum of a rate, not line by line', () => {
    // Three times 0.33 at 19 % are 0.06 each by line, 0.19 on the sum.
    expect(invoiceTotals([line(33), line(33), line(33)]).vatCents).toBe(19)
  })

  test('keeps rates and categories apart, the highest rate first', () => {
    const totals = invoiceTotals([{ ...line(1000, 0), vatCategory: 'E' }, line(1000, 0), line(1000, 700), line(2000)])
    expect(totals.vatGroups.map(({ vatBp, vatCategory, vatCents }) => `${vatBp} ${vatCategory} ${vatCents}`)).toEqual([
      '1900 S 380',
      '700 S 70',
      '0 E 0',
      '0 AE 0',
    ])
    expect(totals.vatBp).toBeNull()
    expect(invoiceTotals([{ ...line(1000, 0), vatCategory: 'E' }, line(1000, 0)]).vatBp).toBe(0)
  })

  test('net + VAT = gross, groups make the whole, and the order of lines does not matter', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const totals = invoiceTotals(lines)
        const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
        expect(totals.amountCents + totals.vatCents).toBe(totals.totalCents)
        expect(sum(totals.netCents)).toBe(totals.amountCents)
        expect(sum(totals.vatGroups.map(({ netCents }) => netCents))).toBe(totals.amountCents)
        expect(sum(totals.vatGroups.map(({ vatCents }) => vatCents))).toBe(totals.vatCents)
        expect(invoiceTotals(lines.toReversed()).vatGroups).toEqual(totals.vatGroups)
      }),
    )
  })

  test('and its full correction cancel each other out to the cent, rate by rate', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const totals = invoiceTotals(lines)
        const correction = invoiceTotals(mirroredLines(lines))
        expect(correction.totalCents + totals.totalCents).toBe(0)
        expect(correction.vatGroups).toHaveLength(totals.vatGroups.length)
        correction.vatGroups.forEach((group, index) => {
          expect(group.netCents + totals.vatGroups[index]!.netCents).toBe(0)
          expect(group.vatCents + totals.vatGroups[index]!.vatCents).toBe(0)
        })
        expect(mirroredLines(mirroredLines(lines))).toEqual(
          lines.map((one) => ({ ...one, quantity: one.quantity + 0 })),
        )
      }),
    )
  })
})

describe('the due date', () => {
  test.each([
    ['2026-12-02', 45, '2027-01-16'],
    ['2026-12-02', 0, '2026-12-02'],
    ['2028-02-15', 14, '2028-02-29'],
    ['2026-12-31', 30, '2027-01-30'],
  ])('of %s and %d days is %s', (date, days, due) => {
    expect(dueDate(date, days)).toBe(due)
  })

  test('follows the order’s period, else the customer’s, else thirty days', () => {
    expect(paymentPeriod(45, 30)).toBe(45)
    expect(paymentPeriod(0, 30)).toBe(0)
    expect(paymentPeriod(null, 60)).toBe(60)
    expect(paymentPeriod(null, undefined)).toBe(30)
  })
})
