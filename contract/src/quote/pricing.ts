import { roundHalfAwayFromZero, sumCents, toThousandths } from '../kit/money.ts'

/** What a line of a rate card is priced by. `flat`: the whole transport. */
export const RATE_BASES = ['km', 'ldm', 'hundredKg', 'flat'] as const
export type RateBasis = (typeof RATE_BASES)[number]

/** From where to where a line counts, for how much, and for how many loading metres at most. */
export interface RateLine {
  fromCountryCode: string
  /** postal codes by how they begin, `30-33, 5`; null: the whole country */
  fromPostal: string | null
  toCountryCode: string
  toPostal: string | null
  /** null: however many */
  upToLdm: number | null
  basis: RateBasis
  /** for a kilometre, a loading metre, 100 kg, or the transport */
  rateCents: number
  minimumCents: number | null
}

export interface PricedCard {
  /** local dates; both days count, null: without an end */
  validFrom: string
  validTo: string | null
  lines: readonly RateLine[]
  /** diesel on top, in hundredths of a percent, from a month (`2026-11`) on until the next one that is named */
  fuel: readonly { month: string; bp: number }[]
  surcharges: readonly { title: string; cents: number }[]
}

/** A transport as a rate card sees it. */
export interface PricedLane {
  from: { countryCode: string; postal: string | null }
  to: { countryCode: string; postal: string | null }
  /** the day of loading: it decides whether the card is valid, and which month of diesel counts */
  day: string
  distanceKm: number | null
  ldm: number | null
  weightKg: number | null
}

export interface CardPrice {
  /** the place of the line that counted */
  line: number
  baseCents: number
  /** the minimum of the line counted */
  isMinimum: boolean
  fuelBp: number
  fuelCents: number
  surchargeCents: number
  totalCents: number
}

const COUNTRY_BEFORE = /^[A-Z]{1,3}-(?=[A-Z0-9])/
const plainPostal = (postal: string): string =>
  postal
    .trim()
    .toUpperCase()
    .replace(COUNTRY_BEFORE, '')
    .replace(/[^A-Z0-9]/g, '')

const PART = /^([A-Z0-9]{1,8})(?:\s*[-–]\s*([A-Z0-9]{1,8}))?$/

interface PostalPart {
  from: string
  to: string
}

/**
 * Postal codes as a rate card names them: beginnings (`30`) and ranges of beginnings of one length (`30-33`), with
 * commas between. Null for what cannot be read.
 */
export function readPostalParts(text: string): readonly PostalPart[] | null {
  const parts = text.split(',').map((part) => PART.exec(part.trim().toUpperCase()))
  const read: PostalPart[] = []
  for (const part of parts) {
    if (part === null) return null
    const [, from, to = from] = part
    if (from!.length !== to!.length || from! > to!) return null
    read.push({ from: from!, to: to! })
  }
  return read
}

/**
 * How closely postal codes are met: the length of the beginning that fits, 0 for the whole country, null for no fit.
 */
function closeness(named: string | null, postal: string | null): number | null {
  if (named === null) return 0
  if (postal === null) return null
  const code = plainPostal(postal)
  const fitting = (readPostalParts(named) ?? []).filter(({ from, to }) => {
    const start = code.slice(0, from.length)
    return start.length === from.length && from <= start && start <= to
  })
  return fitting.length === 0 ? null : Math.max(...fitting.map(({ from }) => from.length))
}

const HUNDRED_KG_IN_GRAMS = 100_000
const THOUSAND = 1000

/** What a line asks for, without its minimum; null while the measure that it is priced by is not known. */
function askedBy({ basis, rateCents }: RateLine, { distanceKm, ldm, weightKg }: PricedLane): number | null {
  const measured = (measure: number | null, of: number): number | null =>
    measure === null ? null : roundHalfAwayFromZero(BigInt(rateCents) * BigInt(toThousandths(measure)), of)
  switch (basis) {
    case 'km':
      return measured(distanceKm, THOUSAND)
    case 'ldm':
      return measured(ldm, THOUSAND)
    case 'hundredKg':
      return measured(weightKg, HUNDRED_KG_IN_GRAMS)
    case 'flat':
      return rateCents
  }
}

/** Diesel on top on a day: of the newest month that is named until then; none before the first. */
export function fuelBpOn(fuel: PricedCard['fuel'], day: string): number {
  const until = fuel.filter(({ month }) => month <= day.slice(0, 7)).toSorted((a, b) => (a.month < b.month ? -1 : 1))
  return until.at(-1)?.bp ?? 0
}

export const isValidOn = ({ validFrom, validTo }: Pick<PricedCard, 'validFrom' | 'validTo'>, day: string): boolean =>
  validFrom <= day && (validTo === null || day <= validTo)

/**
 * What a card asks for a transport; null where it is not valid on that day, no line fits, or the measure of the line
 * is not known. Of several lines the one counts that names both ends most closely, then the one with the smallest
 * bound of loading metres, then the first. A line with a bound needs the loading metres.
 *
 * In whole cents: rate × measure is rounded once, a half away from zero; then the minimum; then diesel on that,
 * rounded once; surcharges last, without diesel.
 */
export function priceByCard(card: PricedCard, lane: PricedLane): CardPrice | null {
  if (!isValidOn(card, lane.day)) return null
  const fitting = card.lines.flatMap((line, index) => {
    if (line.fromCountryCode !== lane.from.countryCode || line.toCountryCode !== lane.to.countryCode) return []
    if (line.upToLdm !== null && (lane.ldm === null || lane.ldm > line.upToLdm)) return []
    const [from, to] = [closeness(line.fromPostal, lane.from.postal), closeness(line.toPostal, lane.to.postal)]
    const askedCents = askedBy(line, lane)
    return from === null || to === null || askedCents === null
      ? []
      : [{ line, index, close: from + to, bound: line.upToLdm ?? Infinity, askedCents }]
  })
  const [best] = fitting.toSorted(
    (a, b) => b.close - a.close || (a.bound === b.bound ? 0 : a.bound - b.bound) || a.index - b.index,
  )
  if (!best) return null
  const { line, index, askedCents } = best
  const isMinimum = line.minimumCents !== null && line.minimumCents > askedCents
  const baseCents = isMinimum ? line.minimumCents! : askedCents
  const fuelBp = fuelBpOn(card.fuel, lane.day)
  const fuelCents = roundHalfAwayFromZero(BigInt(baseCents) * BigInt(fuelBp), 10_000)
  const surchargeCents = sumCents(card.surcharges.map(({ cents }) => cents))
  return {
    line: index,
    baseCents,
    isMinimum,
    fuelBp,
    fuelCents,
    surchargeCents,
    totalCents: sumCents([baseCents, fuelCents, surchargeCents]),
  }
}

/**
 * The price at which so many hundredths of a percent of it remain above a cost, in full cents upwards: the margin is
 * never below what was aimed at.
 */
export function priceForMargin(costCents: number, marginBp: number): number {
  const below = BigInt(10_000 - marginBp)
  if (below <= 0n) throw new RangeError('a margin below 100 %')
  const wanted = BigInt(costCents) * 10_000n
  const rounded = roundHalfAwayFromZero(wanted, below)
  return BigInt(rounded) * below < wanted ? rounded + 1 : rounded
}

/** What remains of a price above its cost, in hundredths of a percent of the price; null without a price. */
export const marginBpOf = (priceCents: number, costCents: number): number | null =>
  priceCents === 0 ? null : roundHalfAwayFromZero(BigInt(priceCents - costCents) * 10_000n, priceCents)
