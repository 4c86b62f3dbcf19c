import { describe, expect, it } from 'vitest'
import { createFormat } from './format.ts'

const NOW = new Date('2026-12-03T12:00:00Z')
const IN_NEW_YEAR = '2027-01-02T09:15:00Z'

describe('a day and its time in a list', () => {
  it.each([
    ['en', '02 Jan 27 10:15', '04 Dec 10:15'],
    ['de', '02.01.27 10:15', '04.12. 10:15'],
    ['pl', '02 sty 27 10:15', '04 gru 10:15'],
  ] as const)('keep the hour, and have the year where it is another one: %s', (language, other, same) => {
    const format = createFormat(language)
    expect(format.dayTime(IN_NEW_YEAR, 'Europe/Berlin', NOW)).toBe(other)
    expect(format.dayTime('2026-12-04T09:15:00Z', 'Europe/Berlin', NOW)).toBe(same)
  })

  it('belong to the year of the stop’s clock, not of ours', () => {
    const format = createFormat('en')
    expect(format.dayTime('2026-12-31T23:30:00Z', 'Europe/Berlin', NOW)).toBe('01 Jan 27 00:30')
    expect(format.dayTime('2026-12-31T23:30:00Z', 'Europe/London', NOW)).toBe('31 Dec 23:30')
  })
})

it('the weekday of a lane has its year where it is another one', () => {
  const format = createFormat('en')
  expect(format.shortWeekdayDate('2026-12-04', NOW)).toBe('Fri 4 Dec')
  expect(format.weekdayAndDay('2026-12-04')).toBe('Fri 4')
  expect(format.shortWeekdayDate('2027-01-02', NOW)).toMatch(/^Sat,? 2 Jan 27$/)
})
