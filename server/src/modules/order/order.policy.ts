import { sql, type RawBuilder } from 'kysely'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'

/**
 * Which orders a query may touch: a condition over the table "order". Every order query takes one (design §3, Row
 * rules).
 */
export type OrderCondition = RawBuilder<boolean>

/**
 * How a list of ids stands in a condition: `known` to the planner, which then counts on their being common or rare,
 * or not.
 */
export type Ids = (ids: readonly number[]) => RawBuilder<unknown>
const knownIds: Ids = (ids) => sql`${ids}::bigint[]`
/**
 * Behind a sub-select the planner takes them for rare, and goes by their index: right for what gathers few rows and
 * stops at many.
 */
export const unknownIds: Ids = (ids) => sql`(select ${ids}::bigint[])`

/**
 * The orders that the caller may know of. ORDERS_MANAGEMENT: all. ASSIGNED_ORDERS: those that the caller is a manager
 * of (domain, People and rights). The administrators' company filter narrows by the department's company.
 */
export function visibleOrders(ctx: Ctx, idsAre: Ids = knownIds, inCompany = ofCompany): OrderCondition {
  const actor = actorOf(ctx)
  const conditions: OrderCondition[] = []
  if (!hasPermission(actor, 'ORDERS_MANAGEMENT'))
    conditions.push(hasPermission(actor, 'ASSIGNED_ORDERS') ? managedBy([actor.userId], idsAre) : sql<boolean>`false`)
  if (ctx.companyFilter !== null) conditions.push(inCompany(ctx))
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The orders of one company where an administrator has set the global filter, else all. */
export const ofCompany = (ctx: Ctx): OrderCondition =>
  ctx.companyFilter === null
    ? sql<boolean>`true`
    : sql<boolean>`"order"."departmentId" in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`

/** The same where each order is asked about by its id: the departments are read once for all of them. */
export const ofItsDepartments = (ctx: Ctx): OrderCondition =>
  sql<boolean>`"order"."departmentId" = any(array(
    select d.id from department d where d."companyId" = ${ctx.companyFilter}))`

/** Orders that one of these users is a manager of. */
export const managedBy = (userIds: readonly number[], idsAre: Ids = knownIds): OrderCondition =>
  shares('managerIds', userIds, idsAre)

/** Orders of which one of these is a customer, a manager, a carrier. */
export const shares = (
  column: 'customerIds' | 'managerIds' | 'carrierCompanyIds',
  ids: readonly number[],
  idsAre: Ids = knownIds,
): OrderCondition => sql<boolean>`${sql.ref(`order.${column}`)} && ${idsAre(ids)}`

/** True where the caller sees the orders of a few people alone. */
export const seesOwnOrdersOnly = (ctx: Ctx): boolean => !hasPermission(actorOf(ctx), 'ORDERS_MANAGEMENT')

/** The caller's orders as a list asks for them, once in each way of giving ids. */
export type OrderScope = (idsAre?: Ids) => OrderCondition
export const scopeOf =
  (ctx: Ctx): OrderScope =>
  (idsAre) =>
    visibleOrders(ctx, idsAre)

/**
 * The one order, no matter who asks: for what the system does itself, and for the answer to a save that was allowed.
 */
export const ordersWithIds = (ids: readonly number[]): OrderCondition =>
  sql<boolean>`"order".id = any(${[...ids]}::bigint[])`

export const orderWithId = (id: number): OrderCondition => sql<boolean>`"order".id = ${id}`
