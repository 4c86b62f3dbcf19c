import { describe, expect, it } from 'vitest'
import { laneKeyOf, postalArea } from './lane.ts'

describe('a postal area', () => {
  it.each([
    ['22113', '22'],
    ['60-189', '60'],
    ['D-22113', '22'],
    ['PL-60-189', '60'],
    ['3011 AD', '30'],
    ['sw1a 1aa', 'SW'],
    [' 93-490 ', '93'],
    ['7', null],
    ['', null],
    ['--', null],
    [null, null],
    [undefined, null],
  ])('of %s is %s', (postal, area) => expect(postalArea(postal)).toBe(area))
})

describe('a lane', () => {
  const hamburg = { countryCode: 'DE', postal: '22113' }
  it('is named by the areas of both ends, in the direction that is driven', () => {
    expect(laneKeyOf(hamburg, { countryCode: 'PL', postal: '60-189' })).toBe('DE 22>PL 60')
    expect(laneKeyOf({ countryCode: 'PL', postal: '60-189' }, hamburg)).toBe('PL 60>DE 22')
  })
  it('has no name while an end is not known', () => {
    expect(laneKeyOf(hamburg, undefined)).toBeNull()
    expect(laneKeyOf(undefined, undefined)).toBeNull()
    expect(laneKeyOf(hamburg, { countryCode: 'PL', postal: null })).toBeNull()
  })
})
