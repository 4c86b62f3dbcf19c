import { expect, test } from 'vitest'
import { mostSkonto, skontoOf, skontoOffers } from './offers.ts'
import { Skonto } from './skonto.ts'

const steps = [
  { percentBp: 300, days: 7 },
  { percentBp: 200, days: 14 },
]

test('two steps at most, the later one longer and lower', () => {
  const isTaken = (given: unknown) => Skonto.safeParse(given).success
  expect(isTaken([])).toBe(true)
  expect(isTaken(steps)).toBe(true)
  expect(isTaken([steps[1], steps[0]])).toBe(false)
  expect(isTaken([steps[0], { percentBp: 300, days: 14 }])).toBe(false)
  expect(isTaken([...steps, { percentBp: 100, days: 20 }])).toBe(false)
})

test('an invoice offers its steps in cents and days, and a negative one none', () => {
  expect(skontoOffers(steps, '2026-02-20', 33_335)).toEqual([
    { percentBp: 300, amountCents: 1000, until: '2026-02-27' },
    { percentBp: 200, amountCents: 667, until: '2026-03-06' },
  ])
  expect(skontoOffers(steps, '2026-02-20', -1)).toEqual([])
  expect(mostSkonto(skontoOffers(steps, '2026-02-20', 33_335))).toBe(1000)
  expect(mostSkonto([])).toBe(0)
})

test('what lacks no more than the Skonto of its day is a full payment', () => {
  const offers = skontoOffers(steps, '2026-02-20', 100_000)
  expect(skontoOf(100_000, 97_000, offers, '2026-02-27')).toBe(3000)
  expect(skontoOf(100_000, 97_000, offers, '2026-02-28')).toBe(0)
  expect(skontoOf(100_000, 98_000, offers, '2026-03-06')).toBe(2000)
  expect(skontoOf(100_000, 98_000, offers, '2026-03-07')).toBe(0)
  expect(skontoOf(100_000, 100_000, offers, '2026-02-27')).toBe(0)
  expect(skontoOf(2000, 0, offers, '2026-02-27')).toBe(0)
})
