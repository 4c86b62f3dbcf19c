import { describe, expect, it } from 'vitest'
import { greatCircleKm } from '../kit/earth/great-circle.ts'
import {
  DETOUR,
  emissionElements,
  emissionSum,
  factorOn,
  type DatedFactor,
  type EmissionCargo,
  type EmissionOrder,
  type EmissionRoute,
  type EmissionStop,
} from './emission.ts'

const HAMBURG = { latitude: 53.55, longitude: 10 }
const BERLIN = { latitude: 52.52, longitude: 13.4 }
const POZNAN = { latitude: 52.41, longitude: 16.93 }

const DIESEL: DatedFactor = {
  id: 1,
  validFrom: '2020-01-01',
  wellToTank: 22,
  tankToWheel: 73,
  vehicleTypeIds: [7],
  isFallback: true,
}
const VAN: DatedFactor = { ...DIESEL, id: 2, wellToTank: 156, tankToWheel: 520, vehicleTypeIds: [9], isFallback: false }

const stop = (id: number, kind: EmissionStop['kind'], more: Partial<EmissionStop> = {}): EmissionStop => ({
  id,
  kind,
  routeId: 1,
  position: null,
  ...more,
})
const route = (more: Partial<EmissionRoute> = {}): EmissionRoute => ({
  id: 1,
  distanceKm: 520,
  isDistanceEstimated: false,
  vehicleTypeId: 7,
  ...more,
})
const line = (more: Partial<EmissionCargo> = {}): EmissionCargo => ({
  id: 1,
  customerId: 30,
  sourceOrderId: null,
  weightKg: 12_000,
  pickUpIds: [1],
  dropOffIds: [2],
  ...more,
})
const order = (more: Partial<EmissionOrder> = {}): EmissionOrder => ({
  day: '2026-03-10',
  vehicleTypeId: null,
  stops: [stop(1, 'loading'), stop(2, 'unloading')],
  routes: [route()],
  cargo: [line()],
  ...more,
})
const of = (given: EmissionOrder, factors = [DIESEL, VAN]) => emissionElements(given, factors)

describe('an order from one ramp to another', () => {
  it('emits tonnes × kilometres of its route × factor, each part rounded once', () => {
    const [element] = of(order())
    // 12 t × 520 km = 6,240 tkm; × 22 g = 137.28 kg; × 73 g = 455.52 kg
    expect(element).toMatchObject({
      weightKg: 12_000,
      distanceKm: 520,
      distanceBasis: 'route',
      isDistanceEstimated: false,
      factorId: 1,
      isVehicleAssumed: false,
      figures: { kgKm: 6_240_000, wttGrams: 137_280, ttwGrams: 455_520 },
      gaps: [],
    })
    expect(emissionSum([element!])).toMatchObject({ isComplete: true, isUnknown: false, factorIds: [1] })
  })

  it('adds its lines up before it counts, and keeps what stands in the route as estimated marked so', () => {
    const [element, ...more] = of(
      order({
        routes: [route({ isDistanceEstimated: true })],
        cargo: [line({ weightKg: 333.333 }), line({ id: 2, weightKg: 666.667 })],
      }),
    )
    expect(more).toEqual([])
    expect(element).toMatchObject({ weightKg: 1000, isDistanceEstimated: true, figures: { kgKm: 520_000 } })
  })

  it('goes by the great circle × 1.15 where no route has kilometres, and says that it is estimated', () => {
    const [element] = of(
      order({
        routes: [],
        vehicleTypeId: 9,
        stops: [
          stop(1, 'loading', { routeId: null, position: HAMBURG }),
          stop(2, 'unloading', { routeId: null, position: BERLIN }),
        ],
      }),
    )
    const km = Math.round(greatCircleKm(HAMBURG, BERLIN) * DETOUR * 10) / 10
    expect(km).toBeGreaterThan(280)
    expect(km).toBeLessThan(310)
    expect(element).toMatchObject({
      routeId: null,
      distanceKm: km,
      distanceBasis: 'greatCircle',
      isDistanceEstimated: true,
      factorId: 2,
    })
  })

  it('takes the first loading and the last unloading for goods that are at no stop', () => {
    expect(of(order({ cargo: [line({ pickUpIds: [], dropOffIds: [] })] }))[0]).toMatchObject({
      fromStopId: 1,
      toStopId: 2,
      figures: { kgKm: 6_240_000 },
    })
  })
})

describe('what is missing', () => {
  it.each([
    ['the weight of one line', order({ cargo: [line(), line({ id: 2, weightKg: null })] }), ['weight']],
    ['a weight of nothing', order({ cargo: [line({ weightKg: 0 })] }), ['weight']],
    ['kilometres and positions', order({ routes: [route({ distanceKm: null })] }), ['distance']],
    ['stops', order({ stops: [], cargo: [line({ pickUpIds: [], dropOffIds: [] })] }), ['stops']],
    ['the day', order({ day: null }), ['day']],
    ['a factor that has begun', order({ day: '2019-12-31' }), ['factor']],
  ])('%s is said, and counts as nothing known instead of zero', (_what, given, gaps) => {
    const elements = of(given)
    expect(elements.map(({ figures }) => figures)).toEqual([null])
    expect(emissionSum(elements)).toMatchObject({ isComplete: false, isUnknown: true, gaps, factorIds: [] })
  })

  it('is the cargo where there is none', () => {
    expect(emissionSum(of(order({ cargo: [] })))).toMatchObject({ isComplete: false, gaps: ['cargo'] })
  })

  it('of one customer leaves the figures of another', () => {
    const elements = of(order({ cargo: [line(), line({ id: 2, customerId: 31, weightKg: null })] }))
    expect(emissionSum(elements)).toMatchObject({ isComplete: false, isUnknown: false, kgKm: 6_240_000 })
    expect(emissionSum(elements.filter(({ customerId }) => customerId === 30)).isComplete).toBe(true)
  })
})

describe('a truck with goods of several', () => {
  const merged = (km: number | null) =>
    order({
      stops: [
        stop(1, 'loading', { position: HAMBURG }),
        stop(2, 'loading', { position: BERLIN }),
        stop(3, 'unloading', { position: POZNAN }),
      ],
      routes: [route({ distanceKm: km })],
      cargo: [
        line({ sourceOrderId: 11, pickUpIds: [1], dropOffIds: [3], weightKg: 4000 }),
        line({ id: 2, customerId: 31, sourceOrderId: 12, pickUpIds: [2], dropOffIds: [3], weightKg: 6000 }),
      ],
    })

  it('counts for each the own tonnes over the own way, as long as the route is for its stops', () => {
    const [first, second] = of(merged(600))
    const whole = greatCircleKm(HAMBURG, BERLIN) + greatCircleKm(BERLIN, POZNAN)
    const km = (part: number) => Math.round(((600 * part) / whole) * 10) / 10
    expect(first).toMatchObject({
      customerId: 30,
      sourceOrderId: 11,
      distanceBasis: 'share',
      isDistanceEstimated: true,
      distanceKm: km(greatCircleKm(HAMBURG, POZNAN)),
    })
    expect(second).toMatchObject({ customerId: 31, distanceKm: km(greatCircleKm(BERLIN, POZNAN)) })
    // Nobody pays for the detour to the ramp of another.
    expect(first!.distanceKm!).toBeLessThan(600)
    expect(first!.figures!.kgKm).toBe(Math.round(4000 * first!.distanceKm!))
  })

  it('goes by the great circle without kilometres of the route', () => {
    expect(of(merged(null)).map(({ distanceBasis }) => distanceBasis)).toEqual(['greatCircle', 'greatCircle'])
  })
})

describe('goods that are handed over', () => {
  it('travel on each truck with its own factor', () => {
    const elements = of(
      order({
        stops: [
          stop(1, 'loading', { position: HAMBURG }),
          stop(2, 'unloading', { position: BERLIN }),
          stop(3, 'loading', { routeId: 2, position: BERLIN }),
          stop(4, 'unloading', { routeId: 2, position: POZNAN }),
        ],
        routes: [route({ distanceKm: 290 }), route({ id: 2, distanceKm: 270, vehicleTypeId: 9 })],
        cargo: [line({ pickUpIds: [1, 3], dropOffIds: [2, 4] })],
      }),
    )
    expect(elements).toMatchObject([
      { routeId: 1, distanceKm: 290, factorId: 1 },
      { routeId: 2, distanceKm: 270, factorId: 2 },
    ])
  })
})

describe('the factor that counts', () => {
  const later = { ...DIESEL, id: 5, validFrom: '2026-07-01', tankToWheel: 60 }

  it('is the latest that has begun on the day of the last unloading', () => {
    const ids = ['2026-06-30', '2026-07-01'].map((day) => of(order({ day }), [later, DIESEL])[0]!.factorId)
    expect(ids).toEqual([1, 5])
  })

  it('is the newer one of two that begin on the same day', () => {
    expect(factorOn([{ ...DIESEL, id: 8 }, DIESEL], '2026-01-01', 7)!.factor.id).toBe(8)
  })

  it('is assumed where no type of vehicle is named, or none that has one, and said to be', () => {
    for (const vehicleTypeId of [null, 99])
      expect(factorOn([DIESEL, VAN], '2026-01-01', vehicleTypeId)).toEqual({ factor: DIESEL, isVehicleAssumed: true })
    expect(factorOn([VAN], '2026-01-01', 99)).toBeNull()
  })
})
