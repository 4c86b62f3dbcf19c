import { describe, expect, test } from 'vitest'
import { totalAfter } from './invoice-values.ts'

const before = { amountCents: 118_000, vatBp: 1900, totalCents: 140_420 }

describe('the total of a carrier’s invoice', () => {
  test('follows the net amount and the rate, also over an empty field', () => {
    expect(totalAfter(before, { amountCents: 100_000 })).toBe(119_000)
    expect(totalAfter(before, { vatBp: 0 })).toBe(118_000)
    expect(totalAfter(before, { amountCents: null })).toBeNull()
    expect(totalAfter({ amountCents: null, vatBp: 1900, totalCents: null }, { amountCents: 100 })).toBe(119)
    expect(totalAfter({ ...before, vatBp: null, totalCents: 118_000 }, { amountCents: 99_999 })).toBe(99_999)
  })

  test('stays where it was typed over, and where the net is no figure yet it is empty', () => {
    expect(totalAfter({ ...before, totalCents: 140_421 }, { amountCents: 100_000 })).toBe(140_421)
    expect(totalAfter(before, { amountCents: Number.NaN })).toBeNull()
    expect(totalAfter({ ...before, amountCents: Number.NaN, totalCents: null }, { amountCents: 200 })).toBe(238)
  })
})
