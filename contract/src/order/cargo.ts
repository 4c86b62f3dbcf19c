import { fromThousandths, sumCents, toThousandths } from '../kit/money.ts'

/** What a line of cargo measures; centimetres, kilograms of the whole line. What is not known yet is null. */
export interface CargoMeasures {
  readonly quantity?: number | null
  readonly stackingFactor?: number | null
  readonly lengthCm?: number | null
  readonly widthCm?: number | null
  readonly heightCm?: number | null
  readonly weightKg?: number | null
  readonly volumeM3?: number | null
  readonly ldm?: number | null
  readonly valueCents?: number | null
}

const isKnown = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0

const big = (value: number): bigint => BigInt(toThousandths(value))

/** More than any order holds: someone has slipped while typing a dimension. */
const MOST = { ldm: 10_000, volumeM3: 100_000, weightKg: 1_000_000_000 } as const

/** Quotient of positive integers to three places, halves up; null above `most`. */
function toThreePlaces(numerator: bigint, denominator: bigint, most: number): number | null {
  const thousandths = (2n * numerator + denominator) / (2n * denominator)
  return thousandths <= BigInt(most) * 1000n ? fromThousandths(Number(thousandths)) : null
}

/**
 * Units ÷ stacking factor, rounded up: the places that a line needs on the floor (domain, Ldm). Null while the units
 * are not known.
 */
export function floorPlaces({ quantity, stackingFactor }: CargoMeasures): number | null {
  if (!isKnown(quantity)) return null
  const factor = isKnown(stackingFactor) ? Math.max(1, stackingFactor) : 1
  const [units, stack] = [big(quantity), big(factor)]
  return Number((units + stack - 1n) / stack)
}

/**
 * Loading metres = length × width (m) / 2.4 × floor places, to three places; null while a dimension is not known, or
 * above 10,000.
 */
export function ldmOf(cargo: CargoMeasures): number | null {
  const places = floorPlaces(cargo)
  if (places === null || !isKnown(cargo.lengthCm) || !isKnown(cargo.widthCm)) return null
  // Thousandths of a cm, squared, over 2.4 m: 1 cm² is a ten-thousandth of 1 m², and the result is in thousandths.
  return toThreePlaces(big(cargo.lengthCm) * big(cargo.widthCm) * BigInt(places), 24_000_000n, MOST.ldm)
}

/**
 * Volume in m³ = length × width × height × units, to three places; null while a dimension is not known, or above
 * 100,000.
 */
export function volumeOf({ quantity, lengthCm, widthCm, heightCm }: CargoMeasures): number | null {
  if (!isKnown(quantity) || !isKnown(lengthCm) || !isKnown(widthCm) || !isKnown(heightCm)) return null
  return toThreePlaces(
    big(lengthCm) * big(widthCm) * big(heightCm) * big(quantity),
    1_000_000_000_000_000n,
    MOST.volumeM3,
  )
}

export interface CargoTotals {
  quantity: number
  weightKg: number
  volumeM3: number
  ldm: number
  valueCents: number
}

/**
 * The sums of an order's cargo, exact in thousandths and rounded nowhere (domain, Ldm); what is not known counts as
 * nothing.
 */
export function cargoTotals(lines: readonly CargoMeasures[]): CargoTotals {
  const sum = (field: 'quantity' | 'weightKg' | 'volumeM3' | 'ldm') =>
    fromThousandths(sumCents(lines.map((line) => toThousandths(line[field] ?? 0))))
  return {
    quantity: sum('quantity'),
    weightKg: sum('weightKg'),
    volumeM3: sum('volumeM3'),
    ldm: sum('ldm'),
    valueCents: sumCents(lines.map((line) => line.valueCents ?? 0)),
  }
}

/**
 * What a cubic metre and a loading metre weigh at least when freight is charged; the customer's own factors go before
 * (domain, Ldm).
 */
export const CHARGEABLE = { chargeableKgPerM3: 333, chargeableKgPerLdm: 1750 } as const

/** Chargeable weight in kg = max(kg, m³ × factor, Ldm × factor), to three places. */
export function chargeableWeightKg(
  cargo: Pick<CargoMeasures, 'weightKg' | 'volumeM3' | 'ldm'>,
  factors: { readonly chargeableKgPerM3?: number | null; readonly chargeableKgPerLdm?: number | null } = CHARGEABLE,
): number {
  const times = (measure: number | null | undefined, factor: number) =>
    toThreePlaces(big(Math.max(0, measure ?? 0)) * big(factor), 1000n, MOST.weightKg) ?? 0
  return Math.max(
    cargo.weightKg ?? 0,
    times(cargo.volumeM3, factors.chargeableKgPerM3 ?? CHARGEABLE.chargeableKgPerM3),
    times(cargo.ldm, factors.chargeableKgPerLdm ?? CHARGEABLE.chargeableKgPerLdm),
  )
}

/** What a standard semi-trailer takes (domain, Ldm): metres, kilograms, centimetres. */
export const LOAD_LIMITS = { ldm: 13.6, weightKg: 24_500, widthCm: 248, stackHeightCm: 300 } as const

export interface LoadWarning {
  code: keyof typeof LOAD_LIMITS
  value: number
  limit: number
  /** the line that is too wide or too high; null where the whole load is meant */
  line: number | null
}

/**
 * What does not fit a standard trailer: a warning, never a refusal. Ldm and weight are those of all lines together;
 * `totals` are their sums where they are known already.
 */
export function loadWarnings(
  lines: readonly CargoMeasures[],
  { ldm, weightKg }: Pick<CargoTotals, 'ldm' | 'weightKg'> = cargoTotals(lines),
): LoadWarning[] {
  const warnings: LoadWarning[] = []
  const check = (code: LoadWarning['code'], value: number, line: number | null) => {
    if (value > LOAD_LIMITS[code]) warnings.push({ code, value, limit: LOAD_LIMITS[code], line })
  }
  check('ldm', ldm, null)
  check('weightKg', weightKg, null)
  lines.forEach((line, index) => {
    check('widthCm', line.widthCm ?? 0, index)
    // One pallet is not stacked upon itself, whatever its kind would bear.
    const layers = Math.max(1, Math.min(line.stackingFactor ?? 1, line.quantity ?? Number.POSITIVE_INFINITY))
    check('stackHeightCm', fromThousandths(Math.round(toThousandths(line.heightCm ?? 0) * layers)), index)
  })
  return warnings
}
