import { expect, test } from 'vitest'
import { easterSunday } from '../../kit/local-time.ts'
import { isHoliday } from './holidays.ts'

test.each([
  [2024, '2024-03-31'],
  [2025, '2025-04-20'],
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2038, '2038-04-25'],
  [2285, '2285-03-22'],
])('Easter Sunday of %i is %s', (year, date) => {
  expect(easterSunday(year)).toBe(date)
})

test.each([
  ['DE', '2026-10-04', false],
  ['DE', '2026-10-03', true],
  ['DE', '2026-04-03', true],
  ['DE', '2026-06-04', false],
  ['PL', '2026-06-04', true],
  ['PL', '2026-11-11', true],
  ['PL', '2026-05-25', false],
  ['FR', '2026-07-14', true],
  ['TR', '2026-01-01', false],
])('a holiday of the whole of %s on %s: %s', (country, date, is) => {
  expect(isHoliday(country, date)).toBe(is)
})
