import { sql } from 'kysely'
import { EXTRA_OF_CANCELED, type ExtraKind } from '@waybill/contract/order/extra'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { refreshExtraSums } from './extra-sums.ts'
import { extraView } from './order-extra.query.ts'
import { extraInHistory, NO_EXTRA } from './order-extra.service.ts'

interface Booking {
  invoiceId: number
  kind: ExtraKind
  note: string | null
  shares: readonly { orderId: number; routeId: number; costCents: number }[]
}

/**
 * Books what a carrier has charged beyond the agreed cost as extras of the orders, approved by that act. The caller
 * holds the locks of the orders; a canceled one has cancellation fees alone.
 */
export async function bookExtras(ctx: Ctx, { invoiceId, kind, note, shares }: Booking): Promise<void> {
  if (shares.length === 0) return
  const at = nowOf(ctx)
  const { userId } = actorOf(ctx)
  const { rows } = await sql<{ id: number; orderId: number }>`
    insert into order_extra ("orderId", "routeId", kind, quantity, unit, "costCents", state, "decidedById", "decidedAt",
      note, "bookedByInvoiceId", "createdById", "createdAt")
    select x."orderId", x."routeId", case when o.status = ${CANCELED_ORDER} then ${EXTRA_OF_CANCELED} else ${kind} end,
      1, 'flat', x."costCents", 'approved', ${userId}::bigint, ${at}::timestamptz, ${note}, ${invoiceId}::bigint,
      ${userId}::bigint, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(shares)}::jsonb) as x("orderId" bigint, "routeId" bigint,
      "costCents" bigint) join "order" o on o.id = x."orderId"
    returning id, "orderId"
  `.execute(ctx.db)
  await refreshExtraSums(ctx, [...new Set(rows.map(({ orderId }) => orderId))])
  for (const { id, orderId } of rows)
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: orderId,
      action: 'extraBooked',
      before: NO_EXTRA,
      after: extraInHistory(await extraView(ctx, orderId, id)),
    })
}

/**
 * Takes back what the approval of a carrier's invoice has booked. The caller holds the locks of the orders. Error:
 * `conflict` where it is on a customer's invoice by now.
 */
export async function unbookExtras(ctx: Ctx, invoiceId: number): Promise<void> {
  const booked = await ctx.db
    .selectFrom('order_extra')
    .select(['id', 'orderId'])
    .where('bookedByInvoiceId', '=', invoiceId)
    .orderBy('id')
    .execute()
  for (const { id, orderId } of booked) {
    const before = await extraView(ctx, orderId, id)
    if (before.isBilled) throw new AppError('conflict', { fields: [{ path: 'state', code: 'extra_billed' }] })
    await ctx.db.deleteFrom('order_extra').where('id', '=', id).execute()
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: orderId,
      action: 'extraRemoved',
      before: extraInHistory(before),
      after: NO_EXTRA,
    })
  }
  await refreshExtraSums(ctx, [...new Set(booked.map(({ orderId }) => orderId))])
}
