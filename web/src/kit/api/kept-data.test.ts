import { expect, test } from 'vitest'
import { keptOf } from './kept-data.ts'

test('keeps what another version of a record said, and nothing of another record whose version is its number', () => {
  const kept = keptOf('invoices', 3)
  expect(kept('as before', { queryKey: ['invoices', 3, 'sale', 1] })).toBe('as before')
  expect(kept('of the other', { queryKey: ['invoices', 7, 'sale', 3] })).toBeUndefined()
  expect(kept(undefined, undefined)).toBeUndefined()
})
