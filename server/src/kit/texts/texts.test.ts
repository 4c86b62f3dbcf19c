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
    ['en', 1, 'Our order'],
    ['en', 0, 'Our orders'],
    ['de', 1, 'Unser Auftrag'],
    ['de', 30, 'Unsere Aufträge'],
    ['pl', 1, 'Nasze zlecenie'],
    ['pl', 22, 'Nasze zlecenia'],
    ['pl', 25, 'Nasze zlecenia'],
  ] as const)('have in %s the form for %i', (language, count, words) => {
    expect(counted(language, textsOf('invoice-document')[language], 'orders', count)).toBe(words)
  })

  it('refuse a key that English has not, when they are compiled', () => {
    // @ts-expect-error there is no such key
    expect(textsOf('sheet').de.perhaps).toBeUndefined()
    // @ts-expect-error there is no such number
    expect(() => counted('en', textsOf('sheet').en, 'yes', 1)).toThrow()
  })
})
