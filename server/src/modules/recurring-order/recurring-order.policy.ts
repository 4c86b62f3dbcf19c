import { sql, type RawBuilder } from 'kysely'
import { ORDER_ACCESS, hasPermission, type Permission } from '@waybill/contract/permissions'
import { actorOf, type Ctx, type OwnerRule } from '../../kit/context/context.ts'
import { titleBy } from '../../kit/records/owners.ts'
import './recurring-order.table.ts'

/**
 * The recurring orders that the caller may know of, a condition over the table `recurring_order`. ORDERS_MANAGEMENT:
 * all. ASSIGNED_ORDERS: those that the caller made or keeps. The administrators' company filter narrows by the
 * department's company.
 */
export function visibleRecurring(ctx: Ctx): RawBuilder<boolean> {
  const actor = actorOf(ctx)
  const conditions: RawBuilder<boolean>[] = []
  if (!hasPermission(actor, 'ORDERS_MANAGEMENT'))
    conditions.push(
      hasPermission(actor, 'ASSIGNED_ORDERS')
        ? sql<boolean>`${actor.userId} in (recurring_order."keeperId", recurring_order."createdById")`
        : sql<boolean>`false`,
    )
  if (ctx.companyFilter !== null)
    conditions.push(
      sql<boolean>`recurring_order."departmentId" in
        (select d.id from department d where d."companyId" = ${ctx.companyFilter})`,
    )
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The history of a recurring order is seen by who may see it. */
export const recurringOrderOwner: OwnerRule = {
  read: ORDER_ACCESS,
  write: ORDER_ACCESS,
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from recurring_order where recurring_order.id = ${ownerId}
      and ${visibleRecurring(ctx)})`,
  title: titleBy('recurring_order', 'title'),
  seesAll: (ctx) => hasPermission(actorOf(ctx), 'ORDERS_MANAGEMENT'),
}

const ORDER_RIGHTS: readonly Permission[] = ['ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS', 'FULL_ACCESS']

/**
 * Whether who keeps a recurring order may make orders now, as a sign-in would find it (decision 028); a condition over
 * the table `recurring_order`.
 */
export const isKept = sql<boolean>`exists (select 1 from "user" u left join user_role r on r.id = u."roleId"
  where u.id = recurring_order."keeperId" and u.state = 'active' and (u."isAdmin"
    or (r."isEnabled" and r.state = 'active' and u."positionTitle" is not null
      and r.permissions && ${[...ORDER_RIGHTS]}::text[])))`
