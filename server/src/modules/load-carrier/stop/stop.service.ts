import { localOf } from '@waybill/contract/kit/local-time'
import type { StopLoadCarriers, StopLoadCarriersWrite } from '@waybill/contract/load-carrier/stop'
import type { Order, OrderLocation } from '@waybill/contract/order/order'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { admitToOwner } from '../../../kit/records/owners.ts'
import { loadOrder } from '../../order/index.ts'
import { namedTypes } from '../account.query.ts'
import { refuseFuture } from '../movement.service.ts'
import { NOBODY, placeOf, refuseWrongTypes, writeLines, type StopHolder } from './stop-lines.ts'
import { inHistory, toldAt, typedAt } from './stop.query.ts'
import '../load-carrier.table.ts'

/** A stop of an order that the caller may see. Error: `not_found`. */
async function stopOf(ctx: Ctx, orderId: number, stopId: number): Promise<{ order: Order; stop: OrderLocation }> {
  const order = await loadOrder(ctx, orderId)
  const stop = order.locations.find(({ id }) => id === stopId)
  if (!stop) throw new AppError('not_found')
  return { order, stop }
}

/** On which day something was exchanged there, as far as the stop says: when it was done, else when it was to be. */
function dayOf(ctx: Ctx, { timeZone, loadedAt, unloadedAt, arrivedAt, termin }: OrderLocation): string {
  const today = localOf(nowOf(ctx), timeZone).date
  const done = unloadedAt ?? loadedAt ?? arrivedAt
  if (done !== null) return localOf(done, timeZone).date
  return termin !== null && termin.dateFrom < today ? termin.dateFrom : today
}

/** What was exchanged at a stop, or what is proposed where nobody has typed it. Error: `not_found`. */
export async function stopLoadCarriers(ctx: Ctx, orderId: number, stopId: number): Promise<StopLoadCarriers> {
  const { order, stop } = await stopOf(ctx, orderId, stopId)
  const typed = await typedAt(ctx, stopId)
  const first = typed?.movements[0]
  const isFormer = first !== undefined && first.customerId !== null && !order.customerIds.includes(first.customerId)
  const carrier = order.routes.find(({ id }) => id === stop.routeId)?.assignment?.carrierCompany ?? null
  const told = await toldAt(ctx, stopId)
  return {
    version: typed?.version ?? 0,
    partner: typed?.partner ?? (stop.companyTitle === null ? 'customer' : 'place'),
    customerId: first?.customerId ?? (stop.companyTitle === null ? (order.customerIds[0] ?? null) : null),
    movedOn: first?.movedOn ?? dayOf(ctx, stop),
    noteNumber: first?.noteNumber ?? null,
    note: first?.note ?? null,
    lines: (typed?.movements ?? []).map(({ typeId, given, received, damaged }) => ({
      typeId,
      given,
      received,
      damaged,
    })),
    told: told === null ? null : { at: told.at, ...told.exchange },
    isAsTold: typed?.isTold ?? false,
    types: await namedTypes(ctx),
    place:
      stop.companyTitle === null ? null : [stop.companyTitle, stop.city].filter((part) => part !== null).join(', '),
    customers: order.customers.map(({ id, title }) => ({ id, title })),
    formerCustomer: isFormer ? { id: first.customerId!, title: first.customerTitle! } : null,
    carrier: carrier === null ? null : { id: carrier.id, title: carrier.title },
  }
}

async function partnerOf(
  ctx: Ctx,
  order: Order,
  stop: OrderLocation,
  { partner, customerId }: StopLoadCarriersWrite,
): Promise<StopHolder> {
  if (partner === 'place') {
    if (stop.companyTitle === null) throw fieldError('partner', 'required')
    return { customerId: null, placeId: await placeOf(ctx, stop) }
  }
  if (customerId === null) throw fieldError('customerId', 'required')
  if (!order.customerIds.includes(customerId)) throw fieldError('customerId', 'unknown_reference')
  return { customerId, placeId: null }
}

/** Takes the stop's version that was read, and gives it the next. Error: `stale_version`. */
async function takeVersion(
  ctx: Ctx,
  {
    orderId,
    stopId,
    version,
    partner,
  }: { orderId: number; stopId: number; version: number; partner: StopLoadCarriers['partner'] },
): Promise<void> {
  const taken =
    version === 0
      ? await ctx.db
          .insertInto('load_carrier_stop')
          .values({ locationId: stopId, partner })
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
      : await ctx.db
          .updateTable('load_carrier_stop')
          .set({ version: version + 1, partner, isTold: false })
          .where('locationId', '=', stopId)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  if (!taken) throw new AppError('stale_version', { current: await stopLoadCarriers(ctx, orderId, stopId) })
}

/** Writes what was exchanged at a stop, in the place of what was typed before. Errors: the contract's. */
export async function saveStopLoadCarriers(
  ctx: Ctx,
  { orderId, stopId, version }: { orderId: number; stopId: number; version: number },
  body: StopLoadCarriersWrite,
): Promise<StopLoadCarriers> {
  await admitToOwner(ctx, 'order', orderId, 'write')
  const { order, stop } = await stopOf(ctx, orderId, stopId)
  await refuseWrongTypes(ctx, body.lines, 'lines')
  refuseFuture(ctx, body.movedOn)
  const before = await typedAt(ctx, stopId)
  await takeVersion(ctx, { orderId, stopId, version, partner: body.partner })
  const holder = body.lines.length === 0 ? NOBODY : await partnerOf(ctx, order, stop, body)
  await writeLines(ctx, stopId, holder, body)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'loadCarriersAtStop',
    before: inHistory(before?.movements ?? []),
    after: inHistory((await typedAt(ctx, stopId))!.movements),
  })
  return stopLoadCarriers(ctx, orderId, stopId)
}
