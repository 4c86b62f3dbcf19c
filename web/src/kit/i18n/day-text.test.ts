import { describe, expect, it } from 'vitest'
import { dayTyped, readDay } from './day-text.ts'

const TODAY = '2026-11-21'

describe('a typed day', () => {
  it.each(['', 'soon', '32.1', '30.2.2026', '29.2.2027', '4.13', '1.2.3.4', '2026-13-01', '4', '12345', '+', '4.12.1'])(
    'is not read from %j',
    (typed) => {
      expect(readDay(typed, TODAY)).toBeNull()
    },
  )

  it.each([
    ['4.12', '2026-12-04'],
    ['4.12.', '2026-12-04'],
    ['04/12', '2026-12-04'],
    ['4-12-26', '2026-12-04'],
    ['4 12 2027', '2027-12-04'],
    ['0412', '2026-12-04'],
    ['041226', '2026-12-04'],
    ['04122026', '2026-12-04'],
    ['2026-12-04', '2026-12-04'],
    ['29.2', '2028-02-29'],
    ['+2', '2026-11-23'],
    ['-21', '2026-10-31'],
    ['+0', '2026-11-21'],
  ])('is read from %j', (typed, day) => {
    const today = typed === '29.2' ? '2027-12-01' : TODAY
    expect(readDay(typed, today)).toBe(day)
  })

  it('lies in the year nearest to today where none is typed', () => {
    expect(readDay('10.1', TODAY)).toBe('2027-01-10')
    expect(readDay('10.6', TODAY)).toBe('2026-06-10')
    expect(readDay('28.12', '2027-01-03')).toBe('2026-12-28')
  })

  it.each(['en', 'de', 'pl'] as const)('is read again as it is shown in %s', (language) => {
    expect(readDay(dayTyped('2026-12-04', language), TODAY)).toBe('2026-12-04')
  })
})
