import { describe, expect, test } from 'vitest'
import { decimalMarkOf, readFigure, readNumber } from './number-text.ts'

describe('figures as people type them', () => {
  test.each([
    ['en', '1,180.50', 1180.5],
    ['en', '1,180', 1180],
    ['en', '1180,5', 1180.5],
    ['en', '2.4', 2.4],
    ['de', '1.180,50', 1180.5],
    ['de', '1.180', 1180],
    ['de', '12.345.678', 12_345_678],
    ['de', '2.4', 2.4],
    ['de', '0.800', 0.8],
    ['pl', '1 180,50', 1180.5],
    ['pl', '1\u00A0180', 1180],
    ['pl', '12.50', 12.5],
    ['en', '−5', -5],
    ['de', '1.180,50 €', 1180.5],
    ['en', ' 640 kg', 640],
    ['en', '.5', 0.5],
    ['en', '5.', 5],
    ['de', '33*640', 21_120],
    ['pl', '9 × 310 kg', 2790],
    ['en', '5x420', 2100],
    ['de', '12 × 1.180,50 €', 14_166],
    ['en', '3*0.1', 0.3],
  ] as const)('%s: %s', (language, typed, value) => {
    expect(readNumber(typed, language)).toBe(value)
  })

  test('nothing is null', () => {
    expect(readNumber('  ', 'de')).toBeNull()
  })

  test.each(['abc', '12x', '1,2,3', '--5', '1.2.3', '1e5', ',', '3*', '*3', '3**4', '3*a'])(
    '%s is no figure',
    (typed) => {
      expect(readNumber(typed, 'en')).toBeNaN()
    },
  )
})

describe('the decimal mark of a figure in a language that nobody knows', () => {
  test.each([
    ['1.180,50', ','],
    ['1,180.50', '.'],
    ['1.234.567', ','],
    ['0,500', ','],
    ['0.500', '.'],
    ['1234.567', '.'],
    ['12,5 kg', ','],
    ['1 450.00 EUR', '.'],
    ['24.000', 'ambiguous'],
    ['1,200', 'ambiguous'],
    ['−24.000 kg', 'ambiguous'],
    ['1180', null],
    ['', null],
  ])('%s: %s', (typed, mark) => {
    expect(decimalMarkOf(typed)).toBe(mark)
  })

  test('is told by its neighbours', () => {
    expect(readFigure('24.000', '.')).toBe(24)
    expect(readFigure('24.000', ',')).toBe(24_000)
  })
})
