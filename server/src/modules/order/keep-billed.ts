import type { z } from 'zod'
import { sql } from 'kysely'
import type { FreightLoad, keepBilled } from '@waybill/contract/order/day'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { billedOf } from './order-day.query.ts'
import { scopeOf } from './order.policy.ts'
import { loadOrder } from './order-view.query.ts'

/**
 * Lets the invoice of an order stand although cargo or way changed since: what the order says now counts as billed
 * (decision 059). Errors: `not_found` where nothing is billed; `stale_version`.
 */
export async function keepBilledOrder(
  ctx: Ctx,
  id: number,
  version: number,
): Promise<z.output<typeof keepBilled.reply>> {
  const order = await loadOrder(ctx, id)
  if (order.version !== version) throw new AppError('stale_version', { current: order })
  const { rows } = await sql<{ before: FreightLoad | null; after: FreightLoad }>`
    with was as (select "orderId", "billedLoad" from billed_order where "orderId" = ${id} for update)
    update billed_order b set "billedLoad" = b.load from was where b."orderId" = was."orderId"
    returning was."billedLoad" as before, b."billedLoad" as after
  `.execute(ctx.db)
  const [kept] = rows
  if (!kept) throw new AppError('not_found')
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: id,
    action: 'updated',
    before: { billedLoad: kept.before },
    after: { billedLoad: kept.after },
  })
  return billedOf(ctx, scopeOf(ctx), id)
}
