import { expect, test } from 'vitest'
import { decodeQuery, encodeQuery } from './query-string.ts'

test('empty texts, nulls and missing values are dropped', () => {
  expect(encodeQuery({ q: '', state: undefined, language: null, page: 2 })).toBe('page=2')
})

test('booleans travel as 1 and 0', () => {
  expect(encodeQuery({ delayed: true, mine: false })).toBe('delayed=1&mine=0')
})

test('lists repeat the name with brackets and an empty list leaves nothing', () => {
  expect(encodeQuery({ status: ['new', 'in_transit'], departmentId: [] })).toBe('status[]=new&status[]=in_transit')
})

test('ranges name their ends and either end may be missing', () => {
  expect(encodeQuery({ createdAt: { from: '2026-01-01', to: '2026-01-31' } })).toBe(
    'createdAt[from]=2026-01-01&createdAt[to]=2026-01-31',
  )
  expect(encodeQuery({ 'statusDate.scheduled': { from: '', to: '2026-01-31' } })).toBe(
    'statusDate.scheduled[to]=2026-01-31',
  )
})

test('zero is a value', () => {
  expect(encodeQuery({ offset: 0 })).toBe('offset=0')
})

test('what has a meaning in an address is escaped', () => {
  expect(encodeQuery({ q: 'Müller & Söhne = 50 % #1+1' })).toBe(
    'q=M%C3%BCller%20%26%20S%C3%B6hne%20%3D%2050%20%25%20%231%2B1',
  )
})

test('decoding gives back what was encoded, scalars as text', () => {
  const values = {
    q: 'Łódź & „Ostsee“ +1',
    page: '3',
    status: ['new', 'scheduled'],
    createdAt: { from: '2026-01-01', to: '2026-01-31' },
  }
  expect(decodeQuery(encodeQuery(values))).toEqual(values)
})

test('the order of the address is kept', () => {
  expect(encodeQuery(decodeQuery('status[]=new&q=a&status[]=sent&createdAt[to]=2026-01-31&page=2'))).toBe(
    'status[]=new&status[]=sent&q=a&createdAt[to]=2026-01-31&page=2',
  )
})

test('a number-like search stays text', () => {
  expect(decodeQuery('?q=26-04817&page=1')).toEqual({ q: '26-04817', page: '1' })
})

test('a hostile name does not reach the prototype', () => {
  const decoded = decodeQuery('__proto__[polluted]=1&constructor=2')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
})
