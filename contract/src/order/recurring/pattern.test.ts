import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { addDays, weekdayOf } from '../../kit/local-time.ts'
import { isHoliday } from '../termin/holidays.ts'
import type { Termin } from '../termin/termin.ts'
import {
  isPatternDay,
  laneOfStops,
  nextDayOf,
  plannedDays,
  stopsOnDay,
  templateDayOf,
  type Pattern,
  type PatternLane,
} from './pattern.ts'

const pattern = (given: Partial<Pattern> = {}): Pattern => ({
  weekdays: [1, 2, 3, 4, 5],
  fromDay: '2026-01-01',
  untilDay: null,
  everyWeeks: 1,
  skipsHolidays: true,
  leftOut: [],
  ...given,
})
const DE_PL: PatternLane = { fromCountryCode: 'DE', toCountryCode: 'PL', unloadingAfterDays: 1 }
const fix = (dateFrom: string, timeFrom: string | null = null): Termin => ({
  kind: 'fix',
  dateFrom,
  timeFrom,
  dateTo: null,
  timeTo: null,
})

describe('the days of a pattern', () => {
  it('are those of its weekdays, from its first day to its last', () => {
    const days = plannedDays(
      pattern({ weekdays: [2, 4], fromDay: '2026-09-10', untilDay: '2026-09-18' }),
      DE_PL,
      '2026-09-01',
      10,
    )
    expect(days.map(({ day }) => day)).toEqual(['2026-09-10', '2026-09-15', '2026-09-17'])
  })

  it('are counted in weeks from the one in which it begins', () => {
    const days = plannedDays(
      pattern({ weekdays: [1, 5], fromDay: '2026-09-10', everyWeeks: 3 }),
      DE_PL,
      '2026-09-01',
      4,
    )
    expect(days.map(({ day }) => day)).toEqual(['2026-09-11', '2026-09-28', '2026-10-02', '2026-10-19'])
  })

  it('are left out on holidays of either country, also where it would be unloaded on one', () => {
    const days = plannedDays(pattern({ leftOut: ['2026-11-13'] }), DE_PL, '2026-11-09', 5)
    const polish = { by: 'holiday', countryCode: 'PL', date: '2026-11-11', holiday: { day: '11-11' } }
    expect(days).toEqual([
      { day: '2026-11-09', leftOut: null },
      { day: '2026-11-10', leftOut: polish },
      { day: '2026-11-11', leftOut: polish },
      { day: '2026-11-12', leftOut: null },
      { day: '2026-11-13', leftOut: { by: 'hand' } },
    ])
    expect(
      plannedDays(pattern({ skipsHolidays: false }), DE_PL, '2026-11-10', 2).map(({ leftOut }) => leftOut),
    ).toEqual([null, null])
  })

  it('end where the pattern ends', () => {
    expect(nextDayOf(pattern({ untilDay: '2026-01-05' }), DE_PL, '2026-01-06', new Set())).toBeNull()
    expect(nextDayOf(pattern(), DE_PL, '2026-01-12', new Set(['2026-01-12']))).toBe('2026-01-13')
  })
})

const day = fc.integer({ min: 0, max: 900 }).map((days) => addDays('2025-01-01', days))
const anyPattern = fc.record({
  weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  fromDay: day,
  untilDay: fc.option(day, { nil: null }),
  everyWeeks: fc.integer({ min: 1, max: 4 }),
  skipsHolidays: fc.boolean(),
  leftOut: fc.array(day, { maxLength: 4 }),
})
const country = fc.constantFrom('DE', 'PL', 'AT', 'RO', 'TR')
const anyLane = fc.record({
  fromCountryCode: country,
  toCountryCode: country,
  unloadingAfterDays: fc.integer({ min: 0, max: 5 }),
})

test('what is driven is the pattern without its holidays, and no day besides', () => {
  fc.assert(
    fc.property(anyPattern, anyLane, day, (one, lane, from) => {
      const found = plannedDays(one, lane, from, 10)
      const first = from > one.fromDay ? from : one.fromDay
      const last = found.at(-1)?.day ?? first
      // Counted anew, day by day.
      const wanted: string[] = []
      for (let at = first; at <= last; at = addDays(at, 1)) if (isPatternDay(one, at)) wanted.push(at)
      expect(found.map((planned) => planned.day)).toEqual(wanted)
      for (const { day: at, leftOut } of found) {
        expect(one.weekdays).toContain(weekdayOf(at))
        const isFree =
          one.skipsHolidays &&
          (isHoliday(lane.fromCountryCode, at) ||
            isHoliday(lane.toCountryCode, at) ||
            isHoliday(lane.toCountryCode, addDays(at, lane.unloadingAfterDays)))
        expect(leftOut !== null).toBe(isFree || one.leftOut.includes(at))
      }
    }),
  )
})

describe('the stops of a template', () => {
  const stops = [
    { kind: 'loading', countryCode: 'DE', termin: fix('2026-03-26', '08:00') },
    { kind: 'customs', countryCode: 'PL', termin: null },
    {
      kind: 'unloading',
      countryCode: 'PL',
      termin: {
        kind: 'period' as const,
        dateFrom: '2026-03-27',
        timeFrom: '06:00',
        dateTo: '2026-03-28',
        timeTo: '12:00',
      },
    },
  ]

  it('say where holidays count, and how much later it is unloaded', () => {
    expect(laneOfStops(stops)).toEqual({ fromCountryCode: 'DE', toCountryCode: 'PL', unloadingAfterDays: 2 })
    expect(laneOfStops(stops.slice(0, 2))).toBeNull()
    expect(templateDayOf([])).toBeNull()
  })

  it('keep their distance and their local times, also where the clocks change between them', () => {
    expect(stopsOnDay(stops, '2026-10-23').map(({ termin }) => termin)).toEqual([
      fix('2026-10-23', '08:00'),
      null,
      { kind: 'period', dateFrom: '2026-10-24', timeFrom: '06:00', dateTo: '2026-10-25', timeTo: '12:00' },
    ])
  })

  it('give the day to a first loading without a date', () => {
    const undated = stops.map((stop) => ({ ...stop, termin: null }))
    expect(stopsOnDay(undated, '2026-10-23').map(({ termin }) => termin)).toEqual([fix('2026-10-23'), null, null])
  })
})
