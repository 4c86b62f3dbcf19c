import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'

test.each([
  [null, null],
  ['2026-11-20', 'expired'],
  // Its last day still counts.
  ['2026-11-21', 'expiring'],
  ['2026-12-21', 'expiring'],
  ['2026-12-22', 'valid'],
] as const)('on 21 November 2026 what is valid until %s is %s', (expiredAt, expiry) => {
  expect(expiryOf(expiredAt, '2026-11-21')).toBe(expiry)
})

test('thirty days reach over the end of a year', () => {
  expect([expiryOf('2027-01-30', '2026-12-31'), expiryOf('2027-01-31', '2026-12-31')]).toEqual(['expiring', 'valid'])
})
