import type { Place } from '@waybill/contract/place'
import { describe, expect, test } from 'vitest'
import { positionIn, positionOf, withPlace } from './place-values.ts'

const lodz: Place = {
  key: 'a',
  title: 'Łódź',
  address: null,
  postal: null,
  city: 'Łódź',
  countryCode: 'PL',
  country: { id: 21, title: 'Poland' },
  near: null,
  latitude: 51.770_584,
  longitude: 19.473_95,
  timeZone: 'Europe/Warsaw',
}
const empty = { address: null, postal: null, city: null, countryId: null }

describe('a chosen place', () => {
  test('fills town and country, and position and time zone where the form has them', () => {
    expect(withPlace(empty, lodz)).toEqual({ address: null, postal: null, city: 'Łódź', countryId: 21 })
    expect(withPlace({ ...empty, latitude: null, longitude: null, timeZone: null }, lodz)).toEqual({
      address: null,
      postal: null,
      city: 'Łódź',
      countryId: 21,
      latitude: 51.77058,
      longitude: 19.47395,
      timeZone: 'Europe/Warsaw',
    })
  })

  test('leaves street and postal code as they were typed in the same town, or where no town was named', () => {
    const typed = { ...empty, address: 'Pabianicka 119', postal: '93-490' }
    expect(withPlace(typed, lodz)).toMatchObject(
      typed.address === null ? {} : { address: 'Pabianicka 119', postal: '93-490' },
    )
    expect(withPlace({ ...typed, city: 'lodz' }, lodz)).toMatchObject({
      address: 'Pabianicka 119',
      postal: '93-490',
      city: 'Łódź',
    })
  })

  test('takes away what belonged to another town, even its country where ours may not hold the new one', () => {
    const hamburg = { address: 'Billbrookdeich 210', postal: '22113', city: 'Hamburg', countryId: 11 }
    expect(withPlace(hamburg, lodz)).toEqual({ address: null, postal: null, city: 'Łódź', countryId: 21 })
    expect(withPlace(hamburg, { ...lodz, country: null })).toMatchObject({ countryId: null })
  })

  test('brings its own street where it has one', () => {
    expect(
      withPlace({ ...empty, address: 'Pabianicka' }, { ...lodz, address: 'Pabianicka 119', postal: '93-490' }),
    ).toMatchObject({ address: 'Pabianicka 119', postal: '93-490' })
  })
})

describe('a position', () => {
  test.each([
    ['51.77058, 19.47395', { latitude: 51.77058, longitude: 19.47395 }],
    [' -33.9 151.2 ', { latitude: -33.9, longitude: 151.2 }],
    ['51.5°; -0.12°', { latitude: 51.5, longitude: -0.12 }],
    ['91.5, 10', null],
    ['51.5, 200.1', null],
    ['12 34', null],
    ['Łódź', null],
    ['80331 München', null],
  ])('is read from what maps give away: %s', (text, position) => {
    expect(positionIn(text)).toEqual(position)
  })

  test('is kept to the metre and on the globe', () => {
    expect(positionOf({ latitude: 51.770_583_9, longitude: 379.473_951 })).toEqual({
      latitude: 51.77058,
      longitude: 19.47395,
    })
    expect(positionOf({ latitude: 95, longitude: -190 })).toEqual({ latitude: 90, longitude: 170 })
  })
})
