import { termin, type Termin } from '@waybill/contract/order/termin/termin'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { describe, expect, test } from 'vitest'
import { createFormat } from '../../../kit/i18n/format.ts'
import { readTime, terminTyped, terminWords } from './stop-words.ts'

const due = (value: Partial<Termin> & Pick<Termin, 'kind'>): Termin =>
  termin.parse({ dateFrom: '2026-12-02', ...value })

const TERMINS: [string, Termin][] = [
  ['Wed 2 Dec 06:00–14:00', due({ kind: 'period', timeFrom: '06:00', dateTo: '2026-12-02', timeTo: '14:00' })],
  ['Wed 2 Dec before 16:00', due({ kind: 'before', timeFrom: '16:00' })],
  ['before Wed 2 Dec', due({ kind: 'before' })],
  ['Wed 2 Dec fix 07:00', due({ kind: 'fix', timeFrom: '07:00' })],
  ['Wed 2 Dec', due({ kind: 'fix' })],
  ['Wed 2 Dec – Fri 4 Dec', due({ kind: 'period', dateTo: '2026-12-04' })],
  [
    'Wed 2 Dec 18:00 – Thu 3 Dec 06:30',
    due({ kind: 'period', timeFrom: '18:00', dateTo: '2026-12-03', timeTo: '06:30' }),
  ],
]

describe('a termin', () => {
  test.each(TERMINS)('is shown as %s', (words, value) => {
    expect(terminWords(value, createFormat('en'), { before: 'before', fix: 'fix' }).replaceAll(',', '')).toBe(words)
  })

  test.each(TERMINS)('that shows as %s can be typed again in every language', (_words, value) => {
    for (const language of ['en', 'de', 'pl'] as const)
      expect(parseTermin(terminTyped(value, language), { today: '2026-11-20', language })).toEqual(value)
  })
})

test.each([
  ['7', '07:00'],
  ['7.30', '07:30'],
  ['730', '07:30'],
  ['0730', '07:30'],
  ['07:30', '07:30'],
  ['18 Uhr', '18:00'],
  ['', null],
  ['24:00', undefined],
  ['7:60', undefined],
  ['soon', undefined],
])('the time %j is read as %s', (typed, time) => {
  expect(readTime(typed)).toBe(time)
})
