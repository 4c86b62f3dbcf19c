import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsInPlace } from './rows-in-place.ts'

const row = (id: number, text = 'old') => ({ id, text })

test('a changed row stands where it stood, a new one is counted, one that left stays until it is asked away', () => {
  const shown = [row(5), row(4), row(3)]
  expect(rowsInPlace(shown, [row(6), row(3, 'new'), row(5, 'new')])).toEqual({
    rows: [row(5, 'new'), row(4), row(3, 'new')],
    added: 1,
    gone: new Set([4]),
  })
})

test('an empty list has nothing that could jump', () => {
  expect(rowsInPlace([], [row(1)])).toEqual({ rows: [row(1)], added: 0, gone: new Set() })
})

test('whatever comes, the same rows stand in the same places', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }))
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      fc.pre(before.length > 0)
      const { rows, added, gone } = rowsInPlace(
        before.map((id) => row(id)),
        after.map((id) => row(id, 'new')),
      )
      expect(rows.map(({ id }) => id)).toEqual(before)
      expect(added).toBe(after.filter((id) => !before.includes(id)).length)
      expect(rows.every(({ id, text }) => gone.has(id) === (text === 'old'))).toBe(true)
    }),
  )
})
