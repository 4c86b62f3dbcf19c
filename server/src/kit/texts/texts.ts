import { readFileSync } from 'node:fs'
import { LANGUAGES, type Language, type Texts } from '@waybill/contract/errors'
import { pluralForm } from '@waybill/contract/kit/intl'
import type { Locales } from '../../../locales/locales.ts'

/** Each text in its three languages; a list holds the words of all of them. */
type Wordings<Part> = Part extends string
  ? Texts
  : Part extends readonly unknown[]
    ? readonly string[]
    : { readonly [Key in keyof Part]: Wordings<Part[Key]> }

/** `days` for what stands there as `days_one`, `days_other`, … */
type Counted<Words> = { [Key in keyof Words]: Key extends `${infer Base}_other` ? Base : never }[keyof Words]

const read = new Map<string, unknown>()

/**
 * The texts of `server/locales/<language>/<name>.json`, by language. They are read once a process, when a module first
 * asks; a key that the English file has not does not compile.
 */
export function textsOf<Name extends keyof Locales>(name: Name): Readonly<Record<Language, Locales[Name]>> {
  if (!read.has(name))
    read.set(
      name,
      Object.fromEntries(
        LANGUAGES.map((language) => {
          const file = new URL(`../../../locales/${language}/${name}.json`, import.meta.url)
          return [language, JSON.parse(readFileSync(file, 'utf8'))]
        }),
      ),
    )
  return read.get(name) as Readonly<Record<Language, Locales[Name]>>
}

/** The same where all languages are wanted at once: each text is a `Texts`, each list the words of all languages. */
export function wordingsOf<Name extends keyof Locales>(name: Name): Wordings<Locales[Name]> {
  const texts = textsOf(name)
  return wordings(LANGUAGES.map((language) => texts[language])) as Wordings<Locales[Name]>
}

/** `parts`: the same place of the tree in each of LANGUAGES. */
function wordings(parts: readonly unknown[]): unknown {
  if (parts.every((part) => typeof part === 'string'))
    return Object.fromEntries(LANGUAGES.map((language, index) => [language, parts[index]]))
  if (parts.every((part) => Array.isArray(part))) return parts.flat()
  const trees = parts as Record<string, unknown>[]
  return Object.fromEntries(Object.keys(trees[0]!).map((key) => [key, wordings(trees.map((tree) => tree[key]))]))
}

type Holes = Readonly<Record<string, string | number>>

/** Fills `{{name}}` holes; one without a value stays visible, so that a test can find it. */
export const filled = (text: string, holes: Holes): string =>
  text.replace(/\{\{(\w+)\}\}/g, (hole, name: string) => String(holes[name] ?? hole))

/** The form of a text that the language has for this number, with its holes filled; `{{count}}` is the number. */
export function counted<Words extends object>(
  language: Language,
  words: Words,
  key: Counted<Words> & string,
  count: number,
  holes: Holes = {},
): string {
  const form = pluralForm(language, count)
  return filled((words as Record<string, string>)[`${key}_${form}`]!, { count, ...holes })
}
