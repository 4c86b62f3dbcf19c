import { WITHDRAWING_STATUSES } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'

/**
 * Why a route was withdrawn from its carrier, as the person typed it who moved it; null where it was not ticked that
 * the carrier is told, or the last move was another one.
 */
export async function withdrawalReason(ctx: Ctx, orderId: number, routeId: number | null): Promise<string | null> {
  const last = await ctx.db
    .selectFrom('status_move')
    .select(['to', 'reason', 'tellsCarrier'])
    .where('orderId', '=', orderId)
    .where((eb) => eb.or([eb('routeId', 'is', null), eb('routeId', '=', routeId)]))
    .where('undoneAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.tellsCarrier && WITHDRAWING_STATUSES.includes(last.to) ? last.reason : null
}
