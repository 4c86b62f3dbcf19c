import { sql } from 'kysely'
import type { Order } from '@waybill/contract/order/order'
import { CANCELED_ORDER, UNMERGE_STEP } from '@waybill/contract/order/status'
import { audit } from '../../../kit/records/audit.ts'
import { actorOf, nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { returnExtras } from '../extras/extra-sums.ts'
import type { OrderCondition } from '../order.policy.ts'
import { loadOrder, viewOrders } from '../order-view.query.ts'
import { STATUS_COLUMNS } from '../order.table.ts'
import { lockOrders, recordSteps, releaseSources, saveProgress, updateOrder } from '../order.repository.ts'
import { derivedColumns, historyOf } from '../order.rules.ts'

declare module '../../../kit/context/events.ts' {
  interface Events {
    'order.unmerged': { orderId: number; sourceIds: number[] }
  }
}

/** As the result's history gives it, in every language. */
const REASON = 'unmerged'

/**
 * Undoes a merge: the sources are new again, the result is canceled (domain, Merge).
 * Error: `conflict` with what stands in the way: it is no result, has left *new*, was changed,
 * or has documents or mails.
 */
export async function unmergeOrder(ctx: Ctx, id: number, version: number): Promise<Order> {
  const tied: OrderCondition = sql<boolean>`("order".id = ${id} or "order"."mergedIntoId" = ${id})`
  await loadOrder(ctx, id)
  await lockOrders(ctx, tied)
  const before = await loadOrder(ctx, id)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  if (before.unmergeObstacles === null)
    throw new AppError('conflict', {
      fields: [{ path: 'status', code: before.isMergeResult ? 'merge_undone' : 'unmerge_not_result' }],
    })
  if (before.unmergeObstacles.length > 0)
    throw new AppError('conflict', { fields: before.unmergeObstacles.map((code) => ({ path: 'status', code })) })

  const at = nowOf(ctx)
  const actorId = actorOf(ctx).userId
  const sources = await viewOrders(ctx, sql<boolean>`"order"."mergedIntoId" = ${id}`)
  const sourceIds = sources.map((source) => source.id)
  const routes = before.routes.map((route) => ({
    ...route,
    status: CANCELED_ORDER,
    statusDates: { ...route.statusDates, [CANCELED_ORDER]: at },
  }))
  const isSaved = await updateOrder(ctx, before, {
    ...derivedColumns({ ...before, routes }),
    status: CANCELED_ORDER,
    [STATUS_COLUMNS.canceled]: at,
  })
  const progress = routes.map((route, index) => ({
    id: route.id,
    from: before.routes[index]!.status,
    status: route.status,
    statusDates: route.statusDates as Record<string, string>,
  }))
  if (!isSaved || !(await saveProgress(ctx, progress, [])))
    throw new AppError('stale_version', { current: await loadOrder(ctx, id) })
  await releaseSources(ctx, { sourceIds, at })
  await returnExtras(ctx, id, sourceIds)
  await recordSteps(ctx, [id], { from: before.status, to: CANCELED_ORDER, at, actorId, reason: REASON })
  await recordSteps(ctx, sourceIds, { ...UNMERGE_STEP, at, actorId, reason: null })

  const result = await loadOrder(ctx, id)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: id,
    action: 'unmerged',
    before: historyOf(before),
    after: historyOf(result),
    reason: REASON,
  })
  const after = await viewOrders(ctx, sql<boolean>`"order".id = any(${sourceIds}::bigint[])`)
  for (const source of sources) {
    const now = after.find((order) => order.id === source.id)!
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: source.id,
      action: 'unmerged',
      before: historyOf(source),
      after: historyOf(now),
    })
  }
  await tell(ctx, { type: 'order.unmerged', orderId: id, sourceIds })
  await tell(ctx, { type: 'order.written', orderId: id, before, after: result })
  for (const source of sources)
    await tell(ctx, {
      type: 'order.written',
      orderId: source.id,
      before: source,
      after: after.find((order) => order.id === source.id)!,
    })
  return result
}
