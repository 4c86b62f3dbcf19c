import type { MoneyTone } from '../../ui/marks.tsx'

/** Below this the margin is amber: the percentage that companies have at first (look, Decided). */
const MARGIN_WARNING_BP = 800

/** A figure that is there and can be read, else null. */
export const known = (value: number | null): number | null => (value === null || Number.isNaN(value) ? null : value)

/** How a margin is shown: red below zero, amber when low, green else. */
export function marginTone(incomeCents: number | null, marginBp: number | null): MoneyTone {
  if (incomeCents === null) return 'none'
  if (incomeCents < 0) return 'negative'
  return marginBp !== null && marginBp < MARGIN_WARNING_BP ? 'low' : 'positive'
}
