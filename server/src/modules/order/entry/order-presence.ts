import { sql } from 'kysely'
import { PRESENCE_SECONDS, type OrderSection, type Present } from '@waybill/contract/order/presence'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { orderWithId, visibleOrders } from '../order.policy.ts'
import '../order.table.ts'

const oldest = (ctx: Ctx): string => new Date(ctx.clock.now().getTime() - PRESENCE_SECONDS.lasts * 1000).toISOString()

/** Notes that the caller has the order open, and answers who else has. Error: `not_found`. */
export async function beHere(ctx: Ctx, orderId: number, section: OrderSection | null): Promise<{ others: Present[] }> {
  const { userId } = actorOf(ctx)
  const { rows } = await sql<{ others: Present[] }>`
    with known as (select "order".id from "order" where ${orderWithId(orderId)} and ${visibleOrders(ctx)}),
      here as (
        insert into order_presence ("orderId", "userId", section, "seenAt") select known.id, ${userId}, ${section},
          ${nowOf(ctx)} from known
        on conflict ("orderId", "userId") do update set section = excluded.section, "seenAt" = excluded."seenAt"
      )
    select coalesce((
      select json_agg(json_build_object('id', u.id, 'title', u."fullName", 'section', p.section)
        order by u."fullName", u.id)
      from order_presence p join "user" u on u.id = p."userId" where p."orderId" = known.id
        and p."userId" <> ${userId} and p."seenAt" > ${oldest(ctx)}
    ), '[]') as others from known
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/**
 * Forgets that the caller has the order open, and with it all who went without a word. Nothing is told of an order
 * that the caller may not know of.
 */
export async function leaveOrder(ctx: Ctx, orderId: number): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`select "order".id from "order" where ${orderWithId(orderId)} and ${visibleOrders(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  await sql`delete from order_presence where ("orderId" = ${orderId} and "userId" = ${actorOf(ctx).userId})
    or "seenAt" < ${oldest(ctx)}`.execute(ctx.db)
}
