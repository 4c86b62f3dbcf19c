import type { Language } from '@waybill/contract/errors'
import i18next, { type ResourceKey } from 'i18next'
import { useSyncExternalStore } from 'react'
import { initReactI18next } from 'react-i18next'
import { STORED } from '../session/token-store.ts'
import { createFormat, type Format } from './format.ts'
import { storedLanguage } from './languages.ts'

type Load = () => Promise<unknown>

// A page needs one language: where the texts of the others are does not travel along.
interface LanguageFiles {
  files: Record<string, Load>
  fieldErrors: () => Promise<object>
}
const LANGUAGE_FILES: Readonly<Record<Language, () => Promise<LanguageFiles>>> = {
  en: () => import('./texts-en.ts'),
  de: () => import('./texts-de.ts'),
  pl: () => import('./texts-pl.ts'),
}

async function readTexts(language: Language, namespace: string): Promise<ResourceKey> {
  const { files, fieldErrors } = await LANGUAGE_FILES[language]()
  if (namespace === 'field-errors') return { ...(await fieldErrors()) }
  const load = files[`../../locales/${language}/${namespace}.json`]
  if (load === undefined) throw new Error(`no texts: ${language}/${namespace}`)
  return ((await load()) as { default: ResourceKey }).default
}

const files = {
  type: 'backend' as const,
  init: () => undefined,
  read: (language: string, namespace: string, done: (error: unknown, texts: ResourceKey | null) => void) => {
    readTexts(language as Language, namespace).then(
      (texts) => done(null, texts),
      (error: unknown) => done(error, null),
    )
  },
}

/** Starts the translations with what every screen needs. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next
    .use(files)
    .use(initReactI18next)
    .init({
      lng: storedLanguage(),
      // The three languages have the same keys (checked), so that no fallback has to travel along.
      fallbackLng: false,
      ns: ['common', 'errors'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
    })
}

/** Changes the language of the interface and keeps it on this device (spec §9). */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED.language, language)
  if (i18next.language !== language) await i18next.changeLanguage(language)
}

export const currentLanguage = (): Language => i18next.language as Language

/** Loads the texts of a screen before it shows, so that nothing jumps. */
export async function loadTexts(...namespaces: string[]): Promise<void> {
  await i18next.loadNamespaces(namespaces)
}

function onLanguage(run: () => void): () => void {
  i18next.on('languageChanged', run)
  return () => i18next.off('languageChanged', run)
}

/** Numbers, money and dates as the chosen language writes them. */
export const useFormat = (): Format => formatOf(useSyncExternalStore(onLanguage, currentLanguage))

const formats = new Map<Language, Format>()
function formatOf(language: Language): Format {
  const known = formats.get(language)
  if (known !== undefined) return known
  const made = createFormat(language)
  formats.set(language, made)
  return made
}
