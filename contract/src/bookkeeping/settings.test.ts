import { expect, it, test } from 'vitest'
import { chartAccounts } from './chart.ts'
import { daysOfMonth, fiscalYearOf, monthAfter } from './month.ts'
import { accountOf, personalRange, settingsFaults } from './accounts.ts'
import { BookkeepingSettings } from './settings.ts'

test.each([
  ['2026-02', { from: '2026-02-01', to: '2026-02-28' }],
  ['2028-02', { from: '2028-02-01', to: '2028-02-29' }],
  ['2026-12', { from: '2026-12-01', to: '2026-12-31' }],
])('%s has its days', (month, days) => expect(daysOfMonth(month)).toEqual(days))

test.each([
  ['2026-06', 7, '2025-07-01'],
  ['2026-07', 7, '2026-07-01'],
  ['2026-01', 1, '2026-01-01'],
  ['2026-12', 1, '2026-01-01'],
])('%s of years that begin with month %i is in the fiscal year of %s', (month, begins, first) =>
  expect(fiscalYearOf(month, begins)).toBe(first),
)

it('counts months over the turn of a year', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01')
  expect(monthAfter('2026-01', -1)).toBe('2025-12')
  expect(monthAfter('2026-11', -24)).toBe('2024-11')
})

it('gives customers and carriers one digit more than accounts have', () => {
  expect(personalRange('income', 4)).toEqual({ from: 10_000, to: 69_999 })
  expect(personalRange('expense', 4)).toEqual({ from: 70_000, to: 99_999 })
  expect(personalRange('expense', 6)).toEqual({ from: 7_000_000, to: 9_999_999 })
})

test.each(['SKR03', 'SKR04'] as const)('%s begins with settings that can be saved, at any length', (chart) => {
  for (const accountLength of [4, 5, 8]) {
    const settings = BookkeepingSettings.parse({ accountLength, ...chartAccounts(chart, accountLength) })
    expect(settingsFaults(settings)).toEqual([])
    expect(String(settings.bankAccount)).toHaveLength(accountLength)
    const own = accountOf(settings, 'income', { vatCategory: 'S', vatBp: 1900 })
    expect(String(own?.account)).toMatch(chart === 'SKR03' ? /^84000*$/ : /^44000*$/)
    expect(accountOf(settings, 'expense', { vatCategory: 'S', vatBp: 2300 })).toBeUndefined()
  }
})
