import { long } from '../text/long.ts'
import { findAdrClass, findUnits, type Quantity } from '../find/goods.ts'
import { findStackable, findStackingFactor } from '../find/extras.ts'
import type { Dimensions, Weight } from '../find/amounts.ts'
import { isIn, type Found } from '../find/found.ts'
import { leaf, type DraftCargo, type DraftStop, type Maybe } from './draft.ts'
import type { Findings } from './findings.ts'
import type { Site } from './stops.ts'

/** A line of cargo before it knows its stops: where it stands in the text. */
export interface CargoLine extends Found {
  quantity: Maybe<number>
  unit: Maybe<string>
  weight: Weight | null
  title: Maybe<string>
  dimensions: Dimensions | null
}

const MOST_LINES = 100

const TITLE_LABEL = new RegExp(long`
    (?:^|\n|[,;]\s?|\.\s)\s{0,6}(?:ladung|ladegut|ware|waren|guter|inhalt|warenbezeichnung|warenart|bezeichnung
    |goods|cargo|commodity|description|contents|product|towar|ladunek|opis towaru|rodzaj towaru|towarem|material
    |consignment|consists of)(?:\s?:|\s)\s{0,20}([^\n]{3,160})
  `)
const NO_TITLE = new RegExp(long`
    ^(?:je|a|each|total|zusammen|gesamt\w*|gewicht|brutto|netto|gross|net|waga|weight|razem|po|per|of|in|von|mit
    |with|auf|on|und|and|i|z|na|do|to|kg|cm|ca|ok|max|stk|stuck|nicht|not|stackable|stapelbar\w*|un|pg|klasse
    |class|kl|gp|vg|iii|ii|eur|euro|ldm|wert|warenwert|value|wartosc|alles|all|laczna|lacznie|calkowita|total\w*
    |insgesamt|wys|hohe|height|hoch|high|rest|ladung|goods|cargo|towar)$
  `)

/** Words of a name for goods: small ones and figures at the ends left out. */
function titleFrom(found: Findings, from: number, to: number): Maybe<string> {
  const slice = found.rest.slice(from, Math.min(to, from + 160))
  for (const piece of slice.matchAll(/[^\n,;.()\ue000:|\t–]{3,60}/g)) {
    const text = piece[0]
    const words = [...text.matchAll(/[\p{L}][\p{L}\d'-]{1,30}/gu)]
    let first = 0
    let last = words.length - 1
    const isSmall = (index: number) =>
      NO_TITLE.test(
        found.low.slice(
          from + piece.index + words[index]!.index,
          from + piece.index + words[index]!.index + words[index]![0].length,
        ),
      )
    while (first <= last && isSmall(first)) first += 1
    while (last >= first && isSmall(last)) last -= 1
    if (first > last || last - first > 6) continue
    const start = from + piece.index + words[first]!.index
    const end = from + piece.index + words[last]!.index + words[last]![0].length
    if (end - start < 3) continue
    return leaf(found.text.slice(start, end), { from: start, to: end })
  }
  return null
}

/** Cargo named with a unit, or a weight alone where nothing has a unit. */
export function cargoLines(found: Findings, billing: readonly Found[]): CargoLine[] {
  const isIn = (one: Found) => billing.some(({ from, to }) => one.from >= from && one.from < to)
  const quantities = found.quantities.filter((one) => !isIn(one)).slice(0, MOST_LINES)
  const kept = withoutRepeats(found, quantities)
  return kept.map((quantity, index) => {
    const next = kept[index + 1]?.from ?? found.low.length
    const stop = found.low.slice(quantity.to, next).search(/\n[ \t]*\n/)
    const to = stop < 0 ? Math.min(next, quantity.to + 500) : Math.min(next, quantity.to + stop)
    return {
      from: quantity.from,
      to,
      quantity: leaf(quantity.quantity, quantity),
      unit: unitBefore(found, quantity) ?? leaf(quantity.unit, quantity),
      weight: null,
      dimensions: null,
      title: null,
    }
  })
}

/** `nawóz w big bagach, 24 szt.`: pieces of what was named just before. */
function unitBefore(found: Findings, quantity: Quantity): Maybe<string> {
  if (quantity.unit !== 'Piece') return null
  const start = Math.max(0, quantity.from - 26, found.low.lastIndexOf('\n', quantity.from) + 1)
  const named = findUnits(found.low.slice(start, quantity.from)).findLast(
    ({ unit }) => unit !== 'Piece' && unit !== 'Pallet',
  )
  return named === undefined ? null : leaf(named.unit, { from: start + named.from, to: start + named.to })
}

/** `3 Paletten (12 Kartons)`, and sums of what is listed: what is said twice counts once. */
function withoutRepeats(found: Findings, all: readonly Quantity[]): Quantity[] {
  const kept: Quantity[] = []
  for (const one of all) {
    const before = found.low.slice(Math.max(0, one.from - 16), one.from)
    const last = kept.at(-1)
    const isInside =
      last !== undefined &&
      /\(\s{0,2}$|(?:mit|with|a|je|z|zawier\w*|containing|holding|in)\s{0,2}$/.test(before) &&
      one.from - last.to < 30
    const isSame = kept.some(
      ({ quantity, unit }) =>
        quantity === one.quantity && (unit === one.unit || one.unit === 'Piece' || one.unit === 'Pallet'),
    )
    const isOnPallets =
      last !== undefined && one.unit === 'Pallet' && /(?:on|auf|na)\s$/.test(before) && one.from - last.to < 40
    const isSum = /(?:gesamt|total|insgesamt|razem|zusammen|in all|summe)[^\n]{0,12}$/.test(before) && kept.length > 1
    const isOldValue = /(?:statt|instead of|zamiast)\s$/.test(before)
    if (isInside || isOnPallets || isSum || isOldValue) continue
    if (isSame && !isNewLine(found, kept, one)) continue
    kept.push(one)
  }
  return kept
}

/** The same number and unit again is another line only in a list with its own weight. */
function isNewLine(found: Findings, kept: readonly Quantity[], one: Quantity): boolean {
  const line = (at: number) => found.low.lastIndexOf('\n', at)
  const twin = kept.findLast(({ quantity, unit }) => quantity === one.quantity && unit === one.unit)
  if (twin === undefined || line(twin.from) === line(one.from)) return false
  const end = found.low.indexOf('\n', one.to)
  return found.weights.some(({ from }) => from > one.to && from < (end < 0 ? found.low.length : end))
}

function merged(dimensions: readonly Dimensions[]): Dimensions | null {
  const [first, ...others] = dimensions
  if (first === undefined) return null
  if (first.lengthCm !== null && first.widthCm !== null && first.heightCm !== null) return first
  const all = { ...first }
  const isRound = first.lengthCm !== null && first.lengthCm === first.widthCm && first.heightCm === null
  for (const one of others) {
    if (one.from - all.to > 40) break
    all.lengthCm ??= one.lengthCm
    // A drum's diameter is two of its sizes; a width that is said as well is the third.
    if (isRound && one.widthCm !== null && one.lengthCm === null) {
      all.heightCm ??= all.widthCm
      all.widthCm = one.widthCm
    }
    all.widthCm ??= one.widthCm
    all.heightCm ??= one.heightCm
    all.to = one.to
  }
  return all
}

function bestWeight(weights: readonly Weight[]): Weight | null {
  const each = weights.find(({ isEach }) => isEach)
  if (each !== undefined) return each
  const gross = weights.find(({ isGross }) => isGross)
  if (gross !== undefined) return gross
  return (
    weights.find(({ isTotal, isNet }) => !isTotal && !isNet) ??
    weights.find(({ isNet }) => !isNet) ??
    weights[0] ??
    null
  )
}

export interface CargoReading {
  cargo: DraftCargo[]
  /** two weights that cannot both be true: of the parts and in all */
  contradiction: { parts: number; total: Weight; at: Found } | null
}

/** Lines with their sizes and weights. A size or weight that stands alone belongs to the only line. */
export function readCargo(
  found: Findings,
  lines: readonly CargoLine[],
  sites: readonly Site[],
  stops: readonly DraftStop[],
  ignored: readonly Found[],
): CargoReading {
  const isIgnored = (one: Found) => ignored.some((part) => isIn(part, one))
  const weights = found.weights.filter((one) => !isIgnored(one))
  const dimensions = found.dimensions.filter((one) => !isIgnored(one))
  const all = lines.length === 0 ? loose(found, weights) : lines
  const isOnly = all.length === 1
  // `Pallet size 110 x 130 x 215 cm` below a table: of all lines of that unit.
  const general = isOnly ? null : merged(dimensions.filter((one) => !all.some((line) => isIn(line, one))))
  const beside =
    general === null
      ? []
      : findUnits(found.low.slice(Math.max(0, general.from - 40), general.from).replace(/^.*\n/s, ''))
  const isPallet = (unit: string) => /pallet/i.test(unit)
  const isOfAll = (line: CargoLine) =>
    general !== null &&
    dimensions.filter((one) => all.some((each) => isIn(each, one))).length === 0 &&
    (beside.length === 0 ||
      line.unit === null ||
      beside.some(({ unit }) => unit === line.unit!.value || (isPallet(unit) && isPallet(line.unit!.value))))
  const taken = new Set<Weight>()
  const cargo: DraftCargo[] = all.map((line) => {
    const own = isOnly
      ? weights
      : weights.filter(
          (one) =>
            isIn(line, one) &&
            !(
              one.isTotal &&
              isLast(all, line) &&
              /gesamt|total|razem/.test(found.low.slice(Math.max(0, one.from - 24), one.from)) &&
              /\n/.test(found.low.slice(line.from, one.from))
            ),
        )
    const weight = line.weight ?? bestWeight(own)
    if (weight !== null) taken.add(weight)
    const count = line.quantity?.value ?? null
    const isEach = weight?.isEach === true && count !== null
    const kg = weight === null ? null : isEach ? Math.round(weight.kg * count * 100) / 100 : weight.kg
    const total = own.find((one) => one !== weight && !one.isEach && !one.isNet)
    const isProved = kg !== null && total !== undefined && Math.abs(total.kg - kg) < 0.51
    const size =
      line.dimensions ??
      merged(isOnly ? dimensions : dimensions.filter((one) => isIn(line, one))) ??
      (isOfAll(line) ? general : null)
    const measures = found.measures.filter((one) => (isOnly || isIn(line, one)) && !isIgnored(one))
    const ldm = measures.find(({ kind }) => kind === 'ldm')
    const volume = measures.find(({ kind }) => kind === 'volume')
    const part = isOnly ? found.low : found.low.slice(line.from, line.to)
    const base = isOnly ? 0 : line.from
    const stackable = findStackable(part)
    const wholeStackable = stackable === null ? findStackable(found.low) : null
    const factor = findStackingFactor(part)
    const adr =
      found.adr.find((one) => isIn(line, one)) ?? (isOnly ? (found.adr[0] ?? findAdrClass(found.low)) : undefined)
    const value = found.money.find(
      (one) => one.use === 'value' && one.currency === 'EUR' && (isOnly || isIn(line, one)),
    )
    const temperature = found.temperatures[0]
    const at = (place: Found) => ({ from: place.from + base, to: place.to + base })
    return {
      title: line.title ?? titleOf(found, line, isOnly),
      unit: line.unit,
      quantity: line.quantity === null ? null : { ...line.quantity, sure: line.unit !== null && isProved },
      packages: null,
      lengthCm: size?.lengthCm == null ? null : leaf(size.lengthCm, size, isOnly && size.heightCm !== null),
      widthCm: size?.widthCm == null ? null : leaf(size.widthCm, size, isOnly && size.heightCm !== null),
      heightCm: size?.heightCm == null ? null : leaf(size.heightCm, size, isOnly && size.lengthCm !== null),
      weightKg: kg === null ? null : leaf(kg, weight!, isProved),
      ldm: ldm === undefined ? null : leaf(ldm.value, ldm, isOnly),
      volumeM3: volume === undefined ? null : leaf(volume.value, volume),
      valueEur: value === undefined ? null : leaf(value.amount, value),
      stackable:
        stackable !== null
          ? leaf(stackable.value, at(stackable))
          : wholeStackable !== null
            ? leaf(wholeStackable.value, wholeStackable)
            : null,
      stackingFactor: factor === null ? null : leaf(factor.value, at(factor)),
      temperatureFrom: temperature === undefined ? null : leaf(temperature.low, temperature),
      temperatureTo: temperature === undefined ? null : leaf(temperature.high, temperature),
      adr:
        adr === undefined || adr === null
          ? null
          : {
              unNumber: adr.unNumber === null ? null : leaf(adr.unNumber, adr),
              adrClass: adr.adrClass === null ? null : leaf(adr.adrClass, adr),
            },
      from: null,
      to: null,
    }
  })
  const kept = withoutSums(cargo, all)
  connect(kept.cargo, kept.lines, sites, stops)
  return { cargo: kept.cargo, contradiction: sumOf(kept.cargo, weights, taken) }
}

const isLast = (all: readonly CargoLine[], line: CargoLine): boolean => all.at(-1) === line

/** A load without units: its weight, where the text speaks of one. */
function loose(found: Findings, weights: readonly Weight[]): CargoLine[] {
  const weight = bestWeight(weights)
  const [size] = found.dimensions
  const place = weight ?? size
  return place === undefined || place === null
    ? []
    : [{ from: place.from, to: place.to + 120, quantity: null, unit: null, weight, dimensions: null, title: null }]
}

function titleOf(found: Findings, line: CargoLine, isOnly: boolean): Maybe<string> {
  const start = line.quantity === null ? line.from : line.quantity.to
  const after = titleFrom(found, start, Math.min(line.to, start + 120))
  const label = isOnly || after === null ? TITLE_LABEL.exec(found.low) : null
  if (label !== null) {
    const from = label.index + label[0].length - label[1]!.length
    const labelled = titleFrom(found, from, from + label[1]!.length)
    if (labelled !== null) return labelled
  }
  return after
}

/** A line that is the sum of the others, as the row of the loading place in a list, is none of its own. */
function withoutSums(
  cargo: DraftCargo[],
  lines: readonly CargoLine[],
): { cargo: DraftCargo[]; lines: readonly CargoLine[] } {
  if (cargo.length < 3) return { cargo, lines }
  const sum = cargo.findIndex((one, index) => {
    const others = cargo.filter((_, other) => other !== index)
    const count = others.reduce((all, { quantity }) => all + (quantity?.value ?? 0), 0)
    return one.quantity !== null && others.every(({ quantity }) => quantity !== null) && one.quantity.value === count
  })
  if (sum < 0) return { cargo, lines }
  return { cargo: cargo.filter((_, index) => index !== sum), lines: lines.filter((_, index) => index !== sum) }
}

/** Where each line is loaded and unloaded: the only place of its kind, or the one that it stands with. */
function connect(
  cargo: readonly DraftCargo[],
  lines: readonly CargoLine[],
  sites: readonly Site[],
  stops: readonly DraftStop[],
): void {
  const indices = (action: string) => stops.flatMap((stop, index) => (stop.action.value === action ? [index] : []))
  for (const [action, key] of [
    ['PICK_UP', 'from'],
    ['DROP_OFF', 'to'],
  ] as const) {
    const ends = indices(action)
    const only = ends.length === 1 ? ends[0]! : null
    for (const [index, line] of cargo.entries()) {
      const place = lines[index]!
      let end = only
      if (end === null && ends.length > 1) {
        // The place whose part of the text it stands in, else the last before it.
        const own = ends.find((at) => sites[at]!.segments.some((segment) => isIn(segment, place)))
        const before = ends.findLast((at) => sites[at]!.place.from < place.from)
        end = own ?? before ?? null
      }
      const proof = end === null ? null : (stops[end]!.city ?? stops[end]!.action)
      line[key] = end === null || proof === null ? null : leaf(end, proof, only !== null && proof.sure)
    }
  }
}

function sumOf(
  cargo: readonly DraftCargo[],
  weights: readonly Weight[],
  taken: ReadonlySet<Weight>,
): CargoReading['contradiction'] {
  if (cargo.length === 0 || cargo.some(({ weightKg }) => weightKg === null)) return null
  const parts = cargo.reduce((all, { weightKg }) => all + weightKg!.value, 0)
  const total =
    weights.find((one) => one.isTotal && !one.isNet && !taken.has(one)) ??
    (cargo.length === 1
      ? weights.find((one) => !taken.has(one) && !one.isEach && !one.isNet && [...taken].some(({ isEach }) => isEach))
      : undefined)
  if (total === undefined) return null
  if (Math.abs(total.kg - parts) < Math.max(0.51, 0)) {
    for (const line of cargo) line.weightKg!.sure = true
    return null
  }
  for (const line of cargo) line.weightKg!.sure = false
  return { parts: Math.round(parts * 100) / 100, total, at: cargo[0]!.weightKg! }
}
