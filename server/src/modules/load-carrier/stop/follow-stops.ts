import type { Order, OrderLocation } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { audit } from '../../../kit/records/audit.ts'
import { placeOf } from './stop-lines.ts'
import '../load-carrier.table.ts'

const addressOf = ({ companyTitle, postal, city, countryId }: OrderLocation): string =>
  JSON.stringify([companyTitle, postal, city, countryId])

/**
 * Reaction to `order.written`: what a stop moved stands in the account of the place that it is at now, or of the
 * customer that the order is of now. A stop without a name keeps its account.
 */
export async function followStops(ctx: Ctx, { before, after }: { before: Order | null; after: Order }): Promise<void> {
  if (before === null) return
  await followPlaces(ctx, before, after)
  await followCustomers(ctx, before, after)
}

async function followPlaces(ctx: Ctx, before: Order, after: Order): Promise<void> {
  const was = new Map(before.locations.map((stop) => [stop.id, addressOf(stop)]))
  const moved = after.locations.filter(
    (stop) => stop.companyTitle !== null && was.has(stop.id) && was.get(stop.id) !== addressOf(stop),
  )
  // Of nearly all saves no stop has moved: nobody is asked then.
  if (moved.length === 0) return
  const typed = await ctx.db
    .selectFrom('load_carrier_stop')
    .select('locationId')
    .where(
      'locationId',
      'in',
      moved.map(({ id }) => id),
    )
    .where('partner', '=', 'place')
    .execute()
  for (const { locationId } of typed) {
    const placeId = await placeOf(ctx, moved.find(({ id }) => id === locationId)!)
    await ctx.db
      .updateTable('load_carrier_movement')
      .set((eb) => ({ placeId, version: eb('version', '+', 1) }))
      .where('locationId', '=', locationId)
      .where('placeId', '<>', placeId)
      .execute()
  }
}

/**
 * Who has taken the place of a customer that the order is no longer of: its only one, or the only one that came as the
 * other went. Null where nobody can say; the window of the stop asks then.
 */
function successorOf(customerId: number, before: Order, after: Order): number | null {
  if (after.customerIds.length === 1) return after.customerIds[0]!
  const gone = before.customerIds.filter((id) => !after.customerIds.includes(id))
  const come = after.customerIds.filter((id) => !before.customerIds.includes(id))
  return gone.length === 1 && gone[0] === customerId && come.length === 1 ? come[0]! : null
}

async function followCustomers(ctx: Ctx, before: Order, after: Order): Promise<void> {
  const isSame = before.customerIds.length === after.customerIds.length
  if (isSame && before.customerIds.every((id) => after.customerIds.includes(id))) return
  if (after.locations.length === 0 || after.customerIds.length === 0) return
  const left = await ctx.db
    .selectFrom('load_carrier_movement as movement')
    .innerJoin('customer', 'customer.id', 'movement.customerId')
    .select(['customer.id', 'customer.title'])
    .distinct()
    .where(
      'movement.locationId',
      'in',
      after.locations.map(({ id }) => id),
    )
    .where('movement.customerId', 'not in', after.customerIds)
    .orderBy('customer.id')
    .execute()
  for (const { id, title } of left) {
    const customerId = successorOf(id, before, after)
    if (customerId === null) continue
    await ctx.db
      .updateTable('load_carrier_movement')
      .set((eb) => ({ customerId, version: eb('version', '+', 1) }))
      .where(
        'locationId',
        'in',
        after.locations.map((stop) => stop.id),
      )
      .where('customerId', '=', id)
      .execute()
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: after.id,
      action: 'loadCarriersFollowed',
      before: { loadCarriers: title },
      after: { loadCarriers: after.customers.find((one) => one.id === customerId)!.title },
    })
  }
}
