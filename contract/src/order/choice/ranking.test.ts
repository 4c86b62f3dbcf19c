import { describe, expect, it } from 'vitest'
import { areasAround, isPunctual, rankCarriers, type Ranked } from './ranking.ts'

const carrier = (title: string, more: Partial<Ranked> = {}): Ranked => ({
  title,
  isCleared: true,
  trips: 4,
  priceCents: 120_000,
  onTime: { inTime: 19, measured: 20 },
  kmToPickUp: null,
  ...more,
})
const ranked = (...carriers: Ranked[]) => rankCarriers(carriers).map(({ title, why }) => `${title} ${why}`)

describe('the order of carriers', () => {
  it('names the cheapest of those above 90 % on time first, and says of the others why they stand behind', () => {
    expect(
      ranked(
        carrier('Cheap and late', { priceCents: 100_000, onTime: { inTime: 8, measured: 10 } }),
        carrier('Dear', { priceCents: 130_000 }),
        carrier('Cheap', { priceCents: 118_000 }),
        carrier('Hardly known', { priceCents: 101_000, onTime: { inTime: 2, measured: 2 } }),
      ),
    ).toEqual(['Cheap cheapestPunctual', 'Dear punctual', 'Cheap and late lessPunctual', 'Hardly known notMeasured'])
  })

  it('puts who never drove the lane behind who did, the nearest first', () => {
    expect(
      ranked(
        carrier('New', { trips: 0, priceCents: null }),
        carrier('Far', { trips: 0, priceCents: null, kmToPickUp: 80 }),
        carrier('Near', { trips: 0, priceCents: null, kmToPickUp: 12 }),
        carrier('Untold', { priceCents: null }),
      ),
    ).toEqual(['Untold noPrice', 'Near near', 'Far near', 'New new'])
  })

  it('leaves who is not cleared below, however cheap, and calls nobody cheapest where none is punctual', () => {
    expect(
      ranked(
        carrier('Blocked', { priceCents: 90_000, isCleared: false }),
        carrier('Late', { onTime: { inTime: 1, measured: 9 } }),
      ),
    ).toEqual(['Late lessPunctual', 'Blocked notCleared'])
    expect(rankCarriers([])).toEqual([])
  })

  it('calls punctual who is so in nine of ten, and nobody with fewer than three unloadings', () => {
    expect(isPunctual({ inTime: 9, measured: 10 })).toBe(true)
    expect(isPunctual({ inTime: 89, measured: 99 })).toBe(false)
    expect(isPunctual({ inTime: 2, measured: 2 })).toBe(false)
  })
})

describe('postal areas around one', () => {
  it.each([
    ['33', ['32', '33', '34']],
    ['00', ['00', '01']],
    ['99', ['98', '99']],
    ['SW', ['SW']],
  ])('of %s are %j', (area, areas) => {
    expect(areasAround(area)).toEqual(areas)
  })
})
