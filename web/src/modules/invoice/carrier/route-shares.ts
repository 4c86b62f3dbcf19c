import type { CarrierRoute } from '@waybill/contract/invoice/invoice'
import type { FieldFault } from '@waybill/contract/kit/issues'
import { sumCents } from '@waybill/contract/kit/money'

/** What of the invoice is for one route; empty or no figure while it is typed. */
export interface Share {
  routeId: number
  netCents: number | null
}

/** What the form holds of them: the net amount of the invoice, and its shares. */
export interface Shared {
  amountCents: number | null
  allocations: readonly Share[]
}

/** What keeps the shares from being saved: they are not the net amount, or one has no figure. */
export function sharesMissing({ amountCents, allocations }: Shared): FieldFault[] {
  const empty = allocations.flatMap(({ netCents }, index) =>
    netCents === null ? [{ path: `allocations.${index}.netCents`, code: 'required' as const }] : [],
  )
  const rest = restOf({ amountCents, allocations })
  return empty.length === 0 && rest !== null && rest !== 0 ? [{ path: 'allocations', code: 'allocations_sum' }] : empty
}

type Known = ReadonlyMap<number, Pick<CarrierRoute, 'agreedCents' | 'invoicedCents'>>

const figure = (value: number | null): number => (value === null || Number.isNaN(value) ? 0 : value)

/** The shares together, as far as they are figures. */
export const sumOf = (shares: readonly Share[]): number => sumCents(shares.map(({ netCents }) => figure(netCents)))

/** What is left of a net amount once each route has its share; null while there is no amount, or no route. */
export const restOf = ({ amountCents, allocations }: Shared): number | null =>
  amountCents === null || Number.isNaN(amountCents) || allocations.length === 0
    ? null
    : amountCents - sumOf(allocations)

/** What a carrier will ask for a route: what was agreed, less what it has invoiced. */
function proposed(routeId: number, known: Known): number {
  const route = known.get(routeId)
  return route === undefined ? 0 : Math.max(0, (route.agreedCents ?? 0) - route.invoicedCents)
}

/** Whether the net amount goes with the shares, in place of having been typed from the paper. */
function isFollowing({ amountCents, allocations }: Shared, known: Known): boolean {
  if (amountCents === null) return true
  const [only, ...others] = allocations
  // The only share goes with the amount, whichever of the two was typed.
  if (only !== undefined && others.length === 0) return amountCents === proposed(only.routeId, known)
  return only !== undefined && amountCents === sumOf(allocations)
}

/**
 * After routes were chosen or taken off: shares that stand stay, new ones are as agreed. An amount that was typed
 * stays, and is all of a single route.
 */
export function afterPicking(before: Shared, routeIds: readonly number[], known: Known): Shared {
  const isOnlyOne = before.allocations.length === 1
  const stands = new Map(before.allocations.map(({ routeId, netCents }) => [routeId, netCents]))
  const allocations = routeIds.map((routeId) => ({
    routeId,
    netCents: isOnlyOne || !stands.has(routeId) ? proposed(routeId, known) : stands.get(routeId)!,
  }))
  if (isFollowing(before, known))
    return { amountCents: allocations.length === 0 ? null : sumOf(allocations), allocations }
  const [only, ...others] = allocations
  return {
    amountCents: before.amountCents,
    allocations: only !== undefined && others.length === 0 ? [{ ...only, netCents: before.amountCents }] : allocations,
  }
}

/** After the net amount was typed: it is all of a single route. */
export const afterAmount = (before: Shared, amountCents: number | null): Shared => ({
  amountCents,
  allocations:
    before.allocations.length === 1
      ? before.allocations.map((only) => ({ ...only, netCents: amountCents }))
      : before.allocations,
})

/** After a share was typed: an amount that was the sum of all stays it. */
export function afterShare(before: Shared, routeId: number, netCents: number | null): Shared {
  const allocations = before.allocations.map((share) => (share.routeId === routeId ? { routeId, netCents } : share))
  const isSum = before.allocations.length === 1 || restOf(before) === 0 || before.amountCents === null
  return { amountCents: isSum ? sumOf(allocations) : before.amountCents, allocations }
}
