import { describe, expect, it } from 'vitest'
import de from '../../locales/de/saved.json' with { type: 'json' }
import en from '../../locales/en/saved.json' with { type: 'json' }
import pl from '../../locales/pl/saved.json' with { type: 'json' }
import type { SavedName } from './saved-notice.ts'

// The gender of each name: a name without a line here, or a line without its name, does not compile.
const GENDERS: Record<SavedName, { de: 'm' | 'f' | 'n'; pl: 'm' | 'f' | 'n' }> = {
  order: { de: 'm', pl: 'n' },
  customer: { de: 'm', pl: 'm' },
  carrierCompany: { de: 'm', pl: 'm' },
  invoice: { de: 'f', pl: 'f' },
  department: { de: 'f', pl: 'm' },
  company: { de: 'n', pl: 'f' },
  country: { de: 'n', pl: 'm' },
  salutation: { de: 'f', pl: 'm' },
  unitType: { de: 'f', pl: 'm' },
  vehicleType: { de: 'm', pl: 'm' },
  cargoType: { de: 'f', pl: 'm' },
  specialHandlingType: { de: 'f', pl: 'n' },
  user: { de: 'm', pl: 'm' },
  role: { de: 'f', pl: 'f' },
}

const ARTICLES = { m: 'Der', f: 'Die', n: 'Das' }
const PARTICIPLES = { m: 'został pomyślnie zapisany', f: 'została pomyślnie zapisana', n: 'zostało pomyślnie zapisane' }

const names = Object.keys(GENDERS) as SavedName[]

describe('what is said after saving', () => {
  it('is said of every name in every language', () => {
    for (const texts of [en, de, pl]) expect(Object.keys(texts)).toEqual(names)
  })

  it.each(names)('follows the word: %s', (name) => {
    expect(en[name]).toMatch(/^The [a-z ]+ was saved successfully$/)
    expect(de[name]).toMatch(new RegExp(`^${ARTICLES[GENDERS[name].de]} \\p{L}[\\p{L} ]+ wurde erfolgreich gespeichert$`, 'u'))
    expect(pl[name]).toMatch(new RegExp(`^\\p{Lu}[\\p{L} ]+ ${PARTICIPLES[GENDERS[name].pl]}$`, 'u'))
  })
})
