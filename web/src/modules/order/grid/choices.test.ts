import { expect, test } from 'vitest'
import { countryCodeOf } from './choices.ts'

test.each([
  ['Germany', 'DE'],
  ['Deutschland', 'DE'],
  ['Polska', 'PL'],
  ['Czechia', 'CZ'],
  ['United Kingdom', 'GB'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Türkiye', 'TR'],
  ['Serbia', 'RS'],
  ['North Macedonia', 'MK'],
  ['Switzerland', 'CH'],
  ['Middle Earth', null],
])('%s is %s', (title, code) => {
  expect(countryCodeOf(title)).toBe(code)
})
