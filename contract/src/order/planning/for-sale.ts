import type { Disposition } from '../status.ts'

/** Offered to carriers: on exchanges, by telephone. */
export const FOR_SALE = 'FOR_SALE' as const satisfies Disposition

/**
 * What is said of an order once its routes are given: it is for sale as long as one of them has nobody, and no longer.
 * Anything else that is said of it stays.
 */
export function dispositionOfGiven(
  disposition: Disposition | null,
  assignments: readonly ({ readonly ownFleet: boolean; readonly carrierCompanyId: number | null } | null)[],
): Disposition | null {
  const isGiven = assignments.every((one) => one !== null && (one.ownFleet || one.carrierCompanyId !== null))
  return disposition === FOR_SALE && assignments.length > 0 && isGiven ? null : disposition
}
