import { digraphKey, placeKey } from './place-key.rules.ts'
import { KNOWN_NAMES } from './place-names.ts'
import { readGazetteerFile, readPlaces } from './read-places.ts'

// Where lorries from here go; towns of other continents would only share names with them.
const COUNTRIES = new Set(
  (
    'AD AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MA MC MD ME MK MT NL NO PL PT ' +
    'RO RS SE SI SK SM TR UA XK'
  ).split(' '),
)
// Below it another town may bear the name that the list gives to a large one.
const LEAST_KNOWN = 5_000
const LARGE = 50_000

/**
 * The countries that have a town of a name, the largest town first, in all names that the gazetteer and the list of
 * names know. Takes some 20 MB and half a second: for a process of its own, where nobody waits.
 */
export async function readKnownTowns(): Promise<(name: string) => readonly string[]> {
  const found = new Map<string, { codes: string[]; populations: number[] }>()
  const put = (key: string, code: string, population: number) => {
    if (key === '') return
    const known = found.get(key)
    if (known === undefined) {
      found.set(key, { codes: [code], populations: [population] })
      return
    }
    const at = known.codes.indexOf(code)
    if (at >= 0) {
      known.populations[at] = Math.max(known.populations[at]!, population)
      return
    }
    known.codes.push(code)
    known.populations.push(population)
  }
  for (const { name, countryCode, population } of readPlaces(await readGazetteerFile())) {
    if (!COUNTRIES.has(countryCode)) continue
    const names = population < LEAST_KNOWN ? undefined : KNOWN_NAMES.get(`${countryCode} ${name}`)
    for (const one of new Set([name, ...(names ?? [])].flatMap((each) => [placeKey(each), digraphKey(each)])))
      put(one, countryCode, population)
    // `Frankfurt am Main` is written `Frankfurt`.
    const short =
      population < LARGE ? undefined : /^(\p{L}{4,}) (?:am|an|im|in|bei|upon|nad|sur|b|a)\b/u.exec(name)?.[1]
    if (short !== undefined) put(placeKey(short), countryCode, population)
  }
  const byKey = new Map<string, readonly string[]>()
  for (const [key, { codes, populations }] of found)
    byKey.set(
      key,
      codes.length === 1
        ? codes
        : codes.toSorted((one, other) => populations[codes.indexOf(other)]! - populations[codes.indexOf(one)]!),
    )
  found.clear()
  return (name) => byKey.get(placeKey(name)) ?? []
}
