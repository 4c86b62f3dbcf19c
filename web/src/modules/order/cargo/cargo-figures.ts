import { cargoTotals, type CargoTotals } from '@waybill/contract/order/cargo'
import type { CargoValues } from '../values/draft.ts'
import { known } from '../values/money.ts'

const FIGURES = ['quantity', 'lengthCm', 'widthCm', 'heightCm', 'weightKg', 'volumeM3', 'ldm'] as const
export type Figure = (typeof FIGURES)[number]
/** Whether a field of a line holds a figure. */
export const isFigure = (field: string): field is Figure => (FIGURES as readonly string[]).includes(field)

/** A line as it is summed: a figure that cannot be read counts as nothing; the field itself tells. */
export const countable = (line: CargoValues): CargoValues =>
  FIGURES.every((field) => line[field] === known(line[field]))
    ? line
    : { ...line, ...Object.fromEntries(FIGURES.map((field) => [field, known(line[field])])) }

// The same lines are summed below the grid, beside the trailer and beside what was billed.
const sums = new WeakMap<readonly CargoValues[], CargoTotals>()

/** The sums of lines as they are typed; worked out once for each list, which is never changed in place. */
export function sumsOf(lines: readonly CargoValues[]): CargoTotals {
  const totals = sums.get(lines) ?? cargoTotals(lines.map(countable))
  sums.set(lines, totals)
  return totals
}
