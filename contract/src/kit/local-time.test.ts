import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  aroundSkipped,
  endOfDay,
  instantOf,
  instantsAt,
  isRealDate,
  localOf,
  startOfDay,
  weekdayOf,
} from './local-time.ts'

const ZONES = [
  'Europe/Berlin',
  'Europe/Warsaw',
  'Europe/London',
  'Europe/Istanbul',
  'Africa/Casablanca',
  'America/Santiago',
  'Asia/Kathmandu',
  'UTC',
]
const anyDate = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days))
const anyTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

describe('dates', () => {
  test.each([
    ['2026-02-30'],
    ['2025-02-29'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-04-31'],
    ['2026-4-3'],
    ['30.11.2026'],
    [''],
  ])('%j does not exist', (date) => {
    expect(isRealDate(date)).toBe(false)
  })

  test.each([['2026-02-28'], ['2024-02-29'], ['2026-12-31'], ['2000-02-29']])('%s exists', (date) => {
    expect(isRealDate(date)).toBe(true)
  })

  test('one after the other they cross months, years and leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  })

  test('2026-11-30 is a Monday and 2026-12-06 a Sunday', () => {
    expect(weekdayOf('2026-11-30')).toBe(1)
    expect(weekdayOf('2026-12-06')).toBe(7)
  })
})

describe('local times', () => {
  test.each([
    ['2026-02-30', '10:00', 'Europe/Berlin'],
    ['2026-02-28', '24:00', 'Europe/Berlin'],
    ['2026-02-28', '8:00', 'Europe/Berlin'],
    ['2026-02-28', '08:00', 'Europe/Atlantis'],
  ])('%s %s in %s is refused', (date, time, zone) => {
    expect(() => instantOf(date, time, zone)).toThrow(RangeError)
  })

  test.each([
    ['2026-12-04', '06:00', 'Europe/Warsaw', '2026-12-04T05:00:00.000Z'],
    ['2026-07-04', '06:00', 'Europe/Warsaw', '2026-07-04T04:00:00.000Z'],
    ['2026-12-04', '06:00', 'Europe/London', '2026-12-04T06:00:00.000Z'],
    ['2026-12-04', '00:10', 'Asia/Kathmandu', '2026-12-03T18:25:00.000Z'],
    // Skipped: the clocks go from 02:00 to 03:00.
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    // Twice: the clocks go from 03:00 back to 02:00.
    ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ])('%s %s in %s is %s', (date, time, zone, instant) => {
    expect(instantOf(date, time, zone)).toBe(instant)
  })

  test('there is none where the clocks skip, two where they go back', () => {
    expect(instantsAt('2026-03-29', '02:30', 'Europe/Berlin')).toEqual([])
    expect(instantsAt('2026-03-29', '03:00', 'Europe/Berlin')).toEqual(['2026-03-29T01:00:00.000Z'])
    expect(instantsAt('2026-10-25', '02:30', 'Europe/Berlin')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ])
  })

  test('around a skipped one the clocks show one as much earlier and one as much later', () => {
    expect(aroundSkipped('2026-03-29', '02:30', 'Europe/Berlin')).toEqual({ earlier: '01:30', later: '03:30' })
    expect(aroundSkipped('2026-03-29', '03:00', 'Europe/Berlin')).toBeNull()
    expect(aroundSkipped('2026-10-25', '02:30', 'Europe/Berlin')).toBeNull()
  })

  test('a skipped time is shown as much later as the clocks skipped', () => {
    expect(localOf(instantOf('2026-03-29', '02:30', 'Europe/Berlin'), 'Europe/Berlin')).toEqual({
      date: '2026-03-29',
      time: '03:30',
    })
  })

  test('come back from their instant, unless the clocks skipped them', () => {
    fc.assert(
      fc.property(anyDate, anyTime, fc.constantFrom(...ZONES), (date, time, zone) => {
        const instant = instantOf(date, time, zone)
        const back = localOf(instant, zone)
        if (back.date === date && back.time === time) return
        expect(`${back.date} ${back.time}` > `${date} ${time}`).toBe(true)
        expect(localOf(new Date(Date.parse(instant) - 3_600_000 * 2), zone).date <= date).toBe(true)
      }),
    )
  })
})

describe('local days', () => {
  test('end a millisecond before the next begins, after 23 or 25 hours too', () => {
    const hours = (date: string) =>
      (Date.parse(endOfDay(date, 'Europe/Berlin')) + 1 - Date.parse(startOfDay(date, 'Europe/Berlin'))) / 3_600_000
    expect(hours('2026-03-28')).toBe(24)
    expect(hours('2026-03-29')).toBe(23)
    expect(hours('2026-10-25')).toBe(25)
    expect(endOfDay('2026-12-04', 'Europe/Warsaw')).toBe('2026-12-04T22:59:59.999Z')
  })

  test('begin and end on their own date in every zone', () => {
    fc.assert(
      fc.property(anyDate, fc.constantFrom(...ZONES), (date, zone) => {
        expect(localOf(startOfDay(date, zone), zone).date).toBe(date)
        expect(localOf(endOfDay(date, zone), zone).date).toBe(date)
      }),
    )
  })
})
