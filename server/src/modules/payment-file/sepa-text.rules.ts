import type { CompanyWrite } from '@waybill/contract/company'
import type { z } from 'zod'

/** How a company writes ä, ö and ü. */
export type Umlauts = z.output<typeof CompanyWrite>['umlautsInPayments']

/** Letter by letter as two lists of the same length, separated by blanks. */
const pairs = (from: string, to: string): [string, string][] => {
  const letters = to.split(' ')
  return from.split(' ').map((letter, index) => [letter, letters[index]!])
}

// Letters that are no others with marks. Greek after ELOT 743, Cyrillic after what passports use in the countries whose
// letters they are; where these differ, after the most of them.
const LETTERS = new Map([
  ...pairs('ß æ œ ø ł đ ð þ ħ ı ŋ ə ŧ ĸ', 'ss ae oe o l d d th h i n e t k'),
  ...pairs('α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ ς τ υ φ χ ψ ω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'),
  ...pairs(
    'а б в г ґ д е ж з и і к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я',
    "a b v g g d e zh z i i k l m n o p r s t u f kh ts ch sh shch ' y ' e yu ya",
  ),
  ...pairs('є ї ђ ѕ ј љ њ ћ џ ѐ ѝ', 'ye yi dj dz j lj nj c dz e i'),
])
const TWO_LETTERS = new Map(pairs('ä ö ü', 'ae oe ue'))

const SIGNS: Readonly<Record<string, string>> = {
  '&': '+',
  '€': 'EUR',
  '£': 'GBP',
  '„': "'",
  '“': "'",
  '”': "'",
  '’': "'",
  '‘': "'",
  '‚': "'",
  '"': "'",
  '`': "'",
  '´': "'",
  '«': "'",
  '»': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  _: '-',
  '~': '-',
  ';': ',',
  '\\': '/',
  '|': '/',
  '[': '(',
  '{': '(',
  '<': '(',
  ']': ')',
  '}': ')',
  '>': ')',
  '!': '.',
  '#': '.',
  '*': '.',
  '…': '...',
  '№': 'No',
  '@': '(at)',
}
const ALLOWED = /^[A-Za-z0-9/\-?:().,'+ ]$/
const MARKS = /\p{Mn}/gu

const isCapital = (letter: string): boolean => letter !== letter.toLowerCase()

/** One letter as Latin ones: of several, all are capitals only among capitals (ÜBER, Über). */
function latin(letter: string, next: string, umlauts: Umlauts): string {
  const small = letter.toLowerCase()
  const known = (umlauts === 'two_letters' ? TWO_LETTERS.get(small) : undefined) ?? LETTERS.get(small)
  if (known === undefined) return ''
  if (!isCapital(letter)) return known
  return isCapital(next) ? known.toUpperCase() : known[0]!.toUpperCase() + known.slice(1)
}

/**
 * Text as payments take it: the Latin letters, digits and signs of the SEPA credit transfer (EPC217-08), without two
 * slashes in a row nor one at an end; at most `max` characters. What nobody can transcribe becomes a blank; it may be
 * that nothing is left.
 */
export function sepaText(text: string, max: number, umlauts: Umlauts = 'two_letters'): string {
  const letters = [...text.normalize('NFC')]
  const written = letters.map((letter, index) => {
    if (ALLOWED.test(letter)) return letter
    const found = latin(letter, letters[index + 1] ?? letters[index - 1] ?? '', umlauts) || SIGNS[letter]
    if (found !== undefined && found !== '') return found
    return [...letter.normalize('NFKD').replace(MARKS, '')]
      .map((part) => (ALLOWED.test(part) ? part : latin(part, '', umlauts) || SIGNS[part] || ' '))
      .join('')
  })
  const trimmed = (one: string) => one.replace(/^[\s/]+|[\s/]+$/g, '')
  return trimmed(
    trimmed(
      written
        .join('')
        .replace(/\s+/g, ' ')
        .replace(/\/{2,}/g, '/'),
    ).slice(0, max),
  )
}
