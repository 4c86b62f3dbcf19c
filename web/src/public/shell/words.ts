import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { createFormat, type Format } from '../../kit/i18n/format.ts'

/** The words of a public page in one language. */
export interface Words<Key extends string> {
  language: Language
  t: (key: Key, holes?: Readonly<Record<string, string | number>>) => string
  format: Format
  /** a country by its code, as the language calls it */
  countryName: (code: string) => string
}

/** How a page gets its words: `t` answers a text of its locale files with its holes filled. */
export const wordsIn =
  <Key extends string>(texts: Readonly<Record<Language, Readonly<Record<Key, string>>>>) =>
  (language: Language): Words<Key> => ({
    language,
    t: (key, holes = {}) => texts[language][key].replace(/\{\{(\w+)\}\}/g, (_hole, name: string) => `${holes[name]}`),
    format: createFormat(language),
    countryName: (code) => new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code,
  })

const CHOSEN = 'waybill-public-language'

const known = (wanted: string | null | undefined): Language | undefined => LANGUAGES.find((one) => one === wanted)

/** The language chosen on this device, else the one of whom the page is for, else the browser's. */
export function languageFor(theirs: Language | null): Language {
  const ofBrowser = () => navigator.languages.map((tag) => known(tag.slice(0, 2))).find((one) => one !== undefined)
  return known(readKept(CHOSEN)) ?? theirs ?? ofBrowser() ?? 'en'
}

export const keepLanguage = (language: Language): void => writeKept(CHOSEN, language)

// A browser may refuse to keep anything (private windows, full disk): then the page works all the same.

/** What this device keeps under a name; null for nothing. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text on this device; null forgets it. */
export function writeKept(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch {
    // Nothing is kept.
  }
}
