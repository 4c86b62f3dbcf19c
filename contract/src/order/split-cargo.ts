import { fromThousandths, roundHalfAwayFromZero, toThousandths } from '../kit/money.ts'
import type { CargoMeasures } from './cargo.ts'

/** What of a line is shared when it is split: units, packages, and what belongs to the whole line. */
export interface CargoShares extends Pick<CargoMeasures, 'weightKg' | 'volumeM3' | 'ldm' | 'valueCents'> {
  readonly quantity: number
  readonly packages?: number | null
}

/** True for units that can leave a line: more than none and fewer than all. */
export const maySplitOff = ({ quantity }: Pick<CargoShares, 'quantity'>, units: number): boolean =>
  Number.isFinite(units) && toThousandths(units) > 0 && toThousandths(units) < toThousandths(quantity)

/** The packages that go with some units when nobody says how many: in proportion, halves up; null where none are. */
export function packagesWith({ quantity, packages }: CargoShares, units: number): number | null {
  return packages == null ? null : shareOf(packages, units, quantity)
}

/**
 * Splits a line: `units` of it, and `packages` where the line has any, go to a second line. Weight (kg), volume (m³),
 * loading metres and value (cents) are shared in proportion to the units, to a thousandth and to a cent; what rounding
 * leaves over goes to the second line, so that both together are exactly what the line was. What is null stays null.
 * Only for units of which `maySplitOff` is true.
 */
export function splitCargo<Line extends CargoShares>(
  line: Line,
  units: number,
  packages: number | null = packagesWith(line, units),
): readonly [rest: Line, part: Line] {
  const left = toThousandths(line.quantity) - toThousandths(units)
  const measure = (value: number | null | undefined, of: 'first' | 'second') => {
    if (value == null) return value
    const first = shareOf(toThousandths(value), fromThousandths(left), line.quantity)
    return fromThousandths(of === 'first' ? first : toThousandths(value) - first)
  }
  const value = (cents: number | null | undefined, of: 'first' | 'second') => {
    if (cents == null) return cents
    const first = shareOf(cents, fromThousandths(left), line.quantity)
    return of === 'first' ? first : cents - first
  }
  const shared = (of: 'first' | 'second') => ({
    weightKg: measure(line.weightKg, of),
    volumeM3: measure(line.volumeM3, of),
    ldm: measure(line.ldm, of),
    valueCents: value(line.valueCents, of),
  })
  const taken = line.packages == null ? null : Math.min(packages ?? 0, line.packages)
  return [
    {
      ...line,
      ...shared('first'),
      quantity: fromThousandths(left),
      packages: taken === null ? line.packages : line.packages! - taken,
    },
    { ...line, ...shared('second'), quantity: fromThousandths(toThousandths(units)), packages: taken },
  ]
}

/** A whole number's share of `part` in `all`, halves up; exact. */
const shareOf = (whole: number, part: number, all: number): number =>
  roundHalfAwayFromZero(BigInt(whole) * BigInt(toThousandths(part)), toThousandths(all))
