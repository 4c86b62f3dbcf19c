import { expect, test } from 'vitest'
import { accountStanding } from './bank.ts'

const NOW = '2026-11-23T12:00:00.000Z'

test.each([
  ['unknown', null],
  ['unconfirmed', { confirmedById: null, confirmedAt: null }],
  ['fresh', { confirmedById: 7, confirmedAt: '2026-10-24T12:00:00.001Z' }],
  ['confirmed', { confirmedById: 7, confirmedAt: '2026-10-24T12:00:00.000Z' }],
  ['confirmed', { confirmedById: 7, confirmedAt: null }],
] as const)('an account is %s as %o', (standing, account) => expect(accountStanding(account, NOW)).toBe(standing))
