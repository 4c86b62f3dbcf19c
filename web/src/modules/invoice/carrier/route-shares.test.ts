import { describe, expect, test } from 'vitest'
import { afterAmount, afterPicking, afterShare, restOf, type Shared } from './route-shares.ts'

const known = new Map([
  [1, { agreedCents: 900_00, invoicedCents: 0 }],
  [2, { agreedCents: 300_00, invoicedCents: 0 }],
  [3, { agreedCents: 500_00, invoicedCents: 450_00 }],
  [4, { agreedCents: null, invoicedCents: 0 }],
])
const shares = (...nets: [number, number | null][]) => nets.map(([routeId, netCents]) => ({ routeId, netCents }))
const nothing: Shared = { amountCents: null, allocations: [] }

describe('the shares of a carrier’s invoice', () => {
  test('are as agreed, less what was invoiced, and the amount goes with them', () => {
    const one = afterPicking(nothing, [1], known)
    expect(one).toEqual({ amountCents: 900_00, allocations: shares([1, 900_00]) })
    const all = afterPicking(one, [1, 3, 4], known)
    expect(all).toEqual({ amountCents: 950_00, allocations: shares([1, 900_00], [3, 50_00], [4, 0]) })
    expect(afterPicking(all, [3], known)).toEqual({ amountCents: 50_00, allocations: shares([3, 50_00]) })
    expect(afterPicking(all, [], known)).toEqual(nothing)
  })

  test('leave an amount that was typed as it is, and say what is left of it', () => {
    const typed = afterAmount(nothing, 1_250_00)
    const one = afterPicking(typed, [1], known)
    expect(one).toEqual({ amountCents: 1_250_00, allocations: shares([1, 1_250_00]) })
    expect(restOf(one)).toBe(0)
    const two = afterPicking(one, [1, 2], known)
    expect(two).toEqual({ amountCents: 1_250_00, allocations: shares([1, 900_00], [2, 300_00]) })
    expect(restOf(two)).toBe(50_00)
    const shared = afterShare(two, 2, 350_00)
    expect([shared.amountCents, restOf(shared)]).toEqual([1_250_00, 0])
    expect(afterPicking(shared, [2], known)).toEqual({ amountCents: 350_00, allocations: shares([2, 350_00]) })
  })

  test('one that is typed takes the amount along while it was their sum', () => {
    const two = afterPicking(nothing, [1, 2], known)
    expect(afterShare(two, 1, 950_00)).toEqual({ amountCents: 1_250_00, allocations: shares([1, 950_00], [2, 300_00]) })
    expect(afterShare(two, 1, null).amountCents).toBe(300_00)
    const less = afterAmount(two, 1_000_00)
    expect(less.allocations).toEqual(two.allocations)
    expect(afterShare(less, 1, 700_00)).toEqual({
      amountCents: 1_000_00,
      allocations: shares([1, 700_00], [2, 300_00]),
    })
  })

  test('of a single route go with the amount, and the amount with it', () => {
    const one = afterAmount(afterPicking(nothing, [1], known), 950_00)
    expect(one.allocations).toEqual(shares([1, 950_00]))
    expect(afterShare(one, 1, 960_00).amountCents).toBe(960_00)
    expect(afterAmount(one, null).allocations).toEqual(shares([1, null]))
    expect(restOf(afterAmount(one, null))).toBeNull()
  })
})
