import { sql, type RawBuilder } from 'kysely'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context.ts'

/** Which orders a query may touch: a condition over the table "order". Every order query takes one (design §3, Row rules). */
export type OrderCondition = RawBuilder<boolean>

/**
 * The orders that the caller may know of. ORDERS_MANAGEMENT: all. ASSIGNED_ORDERS: those that the caller is a manager of (domain, People and rights).
 * The administrators' company filter narrows by the department's company.
 */
export function visibleOrders(ctx: Ctx): OrderCondition {
  const actor = actorOf(ctx)
  const conditions: OrderCondition[] = []
  if (!hasPermission(actor, 'ORDERS_MANAGEMENT')) conditions.push(hasPermission(actor, 'ASSIGNED_ORDERS') ? managedBy([actor.userId]) : sql<boolean>`false`)
  if (ctx.companyFilter !== null) conditions.push(sql<boolean>`"order"."departmentId" in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Orders that one of these users is a manager of. */
export const managedBy = (userIds: readonly number[]): OrderCondition =>
  sql<boolean>`exists (select 1 from order_manager m where m."orderId" = "order".id and m."userId" = any(${userIds}::bigint[]))`

/** The one order, whoever asks: for what the system does itself, and for the answer to a save that was allowed. */
export const orderWithId = (id: number): OrderCondition => sql<boolean>`"order".id = ${id}`
