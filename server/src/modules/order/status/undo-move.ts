import { sql } from 'kysely'
import type { Order } from '@waybill/contract/order/order'
import { UNDO_SECONDS, type OrderStatus } from '@waybill/contract/order/status'
import { audit } from '../../../kit/records/audit.ts'
import { actorOf, nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import type { Undo } from './move-order.ts'
import { orderWithId } from '../order.policy.ts'
import { loadOrder, viewOrders } from '../order-view.query.ts'
import { saveProgress, updateOrder } from '../order.repository.ts'
import { derivedColumns, historyOf } from '../order.rules.ts'

declare module '../../../kit/context/events.ts' {
  interface Events {
    'order.moveUndone': { orderId: number; routeIds: number[]; from: OrderStatus; to: OrderStatus; moveId: number }
  }
}

/**
 * Takes back the caller's own last move within its eight seconds, without a reason;
 * the move stays in the history (domain, Order status).
 * It restores what was, so it is no step of the table: the database lets it pass for this transaction alone.
 * Errors: `conflict` where nothing can be undone any more: too late, somebody else's, or the order was changed since.
 */
export async function undoMove(ctx: Ctx, id: number, version: number): Promise<Order> {
  const before = await loadOrder(ctx, id)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  const last = await ctx.db
    .selectFrom('status_move')
    .selectAll()
    .where('orderId', '=', id)
    .where('undoneAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const undo = last?.before as Undo | null | undefined
  const isOpen = last !== undefined && ctx.clock.now().getTime() < Date.parse(last.movedAt) + UNDO_SECONDS * 1000
  if (!isOpen || !undo || undo.version !== before.version || last.actorId !== actorOf(ctx).userId)
    throw new AppError('conflict')

  const routes = before.routes.map((route) => ({
    ...route,
    ...undo.routes.find((one) => one.id === route.id),
  })) as Order['routes']
  const locations = before.locations.map((stop) => ({ ...stop, ...undo.stops.find((one) => one.id === stop.id) }))
  const isSaved = await updateOrder(ctx, before, {
    ...derivedColumns({ ...before, locations, routes }),
    ...undo.columns,
  })
  await sql`select set_config('waybill.undo', 'on', true)`.execute(ctx.db)
  const moved = undo.routes.map((route) => ({
    ...route,
    from: before.routes.find((one) => one.id === route.id)?.status ?? '',
  }))
  if (!isSaved || !(await saveProgress(ctx, moved, undo.stops)))
    throw new AppError('stale_version', { current: await loadOrder(ctx, id) })
  await sql`select set_config('waybill.undo', '', true)`.execute(ctx.db)

  await ctx.db
    .updateTable('status_move')
    .set({ undoneAt: nowOf(ctx) })
    .where('id', '=', last.id)
    .execute()
  const [after] = await viewOrders(ctx, orderWithId(id))
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: id,
    action: 'moveUndone',
    before: historyOf(before),
    after: historyOf(after!),
  })
  await tell(ctx, {
    type: 'order.moveUndone',
    orderId: id,
    routeIds: undo.routes.map((route) => route.id),
    from: last.to,
    to: last.from,
    moveId: last.id,
  })
  await tell(ctx, { type: 'order.written', orderId: id, before, after: after! })
  return after!
}
