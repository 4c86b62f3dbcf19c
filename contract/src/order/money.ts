import { roundHalfAwayFromZero, sumCents, vatOf } from '../kit/money.ts'

/** Price − carrier cost in cents; null while one of the two is not known: then there is nothing to be proud of yet. */
export const incomeOf = (customerPriceCents: number | null, carrierCostCents: number | null): number | null =>
  customerPriceCents === null || carrierCostCents === null ? null : sumCents([customerPriceCents, -carrierCostCents])

/** Beyond ten million percent a margin says nothing more, and a cent as price must not overflow what is stored. */
const MARGIN_LIMIT_BP = 1_000_000_000

/**
 * Income in hundredths of a percent of the price, half away from zero: 1250 = 12.5 %. Null without an income or with
 * a price of nothing.
 */
export function marginBpOf(customerPriceCents: number | null, incomeCents: number | null): number | null {
  if (customerPriceCents === null || customerPriceCents === 0 || incomeCents === null) return null
  const share = BigInt(incomeCents) * 10_000n
  const limit = BigInt(MARGIN_LIMIT_BP) * BigInt(Math.abs(customerPriceCents))
  const held = share > limit ? limit : share < -limit ? -limit : share
  return roundHalfAwayFromZero(held, customerPriceCents)
}

/**
 * The most that a route may cost so that its margin is not low, of what the customer pays for it with extras. Null
 * without a price.
 */
export function mostCostOf(
  revenueCents: number | null,
  extrasCostCents: number,
  marginWarningBp: number,
): number | null {
  if (revenueCents === null) return null
  const most = roundHalfAwayFromZero(BigInt(revenueCents) * BigInt(10_000 - marginWarningBp), 10_000)
  return sumCents([most, -extrasCostCents])
}

export interface Totals {
  vatCents: number | null
  totalCents: number | null
}

/**
 * VAT and gross of a net amount, as the price and each assignment show them; null while amount or rate are not known.
 */
export function totalsOf(netCents: number | null, vatBp: number | null): Totals {
  if (netCents === null || vatBp === null) return { vatCents: null, totalCents: null }
  const vatCents = vatOf(netCents, vatBp)
  return { vatCents, totalCents: sumCents([netCents, vatCents]) }
}

/** The sum of what the carriers of an order cost, net; null while none has a cost. */
export function carrierCostOf(assignments: readonly ({ readonly costCents: number | null } | null)[]): number | null {
  const costs = assignments.flatMap((one) => (one?.costCents == null ? [] : [one.costCents]))
  return costs.length > 0 ? sumCents(costs) : null
}

/** What approved extras come to, net; null where the customer does not pay, or no carrier is paid (decision 079). */
export interface ExtraSums {
  readonly priceCents: number | null
  readonly costCents: number | null
}

/** All of these extras together, net; nothing where there are none. */
export const extrasOf = (extras: readonly ExtraSums[]): { priceCents: number; costCents: number } => ({
  priceCents: sumCents(extras.map(({ priceCents }) => priceCents ?? 0)),
  costCents: sumCents(extras.map(({ costCents }) => costCents ?? 0)),
})

/** The freight and what extras come to; null while the freight is not known. */
export const withExtras = (freightCents: number | null, extrasCents: number): number | null =>
  freightCents === null ? null : sumCents([freightCents, extrasCents])

export interface OrderBudget {
  /** the freight alone, as `carrierCostCents` is */
  customerPriceCents: number | null
  customerVatBp: number | null
  customerVatCents: number | null
  customerTotalCents: number | null
  carrierCostCents: number | null
  /** approved extras */
  extras: { priceCents: number; costCents: number }
  /** freight and approved extras together, as the margin is */
  incomeCents: number | null
  marginBp: number | null
}

/**
 * The read-only sums of an order's money (spec §3, Budget). `routes` are those that are not canceled, `extras` those
 * that are approved: price and cost are those of the freight, income and margin count the extras too.
 */
export function orderBudget(order: {
  readonly customerPriceCents: number | null
  readonly customerVatBp: number | null
  readonly routes: readonly { readonly assignment: { readonly costCents: number | null } | null }[]
  readonly extras: readonly ExtraSums[]
}): OrderBudget {
  const { customerPriceCents, customerVatBp } = order
  const extras = extrasOf(order.extras)
  const { vatCents, totalCents } = totalsOf(customerPriceCents, customerVatBp)
  const carrierCostCents = carrierCostOf(order.routes.map(({ assignment }) => assignment))
  const revenueCents = withExtras(customerPriceCents, extras.priceCents)
  const incomeCents = incomeOf(revenueCents, withExtras(carrierCostCents, extras.costCents))
  return {
    customerPriceCents,
    customerVatBp,
    customerVatCents: vatCents,
    customerTotalCents: totalCents,
    carrierCostCents,
    extras,
    incomeCents,
    marginBp: marginBpOf(revenueCents, incomeCents),
  }
}
