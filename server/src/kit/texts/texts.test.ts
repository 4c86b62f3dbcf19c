import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@waybill/contract/errors'
import { counted, filled, textsOf, wordingsOf } from './texts.ts'

describe('the texts of the server', () => {
  it('stand by language, and are the same ones each time', () => {
    expect(LANGUAGES.map((language) => textsOf('sheet')[language].yes)).toEqual(['yes', 'ja', 'tak'])
    expect(textsOf('sheet')).toBe(textsOf('sheet'))
  })

  it('stand together, each in all languages, where a list holds the words of all', () => {
    const { country, languages } = wordingsOf('import-fields')
    expect(country).toEqual({
      title: { en: 'Country', de: 'Land', pl: 'Kraj' },
      also: ['Country code', 'Länderkürzel', 'Kod kraju'],
    })
    expect(languages.pl).toEqual(['Polish', 'Polnisch', 'polski'])
  })

  it('have their holes filled, by what is given and nothing else', () => {
    expect(filled('{{one}} of {{other}}, {{one}}', { one: '$& {{other}}', other: 2 })).toBe(
      '$& {{other}} of 2, $& {{other}}',
    )
    expect(filled('{{lost}}', {})).toBe('{{lost}}')
  })

  it.each([
    ['en', 1, '1 day'],
    ['en', 0, '0 days'],
    ['de', 1, '1 Tag'],
    ['de', 30, '30 Tage'],
    ['pl', 1, '1 dzień'],
    ['pl', 22, '22 dni'],
    ['pl', 25, '25 dni'],
  ] as const)('have in %s the form for %i', (language, count, days) => {
    expect(counted(language, textsOf('invoice-mail')[language], 'days', count)).toMatch(new RegExp(`^${days}`))
  })

  it('have in Polish forms that English has not', () => {
    const say = (count: number) => counted('pl', textsOf('invoice-mail').pl, 'orders', count, { numbers: 'A, B' })
    expect([1, 3, 7].map(say)).toEqual(['zlecenia A, B', 'zleceń A, B', 'zleceń A, B'])
  })

  it('refuse a key that English has not, when they are compiled', () => {
    // @ts-expect-error there is no such key
    expect(textsOf('sheet').de.perhaps).toBeUndefined()
    // @ts-expect-error there is no such number
    expect(() => counted('en', textsOf('sheet').en, 'yes', 1)).toThrow()
  })
})
