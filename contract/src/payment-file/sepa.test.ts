import { expect, test } from 'vitest'
import { isSepaCountry, isTargetClosed, needsBic, targetDayFrom } from './sepa.ts'

test.each([
  ['2026-01-01', true],
  ['2026-04-03', true],
  ['2026-04-06', true],
  ['2026-05-01', true],
  ['2026-12-25', true],
  ['2026-12-26', true],
  ['2027-03-26', true],
  ['2027-03-29', true],
  ['2026-11-28', true],
  ['2026-11-29', true],
  // public holidays somewhere, and working days of the banks
  ['2026-01-06', false],
  ['2026-05-14', false],
  ['2026-10-26', false],
  ['2026-12-24', false],
  ['2026-04-02', false],
])('on %s TARGET is closed: %s', (date, isClosed) => expect(isTargetClosed(date)).toBe(isClosed))

test('the next day of settlement leads over Easter and Christmas', () => {
  expect(targetDayFrom('2026-04-03')).toBe('2026-04-07')
  expect(targetDayFrom('2026-12-25')).toBe('2026-12-28')
  expect(targetDayFrom('2026-12-09')).toBe('2026-12-09')
})

test('a country can be paid from the day on which its banks take part', () => {
  expect(isSepaCountry('PL', '2020-01-01')).toBe(true)
  expect(isSepaCountry('MD', '2025-10-06')).toBe(false)
  expect(isSepaCountry('MD', '2025-10-07')).toBe(true)
  for (const code of ['UA', 'TR', 'BY', 'BA', 'XK', 'GE', 'FO', 'GL'])
    expect(isSepaCountry(code, '2030-01-01')).toBe(false)
})

test('outside the EEA the bank wants BIC and address', () => {
  expect(['CH', 'GB', 'RS', 'MC'].every(needsBic)).toBe(true)
  expect(['DE', 'NO', 'LI', 'IS'].some(needsBic)).toBe(false)
})
