import { long } from '../text/long.ts'
import { scan, type Found } from './found.ts'

export interface Quantity extends Found {
  unit: string
  quantity: number
}

// English title of the seeded unit type, and how the three languages call it (folded, letter for letter).
const UNITS: readonly (readonly [string, string])[] = [
  ['Half pallet', 'dusseldorfer(?:\\s?palett\\w{0,3})?|halbpalett\\w{0,3}|half[- ]pallets?|pol-?palet\\w{0,3}'],
  [
    'Industrial pallet',
    'industrie-?\\s?palett\\w{0,3}|industrial pallets?|palet\\w{0,3} przemyslow\\w{0,3}|indu-?palett\\w{0,3}',
  ],
  [
    'Europallet',
    long`
      europalett\w{0,3}|euro-?\s?palett\w{0,3}|eur-?\s?palett\w{0,3}|euro-?\s?pallets?|eur-?\s?pallets?
      |euro-?\s?palet(?:y|a|ami|ach|e)?|palet(?:y|a|ami)?\s(?:eur|euro|epal)\b|pallets?\s(?:eur|euro|epal)\b
      |paletten?\s(?:eur|euro|epal)\b|epal(?:-?\s?(?:palett\w{0,3}|pallets?|palet\w{0,2}))?|ep\b|eup\b
      |eur\.? ?pal\.?
    `,
  ],
  [
    'Mesh box',
    'gitterbox\\w{0,8}|gibos?|mesh[- ]box\\w{0,2}|gitterboks\\w{0,3}|kosz\\w{0,3} siatkow\\w{0,3}|stillages?',
  ],
  ['Big bag', 'big-?\\s?bag\\w{0,3}|fibcs?'],
  ['IBC', 'ibcs?(?:-?container\\w{0,3})?|paletopojemnik\\w{0,3}|mauzer\\w{0,3}'],
  ['Drum', 'fass|fasser\\w{0,1}|faser\\w{0,1}|fas|drums?|barrels?|beczk\\w{0,3}|beczek|beben|bebn\\w{0,3}|trommeln?'],
  ['Coil', 'coils?|kreg\\w{0,3}|krag'],
  ['Roll', 'roll(?:e|en)|rolls?|reels?|rol(?:ek|ki|ka|ke)'],
  ['Bundle', 'bunde?l?|bunden?|bundles?|wiaz(?:ek|ki|ka|ke)|pecz(?:ek|ki|kow)'],
  ['Crate', 'kisten?|holzkisten?|crates?|wooden cases?|cases?|skrzyn\\w{0,3}|skrzynia|verschlage?n?'],
  ['Carton', 'kartons?|cartons?|boxes|karton(?:y|ow|ami)|kart\\.|ctns?|pakete?n?|parcels?|paczek|paczk\\w{0,2}'],
  ['Pallet', 'palett(?:e|en)|einwegpalett\\w{0,3}|pallets?|plts?|pals?\\b|palet(?:y|a|e|ami|ach)?|pal\\.'],
  ['Piece', 'stuck|stueck|stk\\.?|pieces?|pcs\\.?|pc|szt(?:uk\\w{0,2})?\\.?|units'],
]
const ALL = UNITS.map(([, words]) => words).join('|')
const NO_UNIT = long`
    und|and|mit|with|auf|bei|tage|days|dni|per|pro|bis|uhr|von|from|nach|eur|euro|kg|loads?|aft|x|m|t|to|cm|mm|na
    |do|od|po|je|std|godz|hours?|std|km|tore?|stopp?s?
  `
const QUANTITY = new RegExp(
  long`
    (?<![\d.,/:+-])(?<!\d (?=\d{3}(?!\d)))(\d{1,4})\s?(?:x\s?|st\.\s|stk\.?\s
    |szt\.\s)?(?:(?!(?:${NO_UNIT})\b)(?!(?:${ALL})(?![a-z]))[a-z-]{3,16}\s){0,2}(${ALL})(?![a-z])
  `,
  'g',
)
const UNITS_READ = UNITS.map(([title, words]) => [title, new RegExp(`^(?:${words})$`)] as const)

/** The seeded unit type of a word; null where it is none. */
export const unitOf = (word: string): string | null => UNITS_READ.find(([, pattern]) => pattern.test(word))?.[0] ?? null

const UNIT_ALONE = new RegExp(String.raw`(?<![a-z])(${ALL})(?![a-z])`, 'g')

/** Names of units without a number, as in the heading of a column or beside a size. */
export const findUnits = (low: string): (Found & { unit: string })[] =>
  scan(UNIT_ALONE, low).flatMap((match) => {
    const unit = unitOf(match[1]!)
    return unit === null ? [] : [{ from: match.index, to: match.index + match[0].length, unit }]
  })

// `12 Gurte`, `pasy 12 szt.`: pieces of equipment, not of cargo.
const EQUIPMENT_BEFORE = new RegExp(long`
    (?:pas[yo]\w{0,2}|gurte?n?|straps?|narozn\w{0,5}|katown\w{0,4}|kanten\w{0,9}|mat[ay]?\w{0,2}|klin\w{0,3}
    |wedges|chains|lancuch\w{0,3})[\s:,(]{0,4}(?:min\.?\s?)?$
  `)
const NOT_GOODS_AFTER = /^\s?(?:gurt|pas[oy]|spann|strap|kant|zurr|mitnehmer|stellpl|per week|\/\s?(?:week|woche|tydz))/

/** Numbers of units: `20 Industriepaletten`, `4 palety euro`, `2 wooden crates`, `14 szt.` */
export function findQuantities(low: string): Quantity[] {
  return scan(QUANTITY, low).flatMap((match) => {
    const from = match.index
    const to = from + match[0].length
    const unit = unitOf(match[2]!)
    const quantity = Number(match[1])
    const before = low.slice(Math.max(0, from - 26), from)
    const after = low.slice(to, to + 24)
    if (unit === null || quantity < 1 || quantity > 5_000) return []
    if (EQUIPMENT_BEFORE.test(before) || NOT_GOODS_AFTER.test(after)) return []
    // `2 Paletten nebeneinander`, `max. 2 pallets`.
    if (/(?:max\.?|maximal|up to)\s?$/.test(before)) return []
    const isEuro = unit === 'Pallet' && /^\s?(?:\(?(?:eur|euro|epal|ep)\b)/.test(after)
    const own = /\beur[- ]|\beuro[- ]?|epal/.test(match[0]) && unit === 'Pallet' ? 'Europallet' : unit
    return [{ from, to, unit: isEuro ? 'Europallet' : own, quantity }]
  })
}

export interface Adr extends Found {
  unNumber: string | null
  adrClass: string | null
}

const UN = /\bun\s?-?(?:nr\.?|no\.?|number|numer)?\s?:?\s?(\d{4})(?!\d)/g
const CLASS = /\b(?:klasse|klasa|class|kl\.|adr-?klasse)\s?:?\s?(\d(?:\.\d)?)(?![\d.,]?\d)/
const CLASS_BARE = /^(?:[^\n;,]{0,40}),\s?(\d(?:\.\d)?)\s?(?:\([^)]{1,8}\)\s?)?,\s?(?:pg|vg|gp|iii|ii|i)\b/
const CORRECTED = /(?:sorry|korrektur|correction|nein|no,|falsch|wrong|przepraszam|nie,)/

/** Dangerous goods: UN number and class. One that is taken back within the sentence is left out. */
export function findAdr(low: string): Adr[] {
  const matches = scan(UN, low).slice(0, 100)
  return matches.flatMap((match, index) => {
    const to = match.index + match[0].length
    const next = matches[index + 1]
    const between = low.slice(to, Math.min(next?.index ?? to + 90, to + 90)).replace(/\n\s{0,20}\n.*$/s, '')
    if (next !== undefined && CORRECTED.test(between)) return []
    const after = between.replace(/\n.*$/s, '')
    const adrClass =
      CLASS.exec(after)?.[1] ??
      CLASS_BARE.exec(after)?.[1] ??
      CLASS.exec(low.slice(Math.max(0, match.index - 24), match.index))?.[1] ??
      null
    return [{ from: match.index, to, unNumber: match[1]!, adrClass }]
  })
}

/** The first class in the text, where no UN number stands beside it. */
export function findAdrClass(low: string): Adr | null {
  const match = /\badr[^\n]{0,20}?(?:klasse|klasa|class|kl\.)\s?(\d(?:\.\d)?)/.exec(low)
  return match === null
    ? null
    : { from: match.index, to: match.index + match[0].length, unNumber: null, adrClass: match[1]! }
}
