import { describe, expect, it } from 'vitest'
import de from '../../../locales/de/saved.json' with { type: 'json' }
import en from '../../../locales/en/saved.json' with { type: 'json' }
import pl from '../../../locales/pl/saved.json' with { type: 'json' }
import type { SavedName } from './saved-notice.ts'

// The gender of each name in German and Polish. One without a line here is said in words that hold for every gender.
const GENDERS: Partial<Record<SavedName, { de: 'm' | 'f' | 'n'; pl: 'm' | 'f' | 'n' }>> = {
  order: { de: 'm', pl: 'n' },
  customer: { de: 'm', pl: 'm' },
  carrierCompany: { de: 'm', pl: 'm' },
  invoice: { de: 'f', pl: 'f' },
  department: { de: 'f', pl: 'm' },
  company: { de: 'n', pl: 'f' },
  country: { de: 'n', pl: 'm' },
  salutation: { de: 'f', pl: 'm' },
  unitType: { de: 'f', pl: 'f' },
  vehicleType: { de: 'm', pl: 'm' },
  cargoType: { de: 'f', pl: 'm' },
  specialHandlingType: { de: 'f', pl: 'n' },
  user: { de: 'm', pl: 'm' },
  role: { de: 'f', pl: 'f' },
}

const ARTICLES = { m: 'Der', f: 'Die', n: 'Das' }
const PARTICIPLES = { m: 'został pomyślnie zapisany', f: 'została pomyślnie zapisana', n: 'zostało pomyślnie zapisane' }

const names = (Object.keys(en) as SavedName[]).filter((name) => name !== 'profile')

describe('what is said after saving', () => {
  it('is said of every name in every language', () => {
    for (const texts of [de, pl]) expect(Object.keys(texts)).toEqual(Object.keys(en))
    for (const name of Object.keys(GENDERS)) expect(names).toContain(name)
  })

  it.each(names)('follows the word: %s', (name) => {
    const gender = GENDERS[name]
    const article = gender === undefined ? '(?!D(er|ie|as) )' : `${ARTICLES[gender.de]} `
    expect(en[name]).toMatch(/^The \p{L}[\p{L} ]+ was saved successfully$/u)
    expect(de[name]).toMatch(new RegExp(`^${article}\\p{L}[\\p{L} ]+ wurde erfolgreich gespeichert$`, 'u'))
    expect(pl[name]).toMatch(
      gender === undefined
        ? /^Zapisano pomyślnie: \p{L}[\p{L} ]+$/u
        : new RegExp(`^\\p{Lu}[\\p{L} ]+ ${PARTICIPLES[gender.pl]}$`, 'u'),
    )
  })

  it('is of no record where it is about one’s own data (spec §8, Success)', () => {
    expect(en.profile).toBe('Data updated successfully')
  })
})
