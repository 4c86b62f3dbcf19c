import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, instantOf } from '../../kit/local-time.ts'
import { termin, TERMIN_KINDS, terminRange, type Termin } from './termin.ts'

const refusals = (value: unknown) => {
  const result = termin.safeParse(value)
  return result.success
    ? []
    : result.error.issues.map((one) => `${one.path.join('.')} ${one.code === 'custom' ? one.message : one.code}`)
}

describe('what a termin needs', () => {
  test.each<[string, unknown, string[]]>([
    ['a kind that is none', { kind: 'after', dateFrom: '2026-12-01' }, ['kind invalid_value']],
    ['no date', { kind: 'before' }, ['dateFrom invalid_type']],
    ['a date that does not exist', { kind: 'fix', dateFrom: '2026-02-30' }, ['dateFrom invalid_date']],
    [
      'a time that does not exist',
      { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '24:00' },
      ['timeFrom invalid_format'],
    ],
    [
      'an end on a fixed termin',
      { kind: 'fix', dateFrom: '2026-12-01', dateTo: '2026-12-02', timeTo: '10:00' },
      ['dateTo invalid_value', 'timeTo invalid_value'],
    ],
    ['an end on a deadline', { kind: 'before', dateFrom: '2026-12-01', timeTo: '10:00' }, ['timeTo invalid_value']],
    ['a period without an end', { kind: 'period', dateFrom: '2026-12-01', timeFrom: '08:00' }, ['dateTo required']],
    [
      'a period that ends on an earlier day',
      { kind: 'period', dateFrom: '2026-12-02', dateTo: '2026-12-01' },
      ['dateTo ends_before_start'],
    ],
    [
      'a period that ends at an earlier time',
      { kind: 'period', dateFrom: '2026-12-02', timeFrom: '10:00', timeTo: '08:00' },
      ['timeTo ends_before_start'],
    ],
    ['an unknown field', { kind: 'fix', dateFrom: '2026-12-01', zone: 'UTC' }, [' unrecognized_keys']],
  ])('refuses %s', (_, value, expected) => {
    expect(refusals(value)).toEqual(expected)
  })

  test.each<[string, unknown, Partial<Termin>]>([
    ['a deadline', { kind: 'before', dateFrom: '2026-11-30', timeFrom: '12:00' }, { timeFrom: '12:00', dateTo: null }],
    ['a day', { kind: 'fix', dateFrom: '2026-11-30' }, { timeFrom: null, timeTo: null }],
    [
      'a window on one day',
      { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' },
      { dateTo: null, timeTo: '12:00' },
    ],
    [
      'a window over night',
      { kind: 'period', dateFrom: '2026-11-30', timeFrom: '22:00', dateTo: '2026-12-01', timeTo: '06:00' },
      { dateTo: '2026-12-01' },
    ],
    [
      'nulls for what is not known',
      { kind: 'fix', dateFrom: '2026-11-30', timeFrom: null, dateTo: null, timeTo: null },
      { kind: 'fix' },
    ],
  ])('accepts %s', (_, value, part) => {
    expect(termin.parse(value)).toMatchObject(part)
  })
})

describe('the instants of a termin', () => {
  const at = (value: Partial<Termin> & Pick<Termin, 'kind' | 'dateFrom'>, zone: string) =>
    terminRange({ timeFrom: null, dateTo: null, timeTo: null, ...value }, zone)

  test.each<[string, { startAt: string; endAt: string }, string, string]>([
    [
      'fixed in Poznań',
      at({ kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' }, 'Europe/Warsaw'),
      '2026-12-01T06:00:00.000Z',
      '2026-12-01T06:00:00.000Z',
    ],
    [
      'on a day in London',
      at({ kind: 'fix', dateFrom: '2026-07-01' }, 'Europe/London'),
      '2026-06-30T23:00:00.000Z',
      '2026-07-01T22:59:59.999Z',
    ],
    [
      'before noon in Basel',
      at({ kind: 'before', dateFrom: '2026-11-30', timeFrom: '12:00' }, 'Europe/Zurich'),
      '2026-11-29T23:00:00.000Z',
      '2026-11-30T11:00:00.000Z',
    ],
    [
      'by a day in Gdynia',
      at({ kind: 'before', dateFrom: '2026-12-08' }, 'Europe/Warsaw'),
      '2026-12-07T23:00:00.000Z',
      '2026-12-08T22:59:59.999Z',
    ],
    [
      'a window in Hamburg',
      at({ kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' }, 'Europe/Berlin'),
      '2026-11-30T07:00:00.000Z',
      '2026-11-30T11:00:00.000Z',
    ],
    [
      'a week in Salzgitter',
      at({ kind: 'period', dateFrom: '2026-11-30', dateTo: '2026-12-04' }, 'Europe/Berlin'),
      '2026-11-29T23:00:00.000Z',
      '2026-12-04T22:59:59.999Z',
    ],
    [
      'a window in the hour that the clocks skip',
      at({ kind: 'period', dateFrom: '2026-03-29', timeFrom: '02:30', timeTo: '03:10' }, 'Europe/Berlin'),
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ],
  ])('%s', (_, range, startAt, endAt) => {
    expect(range).toEqual({ startAt, endAt })
  })

  const date = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2024-01-01', days))
  const time = fc.option(
    fc
      .integer({ min: 0, max: 1439 })
      .map(
        (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
      ),
  )

  test('never end before they start, and lie within the days named', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TERMIN_KINDS),
        date,
        time,
        fc.integer({ min: 0, max: 9 }),
        time,
        fc.constantFrom('Europe/Berlin', 'Europe/London', 'Europe/Istanbul'),
        (kind, dateFrom, timeFrom, days, timeTo, zone) => {
          const parsed = termin.safeParse(
            kind === 'period'
              ? { kind, dateFrom, timeFrom, dateTo: addDays(dateFrom, days), timeTo }
              : { kind, dateFrom, timeFrom },
          )
          if (!parsed.success) {
            expect(days === 0 && timeFrom !== null && timeTo !== null && timeTo < timeFrom).toBe(true)
            return
          }
          const { startAt, endAt } = terminRange(parsed.data, zone)
          expect(startAt <= endAt).toBe(true)
          expect(startAt >= instantOf(dateFrom, '00:00', zone)).toBe(true)
          expect(endAt < instantOf(addDays(dateFrom, kind === 'period' ? days + 1 : 1), '00:00', zone)).toBe(true)
        },
      ),
    )
  })
})
