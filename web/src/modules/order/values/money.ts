import type { MoneyTone } from '../../../ui/marks/marks.tsx'

/** What companies warn of at first: for sums over the orders of several. */
export const STANDARD_MARGIN_WARNING_BP = 800

// Far beyond any freight, and sums of some hundred still count exactly.
const MOST = 10_000_000_000

/** A figure that is there, can be read and can be counted with, else null. */
export const known = (value: number | null): number | null =>
  value === null || !(Math.abs(value) <= MOST) ? null : value

/** How a margin is shown: red below zero, amber under what the order's company has set, green else. */
export function marginTone(incomeCents: number | null, marginBp: number | null, marginWarningBp: number): MoneyTone {
  if (incomeCents === null) return 'none'
  if (incomeCents < 0) return 'negative'
  return marginBp !== null && marginBp < marginWarningBp ? 'low' : 'positive'
}
