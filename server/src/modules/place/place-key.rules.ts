import { fold } from '@waybill/contract/kit/text'

/**
 * A name as it is compared: folded, everything but letters and digits as one space (`Bielsko-Biała` → `bielsko
 * biala`).
 */
export const placeKey = (name: string): string =>
  fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** A name as those write it who lack the letters (`Köln` → `koeln`); the plain key where it has none of them. */
export const digraphKey = (name: string): string =>
  placeKey(
    name
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöüøå]/g, (letter) => DIGRAPHS[letter]!),
  )

// `Bad Ems` is found by `Ems`, `Frankfurt am Main` by `Main`, not by `am`.
const SHORTEST_WORD = 3

/** What is left of a key from each later word on that is long enough to be looked for. */
export function laterWords(key: string): string[] {
  const words = key.split(' ')
  return words.flatMap((word, place) =>
    place > 0 && word.length >= SHORTEST_WORD ? [words.slice(place).join(' ')] : [],
  )
}

// `93-490`, `D-80331`, `SW1A 2AA` are no part of a name; nor are house numbers.
const WITH_DIGITS = /(?:\b(?:[\p{L}]{1,3}-|[\p{L}] ))?[\p{L}]*\d[\p{L}\d]*(?:-\d+)*/gu

/**
 * What of a written address may be the name of a town, the likeliest first: the whole, then its parts between commas
 * from the last one on, since `Billbrookdeich 210, 22113 Hamburg` ends with it. Empty where nothing but digits is left.
 */
export function townsIn(text: string): string[] {
  const parts = [text, ...text.split(',').toReversed()]
  const keys = parts.map((part) => placeKey(part.replace(WITH_DIGITS, ' ')))
  return [...new Set(keys)].filter((key) => key !== '')
}
