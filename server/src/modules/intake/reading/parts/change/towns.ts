import { isIn, type Found } from '../../find/found.ts'
import { townAt, type Towns } from '../../find/places.ts'
import { long } from '../../text/long.ts'
import { leaf, type Maybe } from '../draft.ts'
import type { Findings } from '../findings.ts'
import { restOf } from './words.ts'

const BEFORE_TOWN = new RegExp(
  long`
    (?<![\p{L}\d])(?:in|nach|für|von|ab|bei|aus|w|we|do|z|ze|dla|od|to|at|for|from|of|abhol\p{L}*|(?:be
    |ver)?lade\p{L}*|(?:be|ver)ladung|entlad\p{L}*|ablad\p{L}*|zustell\p{L}*|(?:an)?liefer\p{L}*|collection|loading
    |pick-?up|delivery|unloading|drop(?:-?off)?|(?:za|roz)ładun\p{L}*|dostaw\p{L}*)\s{1,2}
  `,
  'giu',
)
const AT_BEGIN = /^[\s(*•–-]{0,6}(?=\p{Lu}[^:\n]{2,30}:)/u
const POLISH = /^(?:w|we|do|z|ze|dla|od|.*ładun.*|dostaw.*)$/iu

// How the case that Polish asks for after *w*, *do* and *dla* ends, and what the town itself ends with.
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/cach$/u, ['ce']],
  [/ach$/u, ['y', 'i', 'e', 'a']],
  [/owie$/u, ['ów', 'owa']],
  [/iowi$/u, ['']],
  [/odzi$/u, ['ódź']],
  [/dzi$/u, ['dź']],
  [/dze$/u, ['ga']],
  [/ździe$/u, ['zda']],
  [/dzie$/u, ['d', 'da']],
  [/ście$/u, ['sto', 'st']],
  [/cie$/u, ['t', 'ta']],
  [/rze$/u, ['r', 'ra']],
  [/niu$/u, ['ń']],
  [/nia$/u, ['ń']],
  [/ie$/u, ['', 'a', 'o', 'ia']],
  [/iu$/u, ['', 'ie']],
  [/u$/u, ['', 'o', 'e']],
  [/ej$/u, ['a']],
  [/ego$/u, ['e', 'y']],
  [/y$/u, ['a', '']],
  [/i$/u, ['a', 'ia', '']],
  [/a$/u, ['', 'o']],
  [/c$/u, ['ce']],
  [/$/u, ['e', 'o', 'y']],
]

/** The town of which a Polish word is a case; null where the gazetteer knows none. */
function polishTown(word: string, towns: Towns): string | null {
  for (const [ending, own] of ENDINGS) {
    if (!ending.test(word)) continue
    for (const one of own) {
      const name = word.replace(ending, one)
      if (name.length > 2 && towns(name).length > 0) return name
    }
  }
  return null
}

/** The town that a part of a mail names, as of *Entladung in Kassel*; null where it names none that is known. */
export function townNamed(found: Findings, part: Found, towns: Towns): Maybe<string> {
  const { from, to } = part
  const place = found.places.find((one) => isIn(part, one))
  if (place !== undefined) return leaf(place.city.value, place.city)
  const text = restOf(found, part)
  const begin = AT_BEGIN.exec(text)
  const starts = [
    ...(begin === null ? [] : [{ at: begin[0].length, word: '' }]),
    ...[...text.matchAll(BEFORE_TOWN)].map((match) => ({ at: match.index + match[0].length, word: match[0].trim() })),
  ]
  for (const { at, word } of starts) {
    const start = from + at
    if (!/^\p{Lu}\p{L}{2}/u.test(found.rest.slice(start, start + 3))) continue
    const town = townAt(found.rest, found.low, start, towns)
    if (town !== null && town.city.to <= to && !/^\s\d/.test(found.text.slice(town.city.to, town.city.to + 2)))
      return leaf(town.city.value, town.city)
    if (!POLISH.test(word)) continue
    // The part may end within the word.
    const named = /^\p{Lu}[\p{L}-]{2,30}/u.exec(found.rest.slice(start, to))?.[0]
    const own = named === undefined ? null : polishTown(named, towns)
    if (named !== undefined && own !== null) return leaf(own, { from: start, to: start + named.length })
  }
  return null
}
