import { sql } from 'kysely'
import { allowedMoves, obstaclesTo, type MoveNeed, type OrderStatus } from '@waybill/contract/order/status'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { visibleOrders } from '../order.policy.ts'
import { viewOrders } from '../order-view.query.ts'

/**
 * What keeps each of these orders from a status, by the rules that the move itself goes by. Those that the caller may
 * not know of, that may go, or from where no step leads there are not in it: of the last the list knows by itself.
 */
export async function findObstacles(
  ctx: Ctx,
  ids: readonly number[],
  to: OrderStatus,
): Promise<{ items: { id: number; needs: MoveNeed[] }[] }> {
  const { isAdmin } = actorOf(ctx)
  const orders = await viewOrders(ctx, sql<boolean>`"order".id = any(${ids}::bigint[]) and ${visibleOrders(ctx)}`)
  const items = orders.flatMap((order) => {
    const move = allowedMoves(order.status, { isAdmin }).find((one) => one.to === to)
    const needs = move === undefined ? [] : obstaclesTo(move, order)
    return needs.length === 0 ? [] : [{ id: order.id, needs }]
  })
  return { items }
}
