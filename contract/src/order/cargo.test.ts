import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHARGEABLE,
  cargoTotals,
  chargeableWeightKg,
  floorPlaces,
  ldmOf,
  loadWarnings,
  volumeOf,
  type CargoMeasures,
} from './cargo.ts'

const line = (
  quantity: number,
  lengthCm: number,
  widthCm: number,
  heightCm: number,
  weightKg: number,
  stackingFactor = 1,
): CargoMeasures => {
  const measures = { quantity, lengthCm, widthCm, heightCm, weightKg, stackingFactor }
  return { ...measures, ldm: ldmOf(measures), volumeM3: volumeOf(measures) }
}

// Real transport orders: dimensions as the customers wrote them, figures as a dispatcher works them out.
const ORDERS = {
  'full truck of machine parts': {
    lines: [line(33, 120, 80, 145, 33 * 640)],
    ldm: 13.2,
    weightKg: 21_120,
    volume: '45.94',
  },
  'furniture for two drops': {
    lines: [line(9, 200, 120, 110, 9 * 310), line(6, 120, 80, 220, 6 * 280), line(2, 120, 100, 160, 410)],
    ldm: 12.4,
    weightKg: 4880,
    volume: null,
  },
  'part load to Basel': { lines: [line(4, 120, 100, 160, 2300)], ldm: 2, weightKg: 2300, volume: '7.68' },
  'groupage a, mesh boxes stacked twice': {
    lines: [line(5, 124, 83.5, 97, 5 * 420, 2)],
    ldm: 1.294,
    weightKg: 2100,
    volume: null,
  },
  'groupage b, paper reels lying': { lines: [line(2, 180, 125, 125, 2300)], ldm: 1.875, weightKg: 2300, volume: null },
  'groupage c, a sample pallet': { lines: [line(1, 120, 80, 90, 95)], ldm: 0.4, weightKg: 95, volume: null },
  'chilled goods from two pick-ups': {
    lines: [line(14, 120, 100, 180, 9100), line(12, 120, 80, 175, 6240)],
    ldm: 11.8,
    weightKg: 15_340,
    volume: null,
  },
  'urgent van': { lines: [line(1, 120, 80, 100, 380)], ldm: 0.4, weightKg: 380, volume: null },
  'steel beams, four abreast and three high': {
    lines: [line(12, 1340, 60, 45, 12 * 2150, 3)],
    ldm: 13.4,
    weightKg: 25_800,
    volume: null,
  },
} as const

describe('loading metres and volume', () => {
  test.each(Object.entries(ORDERS))('%s', (_, { lines, ldm, weightKg, volume }) => {
    const totals = cargoTotals(lines)
    expect(totals.ldm).toBe(ldm)
    expect(totals.weightKg).toBe(weightKg)
    if (volume !== null) expect(totals.volumeM3.toFixed(2)).toBe(volume)
  })

  test('are shown to two places as the dispatchers write them', () => {
    expect(ldmOf({ quantity: 5, stackingFactor: 2, lengthCm: 124, widthCm: 83.5 })?.toFixed(2)).toBe('1.29')
    expect(ORDERS['furniture for two drops'].lines.map(({ ldm }) => ldm)).toEqual([9, 2.4, 1])
    expect(ORDERS['full truck of machine parts'].lines[0].volumeM3).toBe(45.936)
  })

  test.each<[CargoMeasures]>([
    [{}],
    [{ quantity: 5, lengthCm: 120 }],
    [{ quantity: 5, lengthCm: 120, widthCm: 0 }],
    [{ quantity: 0, lengthCm: 120, widthCm: 80, heightCm: 100 }],
    [{ quantity: -5, lengthCm: 120, widthCm: 80, heightCm: 100 }],
    [{ quantity: 5, lengthCm: Number.NaN, widthCm: 80, heightCm: 100 }],
    [{ quantity: null, lengthCm: null, widthCm: null, heightCm: null }],
    [{ quantity: 1_000_000, lengthCm: 10_000, widthCm: 10_000, heightCm: 10_000 }],
    [{ quantity: 999_999_999, lengthCm: 999_999_999, widthCm: 999_999_999, heightCm: 999_999_999 }],
  ])('of %j are not known', (measures) => {
    expect(ldmOf(measures)).toBeNull()
    expect(volumeOf(measures)).toBeNull()
  })

  test.each([
    [5, 2, 3],
    [6, 2, 3],
    [12, 3, 4],
    [1, 4, 1],
    [33, 1, 33],
    [0.5, 1, 1],
    [2.5, 2, 2],
  ])('%d units stacked %d high need %d floor places', (quantity, stackingFactor, places) => {
    expect(floorPlaces({ quantity, stackingFactor })).toBe(places)
  })

  test('without a stacking factor nothing is stacked', () => {
    expect(floorPlaces({ quantity: 7 })).toBe(7)
    expect(floorPlaces({ quantity: 7, stackingFactor: null })).toBe(7)
    expect(floorPlaces({ stackingFactor: 2 })).toBeNull()
  })

  const measure = fc.integer({ min: 1, max: 500_000 }).map((thousandths) => thousandths / 1000)

  test('have at most three places and never lie further than half a thousandth off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        measure,
        measure,
        measure,
        (quantity, lengthCm, widthCm, heightCm) => {
          const ldm = ldmOf({ quantity, lengthCm, widthCm })!
          expect(Math.abs(ldm - (lengthCm * widthCm * quantity) / 24_000)).toBeLessThanOrEqual(0.0005 + 1e-6)
          const volume = volumeOf({ quantity, lengthCm, widthCm, heightCm })!
          expect(Math.abs(volume - (lengthCm * widthCm * heightCm * quantity) / 1e6)).toBeLessThanOrEqual(
            0.0005 + volume * 1e-9,
          )
          expect(`${ldm} ${volume}`).toMatch(/^\d+(\.\d{1,3})? \d+(\.\d{1,3})?$/)
        },
      ),
    )
  })

  test('stacking never needs more room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 10 }),
        measure,
        measure,
        (quantity, stackingFactor, lengthCm, widthCm) => {
          expect(ldmOf({ quantity, stackingFactor: stackingFactor + 1, lengthCm, widthCm })!).toBeLessThanOrEqual(
            ldmOf({ quantity, stackingFactor, lengthCm, widthCm })!,
          )
        },
      ),
    )
  })
})

describe('sums', () => {
  test('of nothing are zero', () => {
    expect(cargoTotals([])).toEqual({ quantity: 0, weightKg: 0, volumeM3: 0, ldm: 0, valueCents: 0 })
  })

  test('are exact where floating point is not', () => {
    expect(
      cargoTotals([
        { ldm: 0.1, weightKg: 0.1 },
        { ldm: 0.2, weightKg: 0.2 },
      ]),
    ).toMatchObject({ ldm: 0.3, weightKg: 0.3 })
  })

  test('do not depend on the order of the lines', () => {
    const thousandths = fc.integer({ min: 0, max: 100_000_000 }).map((value) => value / 1000)
    const lines = fc.array(
      fc.record({
        quantity: thousandths,
        weightKg: thousandths,
        volumeM3: thousandths,
        ldm: thousandths,
        valueCents: fc.nat(),
      }),
      { maxLength: 50 },
    )
    fc.assert(
      fc.property(lines, (list) => {
        expect(cargoTotals(list)).toEqual(cargoTotals(list.toReversed()))
        expect(Math.round(cargoTotals(list).ldm * 1000)).toBe(
          list.reduce((sum, { ldm }) => sum + Math.round(ldm * 1000), 0),
        )
      }),
    )
  })
})

describe('chargeable weight', () => {
  test.each<[string, Parameters<typeof chargeableWeightKg>, number]>([
    ['the weight itself', [{ weightKg: 21_120, volumeM3: 45.936, ldm: 12 }], 21_120],
    ['by loading metres', [{ weightKg: 4880, volumeM3: 10, ldm: 12.4 }], 21_700],
    ['by volume', [{ weightKg: 100, volumeM3: 7.68, ldm: 1 }], 2557.44],
    [
      'by the customer’s own factors',
      [
        { weightKg: 100, volumeM3: 7.68, ldm: 2 },
        { chargeableKgPerM3: 250, chargeableKgPerLdm: 1000 },
      ],
      2000,
    ],
    [
      'by the usual factors where the customer has none',
      [
        { weightKg: 100, volumeM3: null, ldm: 2 },
        { chargeableKgPerM3: null, chargeableKgPerLdm: null },
      ],
      3500,
    ],
    ['of nothing', [{}], 0],
  ])('%s', (_, given, kg) => {
    expect(chargeableWeightKg(...given)).toBe(kg)
  })

  test('the usual factors are 333 kg a cubic metre and 1,750 kg a loading metre', () => {
    expect(CHARGEABLE).toEqual({ chargeableKgPerM3: 333, chargeableKgPerLdm: 1750 })
  })
})

describe('warnings', () => {
  test('steel beams are too heavy, and nothing else', () => {
    expect(loadWarnings(ORDERS['steel beams, four abreast and three high'].lines)).toEqual([
      { code: 'weightKg', value: 25_800, limit: 24_500, line: null },
    ])
  })

  test.each(Object.entries(ORDERS).filter(([name]) => !name.startsWith('steel')))('%s fits', (_, { lines }) => {
    expect(loadWarnings(lines)).toEqual([])
  })

  test('come above a limit, not at it', () => {
    const atLimits = { quantity: 2, ldm: 13.6, weightKg: 24_500, widthCm: 248, heightCm: 150, stackingFactor: 2 }
    expect(loadWarnings([atLimits])).toEqual([])
    expect(loadWarnings([{ ...atLimits, ldm: 13.601, weightKg: 24_500.001, widthCm: 248.1, heightCm: 150.1 }])).toEqual(
      [
        { code: 'ldm', value: 13.601, limit: 13.6, line: null },
        { code: 'weightKg', value: 24_500.001, limit: 24_500, line: null },
        { code: 'widthCm', value: 248.1, limit: 248, line: 0 },
        { code: 'stackHeightCm', value: 300.2, limit: 300, line: 0 },
      ],
    )
  })

  test('count all lines together, and name the line that is too wide or too high', () => {
    const codes = loadWarnings([
      { ldm: 7, weightKg: 12_000 },
      { ldm: 7, weightKg: 13_000, widthCm: 300 },
      { heightCm: 310 },
    ]).map(({ code, line: index }) => `${code} ${index}`)
    expect(codes).toEqual(['ldm null', 'weightKg null', 'widthCm 1', 'stackHeightCm 2'])
  })

  test('do not stack one unit upon itself', () => {
    expect(loadWarnings([{ quantity: 1, heightCm: 220, stackingFactor: 2 }])).toEqual([])
    expect(loadWarnings([{ quantity: 2, heightCm: 220, stackingFactor: 2 }])).toHaveLength(1)
  })
})
