import { sql, type RawBuilder } from 'kysely'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'

/**
 * The mails that the caller may know of. ORDERS_MANAGEMENT: all, of any company, for a mail has none yet.
 * ASSIGNED_ORDERS: those assigned to the caller, or brought in by the caller.
 */
export function visibleMails(ctx: Ctx): RawBuilder<boolean> {
  const actor = actorOf(ctx)
  if (hasPermission(actor, 'ORDERS_MANAGEMENT')) return sql<boolean>`true`
  return sql<boolean>`${actor.userId} in (intake_mail."assignedToId", intake_mail."broughtInById")`
}
