import type { Reference } from '@waybill/contract/kit/fields'

/** What is typed of a name behind an `@` before the cursor, and where that `@` stands; null where nobody is named. */
export function nameBefore(text: string, cursor: number): { at: number; q: string } | null {
  const found = /(?:^|[\s(])@([^\s@]*(?: [^\s@]+)?)$/u.exec(text.slice(0, cursor))
  return found === null ? null : { at: cursor - found[1]!.length - 1, q: found[1]! }
}

/** Of these people those whom a text still names, each once. */
export const namedIn = (text: string, people: readonly Reference[]): number[] => [
  ...new Set(people.filter(({ title }) => text.includes(`@${title}`)).map(({ id }) => id)),
]

// What means something else in a pattern.
const SIGNS = /[$()*+./?[\\\]^{|}]/g

/**
 * A text in parts, those that name one of these people apart, each with the place where it begins; the longest name
 * first, as one may begin another.
 */
export function partsOf(
  text: string,
  people: readonly Reference[],
): { text: string; start: number; isName: boolean }[] {
  const names = people.map(({ title }) => `@${title}`).toSorted((one, other) => other.length - one.length)
  if (names.length === 0) return [{ text, start: 0, isName: false }]
  const pattern = new RegExp(`(${names.map((name) => name.replace(SIGNS, '\\$&')).join('|')})`, 'u')
  let start = 0
  return text
    .split(pattern)
    .map((part, index) => {
      const place = start
      start += part.length
      return { text: part, start: place, isName: index % 2 === 1 }
    })
    .filter(({ text: part }) => part !== '')
}
