import { sql } from 'kysely'
import type { Ctx } from '../../src/kit/context/context.ts'
import { planMails } from '../../src/modules/correspondence/index.ts'
import { holdEmail, planEmails, suppressEmail } from '../../src/modules/email/index.ts'
import { orderAsItIs } from '../../src/modules/order/index.ts'
import type { StoredOrder } from './orders/write-orders.ts'

const MOST_ON_THE_ROAD = 60
const MOST_UNWANTED = 25

/** The last order that is planned with one carrier, whose disponent has a telephone alone: it was sent nothing. */
export const untoldOrder = (stored: readonly StoredOrder[]): StoredOrder | undefined =>
  stored.findLast(({ life: { moves, assigned } }) => {
    const [truck, ...more] = assigned
    return moves.at(-1)?.to === 'scheduled' && truck?.carrier && more.length === 0
  })

/** Its transport order is held until somebody gives an address. */
async function holdTransportOrder(ctx: Ctx, { id: orderId, routeIds, life }: StoredOrder): Promise<void> {
  const [routeId] = routeIds as [number]
  const causeKey = `resolved:${routeId}:${life.assigned[0]!.carrier!.id}:0`
  await sql`update assignment set "disponentEmail" = null where "routeId" = ${routeId}`.execute(ctx.db)
  const [id] = await planEmails(ctx, [
    {
      orderId,
      causeKey,
      type: 'order_resolved',
      variant: 'confirmed',
      routeId,
      told: null,
      locationId: null,
      customerId: null,
      dueAt: life.moves.at(-1)!.movedAt,
    },
  ])
  await holdEmail(ctx, id!, 'noAddress', [])
  // It stays wanted when somebody saves the order.
  await sql`update "order" set "mailsPassed" = array_remove("mailsPassed", ${causeKey}) where id = ${orderId}`.execute(
    ctx.db,
  )
}

/**
 * Mails of orders that have not left: those before an arrival that is still to come, planned as saving such an order
 * plans them; confirmations of new orders that their customers do not want; and a transport order for which there is
 * no address. Gives how many there are.
 */
export async function seedPlannedMails(ctx: Ctx, untold: StoredOrder | undefined): Promise<number> {
  const now = ctx.clock.now().toISOString()
  const { rows: onTheRoad } = await sql<{ id: number }>`
    select id from "order" where status in ('scheduled', 'in_transit') and state = 'active' and not "isMergeResult"
      and "lastUnloadingAt" > ${now}
      order by id = ${untold?.id ?? null}::bigint desc nulls last, "lastUnloadingAt", id
      limit ${sql.lit(MOST_ON_THE_ROAD)}
  `.execute(ctx.db)
  for (const { id } of onTheRoad) {
    const order = (await orderAsItIs(ctx, id))!
    await planMails(ctx, { before: order, after: order })
  }
  const { rows: unwanted } = await sql<{ orderId: number; customerId: number; dueAt: string }>`
    select o.id as "orderId", k.id as "customerId", o."createdAt" as "dueAt"
    from "order" o join order_customer x on x."orderId" = o.id and x.position = 1
      join customer k on k.id = x."customerId"
    where o.state = 'active' and not o."isMergeResult" and o."mergedIntoId" is null
      and not (k."emailPreferences"->>'orderCreated')::boolean
    order by o.id desc limit ${sql.lit(MOST_UNWANTED)}
  `.execute(ctx.db)
  const rest = { type: 'order_created', variant: 'standard', told: null, routeId: null, locationId: null } as const
  const ids = await planEmails(
    ctx,
    unwanted.map((one) => ({ ...one, ...rest, causeKey: `created:${one.customerId}` })),
  )
  for (const id of ids) await suppressEmail(ctx, id, 'preference')
  if (untold) await holdTransportOrder(ctx, untold)
  // They were planned with their orders, not today.
  await sql`
    update email set "createdAt" = o."createdAt" from "order" o
      where email."ownerKind" = 'order' and email."ownerId" = o.id and email."causeKey" is not null
  `.execute(ctx.db)
  const planned = await ctx.db
    .selectFrom('email')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'planned')
    .where('waitsFor', '=', 'time')
    .executeTakeFirstOrThrow()
  return Number(planned.count) + ids.length + (untold ? 1 : 0)
}
