import { expect, it } from 'vitest'
import { findDays } from '../find/days.ts'
import { without } from '../find/found.ts'
import { findTimes } from '../find/times.ts'
import { lowered } from '../text/letters.rules.ts'
import { terminOf } from './termin.ts'

const read = (text: string): string | null => {
  const low = lowered(text)
  const days = findDays(low, '2027-01-14')
  const signs = [...days, ...findTimes(without(low, days))].sort((one, other) => one.from - other.from)
  const found = terminOf(low, signs)?.termin
  return found === undefined
    ? null
    : `${found.kind} ${found.dateFrom} ${found.timeFrom} ${found.dateTo} ${found.timeTo}`.replaceAll('null', '-')
}

it.each([
  ['20.01.2027 von 6 bis 10 Uhr', 'period 2027-01-20 06:00 2027-01-20 10:00'],
  ['Dienstag 19.01.2027, Fixtermin 8:00 Uhr', 'fix 2027-01-19 08:00 - -'],
  ['bis 30.01.', 'before 2027-01-30 - - -'],
  ['20.01.2027 do 15:00', 'before 2027-01-20 15:00 - -'],
  ['by Tuesday 19 January 5pm', 'before 2027-01-19 17:00 - -'],
  ['Mon 18/01 before noon', 'before 2027-01-18 12:00 - -'],
  ['22.01. ab 14:00 Uhr', 'period 2027-01-22 14:00 2027-01-22 -'],
  ['Ready from 26 Jan 2027 10:00, latest 15:00', 'period 2027-01-26 10:00 2027-01-26 15:00'],
  ['KW 4 werktags 7.30 - 16.00 Uhr', 'period 2027-01-25 07:30 2027-01-29 16:00'],
  ['20.01.2027 - 22.01.2027', 'period 2027-01-20 - 2027-01-22 -'],
  ['tomorrow at 8am', 'fix 2027-01-15 08:00 - -'],
  ['um 8:00 Uhr', null],
])('%s', (text, termin) => {
  expect(read(text)).toBe(termin)
})
