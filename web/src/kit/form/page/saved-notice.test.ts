import { describe, expect, it } from 'vitest'

type Texts = { [key: string]: string | Texts }
const files = import.meta.glob<Texts>('../../../locales/*/*.json', { eager: true, import: 'default' })

/** The sentences in other texts: those of records by the place of their words, as `country` or `type-list.unit`. */
function ownSentences(texts: Texts, name: string): [string, string][] {
  const { one, saved, ...inner } = texts
  return [
    ...(typeof one === 'string' && typeof saved === 'string' ? [[name, saved] as [string, string]] : []),
    ...Object.entries(inner).flatMap(([key, part]) =>
      typeof part === 'object' ? ownSentences(part, `${name}.${key}`) : [],
    ),
  ]
}

/** Everything that is said after saving, in one language. */
const sentencesIn = (language: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.includes(`/${language}/`))
      .flatMap(([path, texts]) => {
        const name = path.split('/').at(-1)!.replace('.json', '')
        return name === 'saved' ? (Object.entries(texts) as [string, string][]) : ownSentences(texts, name)
      }),
  )
const [en, de, pl] = [sentencesIn('en'), sentencesIn('de'), sentencesIn('pl')]

// The gender of each name in German and Polish. One without a line here is said in words that hold for every gender.
const GENDERS: Readonly<Record<string, { de: 'm' | 'f' | 'n'; pl: 'm' | 'f' | 'n' }>> = {
  order: { de: 'm', pl: 'n' },
  customer: { de: 'm', pl: 'm' },
  carrierCompany: { de: 'm', pl: 'm' },
  invoice: { de: 'f', pl: 'f' },
  department: { de: 'f', pl: 'm' },
  company: { de: 'n', pl: 'f' },
  country: { de: 'n', pl: 'm' },
  salutation: { de: 'f', pl: 'm' },
  'type-list.unit': { de: 'f', pl: 'f' },
  'type-list.vehicle': { de: 'm', pl: 'm' },
  'type-list.cargo': { de: 'f', pl: 'm' },
  'type-list.specialHandling': { de: 'f', pl: 'n' },
  user: { de: 'm', pl: 'm' },
  vehicle: { de: 'n', pl: 'm' },
  'load-carrier-record.type': { de: 'f', pl: 'm' },
  'emission-factor': { de: 'm', pl: 'm' },
  'load-carrier-record.place': { de: 'm', pl: 'n' },
  quote: { de: 'n', pl: 'f' },
  'recurring-order': { de: 'm', pl: 'n' },
  role: { de: 'f', pl: 'f' },
}

const ARTICLES = { m: 'Der', f: 'Die', n: 'Das' }
const PARTICIPLES = { m: 'został pomyślnie zapisany', f: 'została pomyślnie zapisana', n: 'zostało pomyślnie zapisane' }

const names = Object.keys(en).filter((name) => name !== 'profile')

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
