import { addDays } from './local-time.ts'

/** From how many days before its end a paper asks for the next one. */
const WARNING_DAYS = 30

/** What asks for another paper. */
export const EXPIRY_WARNINGS = ['expired', 'expiring'] as const
export type ExpiryWarning = (typeof EXPIRY_WARNINGS)[number]

/**
 * Where something that runs out stands today: its last day still counts. Null for what does not run out. Both are
 * local dates.
 */
export function expiryOf(lastDay: string | null, today: string): ExpiryWarning | 'valid' | null {
  if (lastDay === null) return null
  if (lastDay < today) return 'expired'
  return lastDay <= lastWarnedDay(today) ? 'expiring' : 'valid'
}

/** What is valid up to this local date is about to run out. */
export function lastWarnedDay(today: string): string {
  return addDays(today, WARNING_DAYS)
}

/** Papers of carriers that are asked for again before they end (decision 123). */
export const RENEWED_PAPERS = ['EU_LICENSE', 'INSURANCE_DOCUMENT'] as const
export type RenewedPaper = (typeof RENEWED_PAPERS)[number]

/** What stands before the token in the address of their page, beside the pages of transports. */
export const PAPER_ADDRESS = 'paper-'
