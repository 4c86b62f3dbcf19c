import { expect, test } from 'vitest'
import { easterSunday, orthodoxEaster } from '../../kit/local-time.ts'
import { holidayOn, isHoliday } from './holidays.ts'

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

test.each([
  [2024, '2024-05-05'],
  [2025, '2025-04-20'],
  [2026, '2026-04-12'],
  [2027, '2027-05-02'],
])('Orthodox Easter Sunday of %i is %s', (year, date) => {
  expect(orthodoxEaster(year)).toBe(date)
})

// As the calendars of the countries print them.
test.each([
  ['DE', ['2025-04-18', '2025-05-29', '2026-05-14', '2026-05-25', '2027-03-26', '2027-10-03']],
  ['PL', ['2025-06-19', '2025-12-24', '2026-05-03', '2026-05-24', '2027-05-27', '2027-11-11']],
  ['AT', ['2025-06-19', '2026-10-26', '2027-12-08']],
  ['CH', ['2025-08-01', '2026-05-14', '2027-01-01']],
  ['IT', ['2025-04-21', '2026-06-02', '2027-04-25']],
  ['FR', ['2025-05-08', '2026-07-14', '2027-05-17']],
  ['NL', ['2026-04-27', '2026-05-14', '2027-03-29']],
  ['BE', ['2025-07-21', '2026-11-11', '2027-05-06']],
  ['CZ', ['2025-09-28', '2026-04-03', '2027-11-17']],
  ['SK', ['2025-08-29', '2026-07-05', '2027-03-26']],
  ['HU', ['2025-08-20', '2026-10-23', '2027-05-17']],
  ['DK', ['2025-04-17', '2026-04-03', '2027-05-06']],
  ['ES', ['2025-12-08', '2026-04-03', '2027-10-12']],
  ['LT', ['2025-02-16', '2026-03-11', '2027-07-06']],
  ['LU', ['2025-05-09', '2026-06-23', '2027-05-06']],
  ['SI', ['2025-02-08', '2026-06-25', '2027-03-29']],
  ['RO', ['2025-04-18', '2025-06-09', '2026-04-10', '2026-04-13', '2026-06-01', '2027-04-30', '2027-06-21']],
])('%s has a holiday on %s', (country, dates) => {
  expect(dates.filter((date) => !isHoliday(country, date))).toEqual([])
})

test('a working day between holidays is none', () => {
  expect(['2026-04-07', '2026-12-28', '2027-01-04'].filter((date) => isHoliday('DE', date))).toEqual([])
  // Easter of the other churches.
  expect(['2026-04-03', '2026-04-06', '2027-03-29'].filter((date) => isHoliday('RO', date))).toEqual([])
})

test('a holiday says which one it is', () => {
  expect(holidayOn('PL', '2026-06-04')).toEqual({ fromEaster: 60 })
  expect(holidayOn('PL', '2026-11-11')).toEqual({ day: '11-11' })
  expect(holidayOn('PL', '2026-11-12')).toBeNull()
})
