import { long } from '../text/long.ts'
import { NUMBER, numberOf, scan, type Found } from './found.ts'

export interface Dimensions extends Found {
  lengthCm: number | null
  widthCm: number | null
  heightCm: number | null
}

const SCALE: Readonly<Record<string, number>> = { mm: 0.1, cm: 1, m: 100, mtr: 100, meter: 100 }
const SIZE = String.raw`\d{1,5}(?:[.,]\d{1,3})?`
const METRE = String.raw`(?:\s?(mm|cm|mtr|meter|m)\b\.?)?`
const AXIS = String.raw`(?:[lbwhds](?:\.|\s|:|=)?\s?)?`
const BY = String.raw`\s{0,2}(?:x|\*|by|na|/(?=\d{2,3}/\d{2,3}\b))\s{0,2}`
const CROSS = new RegExp(
  String.raw`(?<![\d.,])${AXIS}(${SIZE})${METRE}${BY}${AXIS}(${SIZE})${METRE}(?:${BY}${AXIS}(${SIZE})${METRE})?`,
  'g',
)
const SINGLE = new RegExp(
  long`
    \b(lange|laenge|length|dl\.?|dlugosc|breite|width|szer\.?|szerokosc|hohe|hoehe|height|wys\.?|wysokosc|high
    |hoch|ø|o|sr\.?|srednica|durchmesser|diameter|dia\.?|[lbhw])\s?[:=]?\s?(${SIZE})\s?(mm|cm|m)\b
  `,
  'g',
)
const AFTER = new RegExp(
  String.raw`(?<![\d.,x])(${SIZE})\s?(mm|cm|m)\s(high|hoch|wysokosci|long|lang|wide|breit)\b`,
  'g',
)

const centimetres = (written: string, unit: string | undefined, isMetre: boolean): number => {
  const value = numberOf(written, false)
  const scale = unit === undefined ? (isMetre ? 100 : 1) : (SCALE[unit] ?? 1)
  return Math.round(value * scale * 10) / 10
}

/** `120x80x145 cm`, `2,60 m x 1,40 m x 0,90 m`, `L 6,20 m × B 3,40 m`, `śr. 120 cm, szer. 80 cm`, `Höhe 180 cm`. */
export function findDimensions(low: string): Dimensions[] {
  const found: Dimensions[] = []
  for (const match of scan(CROSS, low)) {
    const [whole, one, unitOne, two, unitTwo, three, unitThree] = match
    const lastUnit = unitThree ?? unitTwo ?? unitOne
    const sizes = [one!, two!, three].filter((size) => size !== undefined)
    // Without a unit: centimetres, but metres where all are small and written with places.
    const isMetre = lastUnit === undefined && sizes.every((size) => /[.,]/.test(size) && numberOf(size, false) < 20)
    const isSmall = sizes.every((size) => numberOf(size, false) < 20)
    // `4 x 2` is no size, and neither is `6 x 40` of two whole numbers.
    if (lastUnit === undefined && !isMetre && (isSmall || (sizes.length < 3 && numberOf(one!, false) < 40))) continue
    const unitFor = (own: string | undefined) => own ?? lastUnit
    const values = [
      centimetres(one!, unitFor(unitOne), isMetre),
      centimetres(two!, unitFor(unitTwo), isMetre),
      three === undefined ? null : centimetres(three, unitFor(unitThree), isMetre),
    ] as const
    // Millimetres are often left without their unit: no load is 12 m high.
    const isMillimetres =
      lastUnit === undefined && values.some((value) => value !== null && value > 500) && values[1] >= 200
    // `2 × 120×100 cm`: two pieces of that ground.
    const isCounted = three !== undefined && unitOne === undefined && values[0] <= 4 && values[1] > 20
    const sizesOf = isCounted ? [values[1], values[2], null] : values
    const [lengthCm, widthCm, heightCm] = sizesOf.map((value) => (value !== null && isMillimetres ? value / 10 : value))
    if (lengthCm! > 2_500 || widthCm! > 1_000) continue
    found.push({
      from: match.index,
      to: match.index + whole.trimEnd().length,
      lengthCm: lengthCm!,
      widthCm: widthCm!,
      heightCm: heightCm ?? null,
    })
  }
  const isFree = (at: number) => !found.some(({ from, to }) => at >= from && at < to)
  for (const match of [...scan(SINGLE, low), ...scan(AFTER, low)].slice(0, 300)) {
    if (!isFree(match.index)) continue
    const isAfter = /^[\d]/.test(match[1]!)
    const word = isAfter ? match[3]! : match[1]!
    const value = centimetres(isAfter ? match[1]! : match[2]!, isAfter ? match[2] : match[3], false)
    const place = { from: match.index, to: match.index + match[0].length }
    if (/^(?:l|d|lang|long)/.test(word) && !/^(?:durch|dia)/.test(word))
      found.push({ ...place, lengthCm: value, widthCm: null, heightCm: null })
    else if (/^(?:b|wi|w$|sz)/.test(word)) found.push({ ...place, lengthCm: null, widthCm: value, heightCm: null })
    else if (/^(?:ø|o$|sr|durch|dia)/.test(word))
      found.push({ ...place, lengthCm: value, widthCm: value, heightCm: null })
    else found.push({ ...place, lengthCm: null, widthCm: null, heightCm: value })
  }
  return found.sort((one, other) => one.from - other.from)
}

export interface Weight extends Found {
  kg: number
  isEach: boolean
  isTotal: boolean
  isNet: boolean
  isGross: boolean
}

const WEIGHT = new RegExp(
  String.raw`(${NUMBER})\s?(kgs?|kilo(?:gram\w{0,3})?|t|to|tonnen?|tonnes?|tons?|tony?|lbs)\b\.?`,
  'g',
)
const EACH_BEFORE = new RegExp(long`
    (?:\bje\b|\beach\b|\bpo\b|\ba\b|\bzu\b|\bkazd[aye]\b|\bpro (?:stuck|palette|stk)\b|\bstuckgewicht\b
    |\beinzelgewicht\b|@)[^\d\ue000,;]{0,24}$
  `)
const EACH_AFTER = new RegExp(long`
    ^\s{0,2}(?:\(?brutto\)?\s|\(?gross\)?\s|gw\s)?(?:each|kazd[aye]\b|per (?:pallet|piece|unit|crate|drum|ibc|box
    |coil|roll|bundle|item|pc)|\/\s?(?:szt|stk|stuck|pal|pc|pallet|piece|unit|ea\b)|pro (?:stuck|stk|palette|kiste
    |fass|coil|rolle|box|gitterbox|karton|bund)|a piece|apiece|za sztuke|na palete|\bje (?:palette|stuck|stk
    |kiste)|szt\b|p\.\s?pal)
  `)
const TOTAL_BEFORE = new RegExp(long`
    (?:gesamt\w{0,12}|insgesamt|zusammen|total|in all|all in all|razem|lacznie|laczna|calkowita|suma|summe|sum
    |in summe|overall|altogether|w sumie)[^\d\ue000\n]{0,24}$
  `)
const TOTAL_AFTER = new RegExp(long`
    ^\s{0,2}[,(]?\s?(?:in total|total|all up|altogether|gesamt|insgesamt|zusammen|razem|lacznie|in all|overall
    |w sumie)\b
  `)
const NOT_CARGO = /(?:zulassig|zgg|nutzlast|payload|ladownosc|dmc|max\.?|maximum|bis zu|up to)[^\d\n]{0,16}$/

/** Weights in kilograms, with what the words beside them say: each or in all, net or gross. */
export function findWeights(low: string): Weight[] {
  return scan(WEIGHT, low).flatMap((match) => {
    const [whole, written, unit] = match
    const isTonnes = unit!.startsWith('t')
    const value = numberOf(written!, !isTonnes)
    const kg = Math.round((isTonnes ? value * 1000 : unit!.startsWith('lb') ? value * 0.45359237 : value) * 100) / 100
    const from = match.index
    const to = from + whole.length
    const before = low.slice(Math.max(0, from - 48), from)
    const after = low.slice(to, to + 40)
    if (kg <= 0 || kg > 200_000 || NOT_CARGO.test(before)) return []
    // A price per tonne or per 100 kg.
    if (/(?:eur|€|pln|zl|chf|gbp|£)\s?(?:\/|pro|per|za|je)\s?$/.test(before)) return []
    const near = `${before.slice(-26).replace(/^.*[\n;]/s, '')} | ${after.slice(0, 18)}`
    return [
      {
        from,
        to,
        kg,
        isEach: EACH_BEFORE.test(before.slice(-32)) || EACH_AFTER.test(after),
        isTotal: TOTAL_BEFORE.test(before) || TOTAL_AFTER.test(after),
        isNet: /\bnet(?:to|t)?\b/.test(near) && !/gross|brutto/.test(near),
        isGross: /gross|brutto|\bgw\b/.test(near),
      },
    ]
  })
}

export interface Measure extends Found {
  kind: 'ldm' | 'volume'
  value: number
}

const LDM = new RegExp(
  long`
    (?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:ldm|lm|lademeter\w{0,2}|loading met\w{2,4}|load met\w{2,4}
    |mb ladown\w{0,5}|metr\w{0,3} ladown\w{0,5}|mp\b)
  `,
  'g',
)
const LDM_AFTER = /\b(?:ldm|lademeter|loading met\w{2,4})\s?[:=]\s?(\d{1,2}(?:[.,]\d{1,2})?)(?![\d.,]?\d)/g
const VOLUME = new RegExp(
  long`
    (?<![\d.,])(\d{1,3}(?:[.,]\d{1,3})?)\s?(?:m3|m³|cbm|kubikmeter|cubic met\w{2,4}
    |metr\w{0,3} szesc\w{0,6})(?![a-z0-9])
  `,
  'g',
)

export const findMeasures = (low: string): Measure[] =>
  [
    ...scan(LDM, low).map((match) => ({ match, kind: 'ldm' as const })),
    ...scan(LDM_AFTER, low).map((match) => ({ match, kind: 'ldm' as const })),
    ...scan(VOLUME, low).map((match) => ({ match, kind: 'volume' as const })),
  ].map(({ match, kind }) => ({
    kind,
    from: match.index,
    to: match.index + match[0].length,
    value: numberOf(match[1]!, false),
  }))

export interface Temperature extends Found {
  low: number
  high: number
}

const DEGREE = long`
  \s?(?:°\s?c?\b|º\s?c?\b|st\.?\s?c\b|stopni\w{0,2}(?:\s?c\b)?|grad\b(?:\s?(?:c|celsius)\b)?|deg\.?\s?c?\b
  |degrees?\b(?:\s?(?:c|celsius)\b)?|c\b|celsius\b)
`
const SIGNED = String.raw`(plus |minus |[+-]\s?)?(\d{1,2}(?:[.,]\d)?)`
const TEMPERATURE_RANGE = new RegExp(
  long`
    (?<![\d.,a-z])${SIGNED}(?:${DEGREE})?\s?(?:/|-|do|to|bis|until|a|\.\.\.?|und|and)\s?${SIGNED}(?:${DEGREE})
  `,
  'g',
)
const TEMPERATURE_PAIR = /(?<![\d.,a-z])([+-])\s?(\d{1,2})\s?(?:\/|do|to|bis)\s?([+-])\s?(\d{1,2})(?![\d.,])/g
const TEMPERATURE_ONE = new RegExp(String.raw`(?<![\d.,a-z])${SIGNED}${DEGREE}`, 'g')

const signed = (sign: string | undefined, value: string): number =>
  /-|minus/.test(sign ?? '') ? -numberOf(value, false) : numberOf(value, false)

/** `+2 do +6 st. C`, `+2/+8 °C`, `-18°C`, `-20 Grad`; one degree alone is both ends. */
export function findTemperatures(low: string): Temperature[] {
  const found: Temperature[] = []
  for (const match of [...scan(TEMPERATURE_RANGE, low), ...scan(TEMPERATURE_PAIR, low)]) {
    const one = signed(match[1], match[2]!)
    const other = signed(match[3], match[4]!)
    if (found.some(({ from, to }) => match.index < to && match.index + match[0].length > from)) continue
    found.push({
      from: match.index,
      to: match.index + match[0].length,
      low: Math.min(one, other),
      high: Math.max(one, other),
    })
  }
  for (const match of scan(TEMPERATURE_ONE, low)) {
    if (found.some(({ from, to }) => match.index >= from && match.index < to)) continue
    // `Halle 3 C` is no temperature.
    if (match[1] === undefined && !/°|º|grad|stop|deg|st\./.test(match[0])) continue
    const value = signed(match[1], match[2]!)
    found.push({ from: match.index, to: match.index + match[0].length, low: value, high: value })
  }
  return found.sort((one, other) => one.from - other.from)
}
