import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromThousandths } from '../kit/money.ts'
import { cargoTotals } from './cargo.ts'
import { maySplitOff, packagesWith, splitCargo, type CargoShares } from './split-cargo.ts'

const thousandths = (most: number) => fc.integer({ min: 0, max: most * 1000 }).map(fromThousandths)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

const line: fc.Arbitrary<CargoShares> = fc.record({
  quantity: fc.integer({ min: 2, max: 1_000_000_000 }).map(fromThousandths),
  packages: maybe(fc.nat(1_000_000)),
  weightKg: maybe(thousandths(1_000_000)),
  volumeM3: maybe(thousandths(100_000)),
  ldm: maybe(thousandths(10_000)),
  valueCents: maybe(fc.nat(99_999_999_999)),
})

test('two parts of any line come to exactly what it was', () => {
  fc.assert(
    fc.property(line, fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
      const units = fromThousandths(Math.max(1, Math.floor((whole.quantity * 1000 - 1) * share)))
      fc.pre(maySplitOff(whole, units))
      const parts = splitCargo(whole, units)
      expect(cargoTotals(parts)).toEqual(cargoTotals([whole]))
      expect(parts[1].quantity).toBe(units)
      expect((parts[0].packages ?? 0) + (parts[1].packages ?? 0)).toBe(whole.packages ?? 0)
      for (const part of parts)
        for (const field of ['packages', 'weightKg', 'volumeM3', 'ldm', 'valueCents'] as const) {
          expect(part[field] === null).toBe(whole[field] === null)
          expect(part[field] ?? 0).toBeGreaterThanOrEqual(0)
        }
    }),
  )
})

test('each part has its share of the whole, to the last thousandth and cent', () => {
  fc.assert(
    fc.property(line, (whole) => {
      const units = fromThousandths(Math.floor((whole.quantity * 1000) / 2))
      fc.pre(maySplitOff(whole, units))
      const [, part] = splitCargo(whole, units)
      const share = units / whole.quantity
      expect(Math.abs((part.weightKg ?? 0) - (whole.weightKg ?? 0) * share)).toBeLessThanOrEqual(0.001)
      expect(Math.abs((part.valueCents ?? 0) - (whole.valueCents ?? 0) * share)).toBeLessThanOrEqual(1)
    }),
  )
})

test('a third of 1000 kg leaves what rounding leaves over on the second line', () => {
  const [rest, part] = splitCargo({ quantity: 3, weightKg: 1000, valueCents: 100, packages: 10 }, 1)
  expect(rest).toEqual({ quantity: 2, weightKg: 666.667, valueCents: 67, packages: 7 })
  expect(part).toEqual({ quantity: 1, weightKg: 333.333, valueCents: 33, packages: 3 })
})

test('packages go as they are said, never more than there are', () => {
  const whole = { quantity: 10, packages: 40 }
  expect(packagesWith(whole, 4)).toBe(16)
  expect(splitCargo(whole, 4, 12).map(({ packages }) => packages)).toEqual([28, 12])
  expect(splitCargo(whole, 4, 99).map(({ packages }) => packages)).toEqual([0, 40])
})

test.each([
  [0, false],
  [Number.NaN, false],
  [-1, false],
  [10, false],
  [11, false],
  [0.0004, false],
  [0.5, true],
  [9.999, true],
])('of ten units %s may leave the line: %s', (units, isAllowed) => {
  expect(maySplitOff({ quantity: 10 }, units)).toBe(isAllowed)
})
