import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { STORED } from '../session/token-store.ts'

/** How the languages call themselves; the same in every language, so not in the locale files. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', pl: 'Polski' }

/** The language chosen on this device, else the browser's if we speak it, else English (spec §9). */
export function storedLanguage(): Language {
  const wanted = [localStorage.getItem(STORED.language) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return (
    LANGUAGES.find((language) => language === wanted.find((one) => (LANGUAGES as readonly string[]).includes(one))) ??
    'en'
  )
}
