import { expect, test } from 'vitest'
import { comesTwice, instantTyped, isInstant, readInstant, skippedAround } from './instant-words.ts'

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

test('a moment that the clocks skip is none, and what is around it is known', () => {
  expect(readInstant('28.3.2027 2:30', here)).toBeUndefined()
  expect(skippedAround('28.3.2027 2:30', here)).toEqual({ earlier: '01:30', later: '03:30' })
  expect(skippedAround('28.3.2027 3:30', here)).toBeNull()
  expect(skippedAround('soon', here)).toBeNull()
})

test('of a moment that comes twice the first is taken, and both are known', () => {
  const both = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']
  expect(readInstant('25.10.2026 2:30', here)).toBe(both[0])
  expect(comesTwice(both[1]!, here.zone)).toEqual(both)
  expect(comesTwice('2026-10-25T02:30:00.000Z', here.zone)).toEqual([])
})

test('what was not understood is told from an instant', () => {
  expect([isInstant('2026-12-03T07:40:00Z'), isInstant('3.12 soon')]).toEqual([true, false])
})
