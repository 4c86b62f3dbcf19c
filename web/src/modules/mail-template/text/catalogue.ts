import {
  groupOf,
  isVariable,
  VARIABLE_GROUPS,
  VARIABLES,
  variablesOf,
  type VariableGroup,
  type VariableKey,
} from '@waybill/contract/email/variables'
import type { Template } from '@waybill/contract/email/template'
import type { Language, Texts } from '@waybill/contract/errors'

/** A field that a text may hold, as menus show it. */
export interface Field {
  key: VariableKey
  group: VariableGroup
  /** Its own name: `Date` */
  name: string
  /** The same where it stands alone, with its group if another field has that name: `First loading, date` */
  label: string
}

/** All fields that a text of this type and variant may hold, in one language of the screen. */
export interface Catalogue {
  fields: readonly Field[]
  groups: readonly { group: VariableGroup; title: string; fields: readonly Field[] }[]
  /** What a key is called; the key itself where there is no such field here */
  labelOf: (key: string) => string
  isKnown: (key: string) => boolean
  /** The fields whose name in any of the three languages holds these words, those that begin with them first */
  find: (words: string) => readonly Field[]
  /** The field that was most likely meant by a key that there is not; null where none is near */
  nearest: (key: string) => Field | null
}

/** `Date` → `date` behind its group; abbreviations and German nouns stay as they are. */
const inSentence = (name: string, language: Language): string =>
  language === 'de' || /^\p{Lu}\p{Lu}/u.test(name) ? name : name.charAt(0).toLocaleLowerCase() + name.slice(1)

/** Words as they are compared: without accents and capitals. */
export const plainWords = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('Ł', 'L').toLowerCase()

/** Makes the catalogue of the text of a mail; `groupTitle` is what a group is called in this language. */
export const catalogueOf = (
  { type, variant }: Pick<Template, 'type' | 'variant'>,
  language: Language,
  groupTitle: (group: VariableGroup) => string,
): Catalogue => catalogueOfKeys(variablesOf(type, variant), language, groupTitle)

/** The same of the fields that are named. */
export function catalogueOfKeys(
  keys: readonly VariableKey[],
  language: Language,
  groupTitle: (group: VariableGroup) => string,
): Catalogue {
  const nameOf = (key: VariableKey) => VARIABLES[key].name[language]
  const names = Map.groupBy(keys, nameOf)
  const fields = keys.map((key): Field => {
    const [name, group] = [nameOf(key), groupOf(key)]
    const isAlone = names.get(name)!.length === 1 && !STOPS.includes(group)
    return { key, group, name, label: isAlone ? name : `${groupTitle(group)}, ${inSentence(name, language)}` }
  })
  const byKey = new Map<string, Field>(fields.map((field) => [field.key, field]))
  return {
    fields,
    groups: VARIABLE_GROUPS.flatMap((group) => {
      const own = fields.filter((field) => field.group === group)
      return own.length === 0 ? [] : [{ group, title: groupTitle(group), fields: own }]
    }),
    labelOf: (key) => byKey.get(key)?.label ?? key,
    isKnown: (key) => byKey.has(key),
    find: (words) => found(fields, plainWords(words.trim())),
    nearest: (key) => nearest(fields, key),
  }
}

// Their names alone (date, town) say nothing of which stop they are.
const STOPS: readonly VariableGroup[] = ['firstLoading', 'lastUnloading', 'stop']

function found(fields: readonly Field[], words: string): readonly Field[] {
  if (words === '') return fields
  const rank = (field: Field): number => {
    const own = [field.label, field.name].map(plainWords)
    if (own.some((name) => name.startsWith(words))) return 0
    const all = [
      ...own,
      ...Object.values<string>(VARIABLES[field.key].name as Texts).map(plainWords),
      plainWords(field.key),
    ]
    if (all.some((name) => name.startsWith(words))) return 1
    return all.some((name) => name.includes(words)) ? 2 : 3
  }
  return fields
    .map((field) => ({ field, place: rank(field) }))
    .filter(({ place }) => place < 3)
    .toSorted((one, other) => one.place - other.place)
    .map(({ field }) => field)
}

function nearest(fields: readonly Field[], key: string): Field | null {
  const wanted = key.toLowerCase()
  // A field of the same name in another group (`order.customerRef` for `customer.ref`) counts by its last part.
  const last = wanted.slice(wanted.lastIndexOf('.') + 1)
  const scored = fields.map((field) => {
    const own = field.key.toLowerCase()
    const ownLast = own.slice(own.lastIndexOf('.') + 1)
    const near = Math.min(distance(wanted, own) / own.length, distance(last, ownLast) / ownLast.length + 0.1)
    const begins = commonStart(wanted, own) / wanted.length
    return { field, score: Math.min(near, 1 - begins) }
  })
  const best = scored.toSorted((one, other) => one.score - other.score)[0]
  return best === undefined || best.score > 0.6 ? null : best.field
}

function commonStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

/** How many letters have to be changed, put in or taken out to make one word of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}

/** What a field is called in the language of the text, for the words beside its value. */
export const nameIn = (key: string, language: Language): string =>
  isVariable(key) ? VARIABLES[key].name[language] : ''
