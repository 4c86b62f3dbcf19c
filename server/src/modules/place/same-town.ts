import { placeKey } from './place-key.rules.ts'
import { KNOWN_NAMES } from './place-names.ts'

/** Of each name of a large town the places that bear it. */
const PLACES_OF = new Map<string, string[]>()
for (const [place, names] of KNOWN_NAMES)
  for (const name of [place.slice(3), ...names]) {
    const key = placeKey(name)
    PLACES_OF.set(key, [...(PLACES_OF.get(key) ?? []), place])
  }

/** Whether two names can be those of one town: `Lipsk` and `Leipzig`, `Frankfurt` and `Frankfurt am Main`. */
export function isSameTown(one: string, other: string): boolean {
  const [a, b] = [placeKey(one), placeKey(other)]
  if (a === '' || b === '') return false
  if (a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `)) return true
  const places = PLACES_OF.get(a)
  return places !== undefined && (PLACES_OF.get(b) ?? []).some((place) => places.includes(place))
}
