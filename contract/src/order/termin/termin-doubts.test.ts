import { expect, test } from 'vitest'
import type { Termin } from './termin.ts'
import { terminDoubts, type StopInCountry } from './termin-doubts.ts'

const on = (dateFrom: string, rest: Partial<Termin> = {}): Termin => ({
  kind: 'fix',
  dateFrom,
  timeFrom: null,
  dateTo: null,
  timeTo: null,
  ...rest,
})
const stop = (kind: string, termin: Termin | null, rest: Partial<StopInCountry> = {}): StopInCountry => ({
  kind,
  termin,
  timeZone: 'Europe/Berlin',
  countryCode: 'DE',
  ...rest,
})

test('a plain plan raises no doubt', () => {
  expect(terminDoubts([stop('loading', on('2026-12-02')), stop('unloading', on('2026-12-03'))])).toEqual([[], []])
})

test('a drop-off before its pick-up does, on the same day too', () => {
  expect(terminDoubts([stop('loading', on('2026-12-03')), stop('unloading', on('2026-12-02'))])).toEqual([
    [],
    ['before_pick_up'],
  ])
  const [morning, noon] = [on('2026-12-02', { timeFrom: '08:00' }), on('2026-12-02', { timeFrom: '12:00' })]
  expect(terminDoubts([stop('loading', noon), stop('unloading', morning)])).toEqual([[], ['before_pick_up']])
  // All day may be later than noon.
  expect(terminDoubts([stop('loading', noon), stop('unloading', on('2026-12-02'))])).toEqual([[], []])
})

test('it is its own cargo that counts, and no stop that was canceled', () => {
  const picks = (cargoId: number) => ({ cargoActions: [{ cargoId, action: 'PICK_UP' as const }] })
  const drops = (cargoId: number) => ({ cargoActions: [{ cargoId, action: 'DROP_OFF' as const }] })
  const [early, late] = [on('2026-12-01'), on('2026-12-04')]
  const between = stop('unloading', on('2026-12-02'), drops(1))
  expect(terminDoubts([stop('loading', early, picks(1)), stop('loading', late, picks(2)), between])[2]).toEqual([])
  expect(terminDoubts([stop('loading', early, picks(2)), stop('loading', late, picks(1)), between])[2]).toEqual([
    'before_pick_up',
  ])
  const canceled = { ...picks(1), canceledAt: '2026-11-30T08:00:00Z' }
  expect(terminDoubts([stop('loading', late, canceled), between])[1]).toEqual([])
})

test('Sundays and holidays of the country are told, for one day alone', () => {
  expect(terminDoubts([stop('loading', on('2026-12-06'))])).toEqual([['on_sunday']])
  expect(terminDoubts([stop('loading', on('2026-12-25'))])).toEqual([['on_holiday']])
  expect(terminDoubts([stop('loading', on('2026-11-11'), { countryCode: 'PL' })])).toEqual([['on_holiday']])
  expect(terminDoubts([stop('loading', on('2026-11-11'))])).toEqual([[]])
  const weekend = on('2026-12-05', { kind: 'period', dateTo: '2026-12-07' })
  expect(terminDoubts([stop('loading', weekend)])).toEqual([[]])
})

test('a time that the clocks show twice is told', () => {
  const night = on('2026-10-24', { kind: 'period', timeFrom: '22:00', dateTo: '2026-10-25', timeTo: '02:30' })
  expect(terminDoubts([stop('loading', night)])).toEqual([['comes_twice']])
})
