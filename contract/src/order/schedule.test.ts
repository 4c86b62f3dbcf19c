import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { delayOf } from './delay.ts'
import { firstLoadingAt, lastUnloadingAt, planErrors, servicePeriod, type CargoAction, type Stop } from './schedule.ts'
import type { OrderStatus } from './status.ts'
import type { Termin } from './termin/termin.ts'

const pick = (cargoId: number): CargoAction => ({ cargoId, action: 'PICK_UP' })
const drop = (cargoId: number): CargoAction => ({ cargoId, action: 'DROP_OFF' })
const stop = (...cargoActions: CargoAction[]): Stop => ({ cargoActions })
const lines = [{ id: 1 }, { id: 2 }, { id: 3, key: 'c' }]
const due = (value: Partial<Termin> & Pick<Termin, 'kind' | 'dateFrom'>): Termin => ({
  timeFrom: null,
  dateTo: null,
  timeTo: null,
  ...value,
})

describe('a plan', () => {
  test.each<[string, Stop[], string[]]>([
    [
      'drops cargo before it is picked up',
      [stop(drop(1)), stop(pick(1))],
      ['0.cargoActions.0 drop_off_before_pick_up'],
    ],
    ['drops cargo where it is picked up', [stop(pick(1), drop(1))], ['0.cargoActions.1 drop_off_before_pick_up']],
    [
      'picks the same cargo up twice',
      [stop(pick(1)), stop(pick(2), pick(1)), stop(drop(1), drop(2))],
      ['1.cargoActions.1 action_twice'],
    ],
    [
      'drops the same cargo off twice',
      [stop(pick(1)), stop(drop(1)), stop(drop(1))],
      ['2.cargoActions.0 action_twice'],
    ],
    [
      'names the same cargo by id and by key',
      [stop(pick(3)), stop({ cargoKey: 'c', action: 'PICK_UP' })],
      ['1.cargoActions.0 action_twice'],
    ],
    [
      'names cargo that is not on the order',
      [stop(pick(9)), stop({ cargoKey: 'x', action: 'DROP_OFF' })],
      ['0.cargoActions.0 unknown_reference', '1.cargoActions.0 unknown_reference'],
    ],
  ])('that %s is refused', (_, stops, errors) => {
    expect(planErrors(stops, lines).map(({ path, code }) => `${path} ${code}`)).toEqual(errors)
  })

  test.each<[string, Stop[]]>([
    ['picks up at two stops and drops off at two more', [stop(pick(1)), stop(pick(2)), stop(drop(2)), stop(drop(1))]],
    ['unloads and loads at one stop', [stop(pick(1)), stop(drop(1), pick(2)), stop(drop(2))]],
    ['is not finished', [stop(pick(1)), stop(drop(2))]],
    ['passes a border without cargo', [stop(pick(1)), { kind: 'customs' }, stop(drop(1))]],
    [
      'takes goods on because their drop was canceled',
      [stop(pick(1)), { ...stop(drop(1)), canceledAt: '2026-12-01T08:00:00Z' }, stop(drop(1))],
    ],
  ])('that %s is accepted', (_, stops) => {
    expect(planErrors(stops, lines)).toEqual([])
  })

  test('is right in one direction at most: turned round, every transport is refused', () => {
    const places = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(fc.array(places, { minLength: 1, maxLength: 8 }), (ways) => {
        const cargo = ways.map((_, id) => ({ id }))
        const stops = Array.from({ length: 10 }, (_, place) =>
          stop(...ways.flatMap(([from, to], id) => (from === place ? [pick(id)] : to === place ? [drop(id)] : []))),
        )
        const wrong = ways.filter(([from, to]) => from! > to!).length
        expect(planErrors(stops, cargo)).toHaveLength(wrong)
        expect(planErrors(stops.toReversed(), cargo)).toHaveLength(ways.length - wrong)
      }),
    )
  })
})

describe('delays', () => {
  // Order 5: two pick-ups in the Netherlands, one drop-off at Ożarów before dawn.
  const rotterdam: Stop = {
    kind: 'loading',
    timeZone: 'Europe/Amsterdam',
    termin: due({ kind: 'fix', dateFrom: '2026-12-02', timeFrom: '14:00' }),
  }
  const venlo: Stop = {
    kind: 'loading',
    timeZone: 'Europe/Amsterdam',
    termin: due({ kind: 'period', dateFrom: '2026-12-02', timeFrom: '18:00', timeTo: '20:00' }),
  }
  const ozarow: Stop = {
    kind: 'unloading',
    timeZone: 'Europe/Warsaw',
    termin: due({ kind: 'period', dateFrom: '2026-12-04', timeFrom: '04:00', timeTo: '06:00' }),
  }
  const stops = [rotterdam, venlo, ozarow]
  const loaded = '2026-12-02T13:20:00Z'

  test.each<[string, OrderStatus, Stop[], string]>([
    ['new', 'new', stops, '2027-01-01T00:00:00Z'],
    ['delivered', 'delivered', stops, '2027-01-01T00:00:00Z'],
    ['canceled', 'canceled', stops, '2027-01-01T00:00:00Z'],
    ['scheduled, at the very minute', 'scheduled', stops, '2026-12-02T13:00:00Z'],
    [
      'scheduled, the first pick-up loaded and the second not yet due',
      'scheduled',
      [{ ...rotterdam, loadedAt: loaded }, venlo, ozarow],
      '2026-12-02T18:59:00Z',
    ],
    ['in transit past a pick-up', 'in_transit', stops, '2026-12-03T12:00:00Z'],
    [
      'in transit to a stop without a termin',
      'in_transit',
      [rotterdam, { ...ozarow, termin: null }],
      '2027-01-01T00:00:00Z',
    ],
  ])('there is none while %s', (_, status, given, now) => {
    expect(delayOf({ status, stops: given }, now)).toBeNull()
  })

  test.each<[string, OrderStatus, Stop[], string, ReturnType<typeof delayOf>]>([
    [
      'scheduled past the first pick-up',
      'scheduled',
      stops,
      '2026-12-02T13:00:01Z',
      { kind: 'sending', expectedAt: '2026-12-02T13:00:00.000Z', days: 1, hours: 1 },
    ],
    [
      'scheduled past the second, the first being loaded',
      'scheduled',
      [{ ...rotterdam, loadedAt: loaded }, venlo, ozarow],
      '2026-12-02T21:30:00Z',
      { kind: 'sending', expectedAt: '2026-12-02T19:00:00.000Z', days: 1, hours: 3 },
    ],
    [
      'scheduled when the first pick-up is canceled',
      'scheduled',
      [{ ...rotterdam, canceledAt: loaded }, venlo, ozarow],
      '2026-12-02T19:00:01Z',
      { kind: 'sending', expectedAt: '2026-12-02T19:00:00.000Z', days: 1, hours: 1 },
    ],
    [
      'still in transit after the 4th at six in Warsaw',
      'in_transit',
      stops,
      '2026-12-04T05:00:01Z',
      { kind: 'delivery', expectedAt: '2026-12-04T05:00:00.000Z', days: 1, hours: 1 },
    ],
    [
      'arrived and a day and a minute late',
      'arrived',
      stops,
      '2026-12-05T05:01:00Z',
      { kind: 'delivery', expectedAt: '2026-12-04T05:00:00.000Z', days: 2, hours: 25 },
    ],
    [
      'a day late to the second',
      'arrived',
      stops,
      '2026-12-05T05:00:00Z',
      { kind: 'delivery', expectedAt: '2026-12-04T05:00:00.000Z', days: 1, hours: 24 },
    ],
    [
      'past the day, no time being given',
      'in_transit',
      [rotterdam, { ...ozarow, termin: due({ kind: 'before', dateFrom: '2026-12-04' }) }],
      '2026-12-04T23:00:00Z',
      { kind: 'delivery', expectedAt: '2026-12-04T22:59:59.999Z', days: 1, hours: 1 },
    ],
  ])('%s', (_, status, given, now, delay) => {
    expect(delayOf({ status, stops: given }, now)).toEqual(delay)
  })

  test('only grow, and begin the moment after the time expected', () => {
    const expected = Date.parse('2026-12-04T05:00:00Z')
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e10 }), fc.integer({ min: 1, max: 1e9 }), (offset, more) => {
        const early = delayOf({ status: 'in_transit', stops }, new Date(expected + offset))
        const late = delayOf({ status: 'in_transit', stops }, new Date(expected + offset + more))
        expect(early !== null).toBe(offset > 0)
        expect((late?.hours ?? 0) >= (early?.hours ?? 0)).toBe(true)
        if (early) {
          expect(early.days).toBe(Math.ceil(early.hours / 24))
          expect(early.days).toBeGreaterThanOrEqual(1)
        }
      }),
    )
  })
})

describe('first loading and last unloading', () => {
  const zone = 'Europe/Berlin'
  const load: Stop = {
    kind: 'loading',
    timeZone: zone,
    termin: due({ kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' }),
  }
  const unload: Stop = {
    kind: 'unloading',
    timeZone: 'Europe/Warsaw',
    termin: due({ kind: 'fix', dateFrom: '2026-12-01' }),
  }

  test('are unknown without stops, dates or zones', () => {
    expect(firstLoadingAt([])).toBeNull()
    expect(lastUnloadingAt([load])).toBeNull()
    expect(firstLoadingAt([{ ...load, termin: null }])).toBeNull()
    expect(firstLoadingAt([{ ...load, timeZone: null }])).toBeNull()
    expect(lastUnloadingAt([{ ...unload, canceledAt: '2026-12-01T00:00:00Z' }])).toBeNull()
    expect(servicePeriod([])).toEqual({ from: null, to: null })
  })

  test('are what is due, then what is planned, then what happened', () => {
    expect(firstLoadingAt([load, unload])).toBe('2026-11-30T07:00:00.000Z')
    expect(lastUnloadingAt([load, unload])).toBe('2026-12-01T22:59:59.999Z')
    const planned = { ...load, plannedAt: '2026-11-30T09:00:00+01:00' }
    expect(firstLoadingAt([planned, unload])).toBe('2026-11-30T08:00:00.000Z')
    expect(firstLoadingAt([{ ...planned, loadedAt: new Date('2026-11-30T09:15:00Z') }, unload])).toBe(
      '2026-11-30T09:15:00.000Z',
    )
    expect(lastUnloadingAt([load, { ...unload, unloadedAt: '2026-12-01T07:40:00Z' }])).toBe('2026-12-01T07:40:00.000Z')
  })

  test('are the earliest and the latest of several stops', () => {
    const later: Stop = { ...load, termin: due({ kind: 'fix', dateFrom: '2026-12-02', timeFrom: '10:00' }) }
    expect(firstLoadingAt([later, load])).toBe('2026-11-30T07:00:00.000Z')
    expect(lastUnloadingAt([{ ...unload, unloadedAt: '2026-12-03T07:00:00Z' }, unload])).toBe(
      '2026-12-03T07:00:00.000Z',
    )
  })

  test('give the service period in the dates of their stops', () => {
    expect(servicePeriod([{ ...load, loadedAt: '2026-11-30T23:30:00Z' }, unload])).toEqual({
      from: '2026-12-01',
      to: '2026-12-01',
    })
  })
})
