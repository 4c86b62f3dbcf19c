import { expect, it } from 'vitest'
import { countryName, dateTimeFormat, isCountryCode, isTimeZone, numberFormat, pluralForm } from './intl.ts'

it('makes a formatter once for each language and wording', () => {
  const percent = { style: 'percent', maximumFractionDigits: 2 } as const
  expect(numberFormat('de-DE', percent)).toBe(numberFormat('de-DE', { ...percent }))
  expect(numberFormat('pl-PL', percent)).not.toBe(numberFormat('de-DE', percent))
  expect(numberFormat('de-DE', { style: 'percent' })).not.toBe(numberFormat('de-DE', percent))
  const inBerlin = dateTimeFormat('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit' })
  expect(dateTimeFormat('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit' })).toBe(inBerlin)
  expect(dateTimeFormat('de-DE', { timeZone: 'Europe/Warsaw', hour: '2-digit' })).not.toBe(inBerlin)
  expect(() => dateTimeFormat('de-DE', { timeZone: 'Europe/Hamburg' })).toThrow(RangeError)
})

it('knows countries in three languages, and no name for what is no code', () => {
  expect(['en', 'de', 'pl'].map((language) => countryName('DE', language))).toEqual([
    'Germany',
    'Deutschland',
    'Niemcy',
  ])
  expect([countryName('QQ', 'en'), isCountryCode('QQ'), isCountryCode('DE')]).toEqual(['QQ', false, true])
})

it('knows the form that a number asks for', () => {
  expect([1, 2, 5, 22].map((count) => pluralForm('pl', count))).toEqual(['one', 'few', 'many', 'few'])
  expect([1, 2].map((count) => pluralForm('de', count))).toEqual(['one', 'other'])
})

it('knows time zones by their present and older names', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Calcutta', 'europe/berlin'].map(isTimeZone)).toEqual([true, true, true, true])
  expect(['Europe/Hamburg', '', 'Berlin\u0000'].map(isTimeZone)).toEqual([false, false, false])
})
