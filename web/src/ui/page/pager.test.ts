import { expect, test } from 'vitest'
import { pagesAround } from './pager.tsx'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, null, 9]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [4, 9, [1, 2, 3, 4, 5, null, 9]],
  [9, 9, [1, null, 7, 8, 9]],
  [400, 400, [1, null, 398, 399, 400]],
])('on page %i of %i the pager offers %j', (page, pageCount, offered) => {
  expect(pagesAround(page, pageCount)).toEqual(offered)
})

test('without a known end only the current page has a number', () => {
  expect(pagesAround(7, null)).toEqual([7])
})
