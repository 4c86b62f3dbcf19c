import { describe, expect, it } from 'vitest'
import { daysOf, localToday } from './filters.ts'

describe('spans of days', () => {
  it.each([
    ['today', '2026-12-02', '2026-12-02', '2026-12-02'],
    ['tomorrow', '2026-12-31', '2027-01-01', '2027-01-01'],
    ['thisWeek', '2026-12-02', '2026-11-30', '2026-12-06'],
    ['thisWeek', '2026-12-06', '2026-11-30', '2026-12-06'],
    ['thisWeek', '2026-11-30', '2026-11-30', '2026-12-06'],
    ['nextWeek', '2026-12-06', '2026-12-07', '2026-12-13'],
    ['thisMonth', '2028-02-10', '2028-02-01', '2028-02-29'],
    ['lastMonth', '2026-01-31', '2025-12-01', '2025-12-31'],
    ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28'],
  ] as const)('%s of %s is %s to %s', (span, today, from, to) => {
    expect(daysOf(span, today)).toEqual({ from, to })
  })

  it('takes the day of the reader’s clock, not that of Greenwich', () => {
    expect(localToday(new Date(2026, 0, 5, 0, 30))).toBe('2026-01-05')
    expect(localToday(new Date(2026, 11, 31, 23, 30))).toBe('2026-12-31')
  })
})
