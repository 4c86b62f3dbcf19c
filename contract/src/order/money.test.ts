import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { carrierCostOf, incomeOf, marginBpOf, orderBudget, totalsOf } from './money.ts'

const cents = fc.integer({ min: 0, max: 1_000_000_000_000 })
const route = (costCents: number | null) => ({ assignment: { costCents } })

describe('what is not known', () => {
  test('has no income, no margin, no VAT and no total', () => {
    expect(incomeOf(null, 90_000)).toBeNull()
    expect(incomeOf(118_000, null)).toBeNull()
    expect(marginBpOf(null, null)).toBeNull()
    expect(marginBpOf(118_000, null)).toBeNull()
    expect(totalsOf(null, 1900)).toEqual({ vatCents: null, totalCents: null })
    expect(totalsOf(118_000, null)).toEqual({ vatCents: null, totalCents: null })
  })

  test('a price of nothing has an income but no margin', () => {
    expect(incomeOf(0, 5000)).toBe(-5000)
    expect(marginBpOf(0, -5000)).toBeNull()
  })

  test('carriers cost nothing known until one has a cost', () => {
    expect(carrierCostOf([])).toBeNull()
    expect(carrierCostOf([null, { costCents: null }])).toBeNull()
    expect(carrierCostOf([null, { costCents: 0 }])).toBe(0)
  })
})

describe('the budget', () => {
  test('of the full truck to Poznań: 1,180.00 and 19 % make 1,404.20, and two legs cost 950.00', () => {
    expect(
      orderBudget({
        customerPriceCents: 118_000,
        customerVatBp: 1900,
        routes: [route(65_000), route(30_000), { assignment: null }],
        extras: [],
      }),
    ).toEqual({
      customerPriceCents: 118_000,
      customerVatBp: 1900,
      customerVatCents: 22_420,
      customerTotalCents: 140_420,
      carrierCostCents: 95_000,
      extras: { priceCents: 0, costCents: 0 },
      incomeCents: 23_000,
      marginBp: 1949,
    })
  })

  test('counts approved extras in income and margin, and leaves price and cost those of the freight', () => {
    const extras = [
      { priceCents: 10_000, costCents: 8500 },
      { priceCents: null, costCents: 1500 },
    ]
    const budget = { customerPriceCents: 118_000, customerVatBp: 1900, routes: [route(95_000)] }
    expect(orderBudget({ ...budget, extras })).toMatchObject({
      customerPriceCents: 118_000,
      carrierCostCents: 95_000,
      extras: { priceCents: 10_000, costCents: 10_000 },
      incomeCents: 23_000,
      marginBp: 1797,
    })
    // Extras alone do not say what the freight brings.
    expect(orderBudget({ ...budget, customerPriceCents: null, extras })).toMatchObject({
      incomeCents: null,
      marginBp: null,
    })
  })

  test('shows a loss as one', () => {
    expect(
      orderBudget({ customerPriceCents: 69_000, customerVatBp: 0, routes: [route(72_500)], extras: [] }),
    ).toMatchObject({
      customerTotalCents: 69_000,
      incomeCents: -3500,
      marginBp: -507,
    })
  })

  test('of a cent against billions stays a number that can be stored', () => {
    expect(marginBpOf(1, -1_000_000_000_000)).toBe(-1_000_000_000)
    expect(marginBpOf(100, -9_999_999)).toBe(-999_999_900)
  })

  test('price = cost + income, and the margin is the income’s share to half a hundredth of a percent', () => {
    fc.assert(
      fc.property(
        cents,
        fc.array(cents, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 10_000 }),
        (price, costs, vatBp) => {
          const budget = orderBudget({
            customerPriceCents: price,
            customerVatBp: vatBp,
            routes: costs.map(route),
            extras: [],
          })
          expect(budget.carrierCostCents! + budget.incomeCents!).toBe(price)
          expect(budget.customerTotalCents! - budget.customerVatCents!).toBe(price)
          if (price === 0 || Math.abs(budget.marginBp!) === 1_000_000_000) return
          const miss = 2n * (BigInt(budget.marginBp!) * BigInt(price) - BigInt(budget.incomeCents!) * 10_000n)
          expect(miss <= BigInt(price) && -miss <= BigInt(price)).toBe(true)
        },
      ),
    )
  })
})
