import { expect, test } from 'vitest'
import { instantTyped, isInstant, readInstant } from './instant-words.ts'

const here = { zone: 'Europe/Warsaw', day: '2026-12-02', today: '2026-11-30', language: 'en' } as const

test.each([
  ['7:15', '2026-12-02T06:15:00.000Z'],
  ['3.12 8.40', '2026-12-03T07:40:00.000Z'],
  ['03.12.2026 08:40', '2026-12-03T07:40:00.000Z'],
  ['+1 16', '2026-12-01T15:00:00.000Z'],
  ['', null],
  ['3.12', undefined],
  ['3.12 8-10', undefined],
  ['soon', undefined],
])('%j at a stop is %s', (typed, instant) => {
  expect(readInstant(typed, here)).toBe(instant)
})

test('a moment can be typed again as it is shown for editing', () => {
  const instant = '2026-12-03T07:40:00.000Z'
  expect(readInstant(instantTyped(instant, here.zone), here)).toBe(instant)
})

test('what was not understood is told from an instant', () => {
  expect([isInstant('2026-12-03T07:40:00Z'), isInstant('3.12 soon')]).toEqual([true, false])
})
