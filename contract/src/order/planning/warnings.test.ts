import { describe, expect, it } from 'vitest'
import type { BoardBar, BoardStop } from './board.ts'
import { boardWarnings, peakOf, spanOf, timeOfStop } from './warnings.ts'

const HAMBURG = { city: 'Hamburg', latitude: 53.55, longitude: 10 }
const POZNAN = { city: 'Poznań', latitude: 52.41, longitude: 16.93 }

let ids = 0
const stop = (more: Partial<BoardStop>): BoardStop => ({
  id: (ids += 1),
  isLoading: false,
  isUnloading: false,
  city: null,
  countryCode: 'DE',
  timeZone: 'Europe/Berlin',
  latitude: null,
  longitude: null,
  startAt: null,
  endAt: null,
  plannedAt: null,
  arrivedAt: null,
  doneAt: null,
  ldmOn: 0,
  ldmOff: 0,
  kgOn: 0,
  kgOff: 0,
  ...more,
})

const bar = (stops: BoardStop[], more: Partial<BoardBar> = {}): BoardBar => ({
  orderId: (ids += 1),
  version: 1,
  customer: { id: 1, title: 'Nordlicht' },
  departmentId: 1,
  disposition: null,
  customerPriceCents: null,
  stops,
  asks: { lastDay: '2026-12-02', neededCents: 0 },
  routeId: (ids += 1),
  number: '26-04817/1',
  isOnly: true,
  prices: null,
  attached: [],
  clearance: null,
  status: 'new',
  delay: null,
  marginBp: null,
  incomeCents: null,
  distanceKm: null,
  ownFleet: true,
  carrierCompany: null,
  plateNumber: 'HH-WB 2041',
  driverIds: [],
  driverNames: null,
  vehicleTypeId: null,
  ...more,
})

const tour = (from: string, to: string, more: Partial<BoardBar> = {}) =>
  bar(
    [
      stop({ isLoading: true, plannedAt: from, ldmOn: 10, kgOn: 20_000 }),
      stop({ isUnloading: true, plannedAt: to, ldmOff: 10, kgOff: 20_000 }),
    ],
    more,
  )

const TRAILER = { ldm: 13.6, payloadKg: 24_500 }
const warned = (bars: BoardBar[], capacity: Parameters<typeof boardWarnings>[0][number]['capacity'] = TRAILER) =>
  boardWarnings([{ bars, capacity }])

describe('a bar', () => {
  it('stands from its first stop to its last: as it was, else as planned, else by the termins', () => {
    const stops = [
      stop({ isLoading: true, startAt: '2026-12-01T06:00:00Z', endAt: '2026-12-01T14:00:00Z' }),
      stop({ plannedAt: '2026-12-01T16:00:00Z' }),
      stop({ isUnloading: true, startAt: '2026-12-02T06:00:00Z', endAt: '2026-12-02T10:00:00Z' }),
    ]
    expect(spanOf(stops)).toEqual({
      start: Date.parse('2026-12-01T06:00:00Z'),
      end: Date.parse('2026-12-02T10:00:00Z'),
    })
    expect(timeOfStop({ ...stops[0]!, doneAt: '2026-12-01T07:15:00Z' })).toBe(Date.parse('2026-12-01T07:15:00Z'))
    expect(spanOf([stop({})])).toBeNull()
    expect(spanOf([stop({ plannedAt: '2026-12-01T06:00:00Z' })])).toEqual({
      start: Date.parse('2026-12-01T06:00:00Z'),
      end: Date.parse('2026-12-01T07:00:00Z'),
    })
  })

  it('carries at most what is on it at once, not what goes on in all', () => {
    const stops = [
      stop({ ldmOn: 8, kgOn: 1000 }),
      stop({ ldmOff: 8, ldmOn: 6.4, kgOn: 500 }),
      stop({ ldmOff: 6.4, kgOff: 1500 }),
    ]
    expect(peakOf(stops)).toEqual({ ldm: 8, kg: 1500 })
  })
})

describe('warnings of the board', () => {
  it('say nothing where all is well, and nothing of what is delivered', () => {
    expect(warned([tour('2026-12-01T06:00:00Z', '2026-12-01T14:00:00Z')]).size).toBe(0)
    const long = tour('2026-12-01T06:00:00Z', '2026-12-01T14:00:00Z', { status: 'delivered' })
    expect(warned([long], { ldm: 7.2, payloadKg: 6500 }).size).toBe(0)
  })

  it('say what does not fit on the vehicle, or on a standard trailer where it says nothing', () => {
    const one = tour('2026-12-01T06:00:00Z', '2026-12-01T14:00:00Z')
    expect(warned([one], { ldm: 7.2, payloadKg: 6500 }).get(one.routeId)).toEqual([
      { code: 'too_long', value: 10, limit: 7.2 },
      { code: 'too_heavy', value: 20_000, limit: 6500 },
    ])
    expect(warned([one], { ldm: null, payloadKg: null }).size).toBe(0)
    expect(warned([one], null).size).toBe(0)
  })

  it('say by how much a plan lies outside the termin', () => {
    const [early, late] = [
      stop({ plannedAt: '2026-12-01T05:30:00Z', startAt: '2026-12-01T06:00:00Z', endAt: '2026-12-01T14:00:00Z' }),
      stop({ plannedAt: '2026-12-02T16:30:00Z', startAt: '2026-12-02T06:00:00Z', endAt: '2026-12-02T12:00:00Z' }),
    ]
    const one = bar([early, late])
    expect(warned([one]).get(one.routeId)).toEqual([
      { code: 'early', stopId: early.id, minutes: 30 },
      { code: 'late', stopId: late.id, minutes: 270 },
    ])
    const done = bar([
      { ...early, doneAt: '2026-12-01T05:30:00Z' },
      { ...late, arrivedAt: '2026-12-02T16:30:00Z' },
    ])
    expect(warned([done]).size).toBe(0)
  })

  it('say what cannot be driven in the time, pauses counted', () => {
    // 625 km by road, estimated: 8 h 56 at the wheel and a break.
    const one = bar([
      stop({ ...HAMBURG, plannedAt: '2026-12-01T06:00:00Z' }),
      stop({ ...POZNAN, plannedAt: '2026-12-01T14:00:00Z' }),
    ])
    expect(warned([one]).get(one.routeId)).toEqual([
      { code: 'unreachable', stopId: one.stops[1]!.id, minutes: 8 * 60 + 56 + 45 - 480 },
    ])
  })

  it('say that a vehicle or a driver is on two tours at once; two routes of one order may share them', () => {
    const [first, second] = [
      tour('2026-12-01T06:00:00Z', '2026-12-01T14:00:00Z'),
      tour('2026-12-01T12:00:00Z', '2026-12-01T20:00:00Z'),
    ]
    expect(warned([first, second]).get(second.routeId)).toEqual([
      { code: 'vehicle_twice', routeId: first.routeId, minutes: 120 },
    ])
    expect(warned([first, second]).get(first.routeId)).toBeUndefined()
    expect(warned([first, { ...second, orderId: first.orderId }]).size).toBe(0)
    expect(warned([first, second], null).size).toBe(0)
    const driven = [first, second].map((one) => ({ ...one, driverIds: [7] }))
    const rows = driven.map((one) => ({ bars: [one], capacity: TRAILER }))
    expect(boardWarnings(rows).get(second.routeId)).toEqual([
      { code: 'driver_twice', routeId: first.routeId, minutes: 120 },
    ])
    const other = [rows[0]!, { bars: [{ ...driven[1]!, ownFleet: false }], capacity: TRAILER }]
    expect(boardWarnings(other).size).toBe(0)
  })

  it('say that a vehicle is on the road for an order that the caller may not know of', () => {
    const one = tour('2026-12-01T06:00:00Z', '2026-12-01T14:00:00Z')
    const of = (busy: { startAt: string; endAt: string }[]) =>
      boardWarnings([{ bars: [one], capacity: TRAILER, busy }]).get(one.routeId)
    expect(of([{ startAt: '2026-12-01T13:00:00Z', endAt: '2026-12-02T06:00:00Z' }])).toEqual([
      { code: 'vehicle_busy', minutes: 60 },
    ])
    expect(of([{ startAt: '2026-12-01T14:00:00Z', endAt: '2026-12-02T06:00:00Z' }])).toBeUndefined()
  })

  it('say that the way to the next loading is too far for the time between', () => {
    const first = bar([
      stop({ ...HAMBURG, plannedAt: '2026-12-01T06:00:00Z' }),
      stop({ ...HAMBURG, plannedAt: '2026-12-01T10:00:00Z' }),
    ])
    const second = bar([
      stop({ ...POZNAN, plannedAt: '2026-12-01T12:00:00Z' }),
      stop({ ...POZNAN, plannedAt: '2026-12-01T14:00:00Z' }),
    ])
    expect(warned([first, second]).get(second.routeId)).toEqual([
      { code: 'gap_too_short', routeId: first.routeId, minutes: 8 * 60 + 56 + 45 - 120 },
    ])
  })

  it('say why the carrier could not be scheduled, and nothing of one that is cleared or released', () => {
    const reasons = [{ code: 'licence_missing' as const, endsOn: null, insuredCents: null, text: null }]
    const of = (clearance: BoardBar['clearance']) => {
      const one = tour('2026-12-01T06:00:00Z', '2026-12-02T14:00:00Z', {
        ownFleet: false,
        carrierCompany: { id: 5, title: 'Transwarta' },
        clearance,
      })
      return warned([one]).get(one.routeId)
    }
    expect(of({ isCleared: false, reasons })).toEqual([{ code: 'not_cleared', reasons }])
    expect(of({ isCleared: true, reasons })).toBeUndefined()
    expect(of({ isCleared: true, reasons: [] })).toBeUndefined()
    expect(of(null)).toBeUndefined()
  })
})
