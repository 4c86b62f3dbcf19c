import { expect, test } from 'vitest'
import { returnPath } from './return-path.ts'

test.each([
  ['/orders?status[]=new&page=2', '/orders?status[]=new&page=2'],
  ['/orders/17/edit#cargo', '/orders/17/edit#cargo'],
])('a screen of ours is where one returns to: %s', (wanted, target) => {
  expect(returnPath(wanted)).toBe(target)
})

test.each([
  [undefined],
  [''],
  ['https://elsewhere.example/'],
  ['//elsewhere.example/orders'],
  ['/\\elsewhere.example'],
  ['/.//elsewhere.example'],
  ['javascript:alert(1)'],
  ['orders'],
  ['/auth/login?redirect=/orders'],
  ['/login'],
  ['/'],
  [['/orders']],
])('%j is no screen to return to', (wanted) => {
  expect(returnPath(wanted)).toBeNull()
})
