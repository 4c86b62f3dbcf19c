import { sql, type RawBuilder } from 'kysely'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'

/**
 * The mails that the caller may know of. ORDERS_MANAGEMENT: all, of any company, for a mail has none yet.
 * ASSIGNED_ORDERS: those assigned to the caller, or brought in by the caller. `table` is what the query calls them.
 */
export function visibleMails(ctx: Ctx, table = 'intake_mail'): RawBuilder<boolean> {
  const actor = actorOf(ctx)
  if (hasPermission(actor, 'ORDERS_MANAGEMENT')) return sql<boolean>`true`
  return sql<boolean>`${actor.userId} in (${sql.ref(`${table}.assignedToId`)}, ${sql.ref(`${table}.broughtInById`)})`
}
