import { describe, expect, test } from 'vitest'
import { firstDayOf, scaleOf, weekNumber } from './time-scale.ts'

const WEEK = {
  startAt: '2026-11-29T23:00:00.000Z',
  endAt: '2026-12-06T23:00:00.000Z',
  timeZone: 'Europe/Berlin',
}

describe('the scale of the board', () => {
  const scale = scaleOf(WEEK, 7)

  test('has a column a day, and knows weekends', () => {
    expect(scale.columns.map(({ date }) => date)).toEqual([
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
      '2026-12-04',
      '2026-12-05',
      '2026-12-06',
    ])
    expect(scale.columns.map(({ isWeekend }) => isWeekend)).toEqual([false, false, false, false, false, true, true])
  })

  test('cuts what begins before it or ends after it, and leaves out what lies beside it', () => {
    const at = (text: string) => Date.parse(text)
    expect(scale.box(at('2026-11-28T00:00:00Z'), scale.start + (scale.end - scale.start) / 4)).toEqual({
      left: 0,
      width: 25,
      isCutLeft: true,
      isCutRight: false,
    })
    expect(scale.box(at('2026-11-20T00:00:00Z'), scale.start)).toBeNull()
    expect(scale.box(scale.end, at('2026-12-10T00:00:00Z'))).toBeNull()
  })

  test('gives the pointer half hours in a week and quarters on a day', () => {
    expect(new Date(scale.at(0.5003)).toISOString()).toBe('2026-12-03T11:00:00.000Z')
    const day = scaleOf({ ...WEEK, endAt: '2026-11-30T23:00:00.000Z' }, 1)
    expect(new Date(day.at(0.26)).toISOString()).toBe('2026-11-30T05:15:00.000Z')
  })

  test('has a day of 23 hours where the clocks go forward', () => {
    const spring = scaleOf(
      { startAt: '2027-03-27T23:00:00.000Z', endAt: '2027-03-28T22:00:00.000Z', timeZone: 'Europe/Berlin' },
      1,
    )
    expect((spring.columns[0]!.end - spring.columns[0]!.start) / 3_600_000).toBe(23)
  })
})

test('weeks begin on Monday and are counted by ISO 8601', () => {
  expect(firstDayOf('2026-12-06', 7)).toBe('2026-11-30')
  expect(firstDayOf('2026-12-06', 1)).toBe('2026-12-06')
  expect(weekNumber('2026-11-30')).toBe(49)
  expect(weekNumber('2026-12-28')).toBe(53)
  expect(weekNumber('2027-01-04')).toBe(1)
})
