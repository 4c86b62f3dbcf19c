import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromThousandths, roundHalfAwayFromZero, sumCents, toThousandths, vatOf } from './money.ts'

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
const bp = fc.integer({ min: 0, max: 10_000 })

describe('rounding', () => {
  test('refuses a zero denominator, a fraction and a result beyond 2^53', () => {
    expect(() => roundHalfAwayFromZero(1, 0)).toThrow(RangeError)
    expect(() => roundHalfAwayFromZero(1.5, 2)).toThrow(RangeError)
    expect(() => roundHalfAwayFromZero(2n ** 60n, 1)).toThrow(RangeError)
  })

  test.each([
    [1, 2, 1],
    [-1, 2, -1],
    [1, -2, -1],
    [-1, -2, 1],
    [49, 100, 0],
    [-49, 100, 0],
    [50, 100, 1],
    [150, 100, 2],
    [250, 100, 3],
    [0, 7, 0],
  ])('%d / %d is %d', (numerator, denominator, result) => {
    expect(roundHalfAwayFromZero(numerator, denominator)).toBe(result)
  })

  test('is never further than half a step from the quotient, and mirrors', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (numerator, denominator) => {
          const result = roundHalfAwayFromZero(numerator, denominator)
          const miss = 2n * (BigInt(result) * denominator - numerator)
          expect(miss <= denominator && -miss <= denominator).toBe(true)
          expect(roundHalfAwayFromZero(-numerator, denominator) + result).toBe(0)
        },
      ),
    )
  })
})

describe('sums of thousands of figures at every key', () => {
  test('are those of whole numbers without a limit, or refused', () => {
    const figures = fc.array(fc.oneof(cents, fc.maxSafeInteger()), { maxLength: 40 })
    fc.assert(
      fc.property(figures, (amounts) => {
        const exact = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
        if (Number.isSafeInteger(Number(exact))) expect(BigInt(sumCents(amounts))).toBe(exact)
        else expect(() => sumCents(amounts)).toThrow(RangeError)
      }),
    )
    // It comes back from beyond.
    expect(sumCents([Number.MAX_SAFE_INTEGER, 5, -5])).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => sumCents([1, 1.5])).toThrow(RangeError)
  })

  test('take a whole number for what its decimal notation says', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 42), max: 2 ** 42 }), (whole) => {
        expect(toThousandths(whole)).toBe(Number(`${whole}000`))
      }),
    )
    expect(Object.is(toThousandths(-0), 0)).toBe(true)
  })
})

describe('VAT', () => {
  test.each([
    [118_000, 1900, 22_420],
    [50, 1900, 10],
    [-50, 1900, -10],
    [3, 1900, 1],
    [145_000, 0, 0],
    [12_345, 2300, 2839],
  ])('of %d cents at %d is %d', (netCents, vatBp, vatCents) => {
    expect(vatOf(netCents, vatBp)).toBe(vatCents)
  })

  test('of the negative amount is the negative VAT', () => {
    fc.assert(fc.property(cents, bp, (net, rate) => void expect(vatOf(-net, rate) + vatOf(net, rate)).toBe(0)))
  })
})

describe('sums', () => {
  test('refuse to lose cents beyond 2^53', () => {
    expect(() => sumCents([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError)
  })

  test('are exact in any order, and nothing sums to zero', () => {
    expect(sumCents([])).toBe(0)
    fc.assert(
      fc.property(
        fc.array(cents, { maxLength: 200 }),
        (list) => void expect(sumCents(list)).toBe(sumCents(list.toReversed())),
      ),
    )
  })
})

describe('thousandths', () => {
  test.each([
    [1.294, 1294],
    [0.1 + 0.2, 300],
    [-1.5, -1500],
    [1.0005, 1001],
    [1e-7, 0],
    [-1e-7, 0],
    [123_456_789.123, 123_456_789_123],
  ])('%d is %d thousandths', (value, thousandths) => {
    expect(toThousandths(value)).toBe(thousandths)
  })

  test('come back as the number they were', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        (thousandths) => void expect(toThousandths(fromThousandths(thousandths))).toBe(thousandths),
      ),
    )
  })
})
