import { sql, type RawBuilder } from 'kysely'
import type { Extra } from '@waybill/contract/order/extra'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import './order-extra.table.ts'

/** The line that bills the extra `e`, on an invoice that is not canceled. */
const BILLING_LINE = sql`select line."invoiceId" from invoice_line line
  where line."extraId" = e.id and line."billsExtra"`

async function extrasWhere(ctx: Ctx, condition: RawBuilder<boolean>): Promise<Extra[]> {
  // Who may not see invoices is not told which one it is.
  const seesInvoices = ctx.actor !== null && hasPermission(actorOf(ctx), 'INVOICES_PROCESSING')
  const { rows } = await sql<Extra>`
    select e.id, e.version, e.kind, e.text, e.quantity::double precision as quantity, e.unit, e."priceCents",
      e."costCents", e."netPriceCents", e."netCostCents", e."routeId", e."sourceOrderId", e.state, e."decidedAt",
      e.note, billed.id is not null as "isBilled",
      case when r.id is not null then json_build_object('id', r.id, 'title', o.number || '/' || r.n) end as route,
      case when source.id is not null then json_build_object('id', source.id, 'title', source.number) end
        as "sourceOrder",
      case when u.id is not null then json_build_object('id', u.id, 'title', u."fullName") end as "decidedBy",
      case when billed.id is not null and ${seesInvoices}::boolean
        then json_build_object('id', billed.id, 'title', coalesce(billed.number, billed."innerNumber")) end as invoice
    from order_extra e join "order" o on o.id = e."orderId"
      left join route r on r.id = e."routeId"
      left join "order" source on source.id = e."sourceOrderId"
      left join "user" u on u.id = e."decidedById"
      left join invoice billed on billed.id = (${BILLING_LINE})
    where ${condition} order by e.id
  `.execute(ctx.db)
  return rows
}

/** The extras of an order, and those that a merge's result carries for it. */
export const listExtras = (ctx: Ctx, orderId: number): Promise<Extra[]> =>
  extrasWhere(ctx, sql<boolean>`e."orderId" = ${orderId} or e."sourceOrderId" = ${orderId}`)

/** Approved extras that the carrier of a route is paid, as they were entered: the parts of `extras_owed`. */
export async function extrasOwed(ctx: Ctx, routeId: number): Promise<{ kind: Extra['kind']; netCents: number }[]> {
  const { rows } = await sql<{ kind: Extra['kind']; netCents: number }>`
    select e.kind, e."netCostCents" as "netCents" from extras_owed_of(${routeId}::bigint) e order by e.id
  `.execute(ctx.db)
  return rows
}

/** One extra of one order. Error: `not_found`. */
export async function extraView(ctx: Ctx, orderId: number, extraId: number): Promise<Extra> {
  const [extra] = await extrasWhere(ctx, sql<boolean>`e.id = ${extraId} and e."orderId" = ${orderId}`)
  if (!extra) throw new AppError('not_found')
  return extra
}
