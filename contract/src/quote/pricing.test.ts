import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  marginBpOf,
  priceByCard,
  priceForMargin,
  RATE_BASES,
  readPostalParts,
  type PricedCard,
  type PricedLane,
  type RateLine,
} from './pricing.ts'

const line = (given: Partial<RateLine> = {}): RateLine => ({
  fromCountryCode: 'DE',
  fromPostal: null,
  toCountryCode: 'PL',
  toPostal: null,
  upToLdm: null,
  basis: 'flat',
  rateCents: 100_000,
  minimumCents: null,
  ...given,
})
const card = (given: Partial<PricedCard> = {}): PricedCard => ({
  validFrom: '2026-01-01',
  validTo: '2026-12-31',
  lines: [line()],
  fuel: [],
  surcharges: [],
  ...given,
})
const lane = (given: Partial<PricedLane> = {}): PricedLane => ({
  from: { countryCode: 'DE', postal: '52351' },
  to: { countryCode: 'PL', postal: 'PL-60-101' },
  day: '2026-11-25',
  distanceKm: 900,
  ldm: 11.2,
  weightKg: 20_150,
  ...given,
})

describe('a rate card', () => {
  test('asks for nothing outside its days, on another lane, or without the measure it is priced by', () => {
    for (const [given, asked] of [
      [{ validTo: '2026-11-24' }, {}],
      [{ validFrom: '2026-11-26' }, {}],
      [{}, { to: { countryCode: 'CZ', postal: null } }],
      [{ lines: [line({ fromPostal: '53' })] }, {}],
      [{ lines: [line({ toPostal: '60' })] }, { to: { countryCode: 'PL', postal: null } }],
      [{ lines: [line({ basis: 'km' })] }, { distanceKm: null }],
      [{ lines: [line({ basis: 'ldm' })] }, { ldm: null }],
      [{ lines: [line({ upToLdm: 11.1 })] }, {}],
      [{ lines: [line({ upToLdm: 13.6 })] }, { ldm: null }],
    ] as const)
      expect(priceByCard(card(given), lane(asked)), JSON.stringify([given, asked])).toBeNull()
  })

  test('prices by kilometre, loading metre and 100 kg, at least the minimum, with diesel of the month on that', () => {
    const priced = (given: Partial<RateLine>) => priceByCard(card({ lines: [line(given)] }), lane())!.totalCents
    expect(priced({ basis: 'km', rateCents: 102 })).toBe(91_800)
    expect(priced({ basis: 'ldm', rateCents: 8400 })).toBe(94_080)
    expect(priced({ basis: 'hundredKg', rateCents: 415 })).toBe(83_623)
    const fuel = [
      { month: '2026-12', bp: 900 },
      { month: '2026-10', bp: 720 },
      { month: '2026-09', bp: 500 },
    ]
    const surcharges = [{ title: 'Toll', cents: 9600 }]
    expect(
      priceByCard(
        card({ lines: [line({ basis: 'km', rateCents: 10, minimumCents: 42_000 })], fuel, surcharges }),
        lane(),
      ),
    ).toEqual({
      line: 0,
      baseCents: 42_000,
      isMinimum: true,
      fuelBp: 720,
      fuelCents: 3024,
      surchargeCents: 9600,
      totalCents: 54_624,
    })
    expect(priceByCard(card({ fuel }), lane({ day: '2026-08-31' }))!.fuelBp).toBe(0)
  })

  test('lets the line count that names the lane most closely, then the smallest bound that fits', () => {
    const lines = [
      line({ rateCents: 1 }),
      line({ toPostal: '60-65, 8', upToLdm: 13.6, rateCents: 2 }),
      line({ toPostal: '60-65', upToLdm: 11.4, rateCents: 3 }),
      line({ toPostal: '60-65', upToLdm: 9, rateCents: 4 }),
      line({ fromPostal: '52', toPostal: '601', rateCents: 5, upToLdm: 2 }),
    ]
    expect(priceByCard(card({ lines }), lane())!.line).toBe(2)
    expect(priceByCard(card({ lines }), lane({ ldm: 12 }))!.line).toBe(1)
    expect(priceByCard(card({ lines }), lane({ ldm: 2 }))!.line).toBe(4)
    expect(priceByCard(card({ lines }), lane({ ldm: 15 }))!.line).toBe(0)
  })

  test('reads postal codes by their beginnings, and nothing that is none', () => {
    expect(readPostalParts('30-33, 5')).toEqual([
      { from: '30', to: '33' },
      { from: '5', to: '5' },
    ])
    for (const text of ['', '33-30', '3-30', '30-', 'a b', '30;31']) expect(readPostalParts(text), text).toBeNull()
  })
})

test('a price by a card is whole cents, the sum of its parts, and grows with the measure', () => {
  const thousandths = (most: number) => fc.integer({ min: 0, max: most * 1000 }).map((one) => one / 1000)
  fc.assert(
    fc.property(
      fc.constantFrom(...RATE_BASES),
      fc.integer({ min: 0, max: 5_000_000 }),
      fc.option(fc.integer({ min: 0, max: 5_000_000 })),
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.tuple(thousandths(5000), thousandths(100), thousandths(30_000)),
      (basis, rateCents, minimumCents, bp, cents, [distanceKm, ldm, weightKg]) => {
        const given = card({
          lines: [line({ basis, rateCents, minimumCents })],
          fuel: [{ month: '2026-01', bp }],
          surcharges: [{ title: 'Toll', cents }],
        })
        const price = priceByCard(given, lane({ distanceKm, ldm, weightKg }))!
        expect(Object.values(price).every((one) => typeof one === 'boolean' || Number.isSafeInteger(one))).toBe(true)
        expect(price.baseCents + price.fuelCents + price.surchargeCents).toBe(price.totalCents)
        expect(price.baseCents).toBeGreaterThanOrEqual(minimumCents ?? 0)
        const more = priceByCard(given, lane({ distanceKm: distanceKm + 1, ldm: ldm + 1, weightKg: weightKg + 1 }))!
        expect(more.totalCents).toBeGreaterThanOrEqual(price.totalCents)
      },
    ),
  )
})

test('a price for a margin is the smallest at which that margin remains', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 9000 }), (costCents, targetBp) => {
      const price = priceForMargin(costCents, targetBp)
      const remains = (priceCents: number) =>
        BigInt(priceCents - costCents) * 10_000n >= BigInt(priceCents) * BigInt(targetBp)
      expect(remains(price)).toBe(true)
      if (price > 0) expect(remains(price - 1)).toBe(false)
    }),
  )
  expect(priceForMargin(123_992, 1600)).toBe(147_610)
  expect(marginBpOf(148_000, 123_992)).toBe(1622)
  expect(marginBpOf(0, 100)).toBeNull()
})
