import { sql } from 'kysely'
import type { IntakeMailbox, MailboxFault } from '@waybill/contract/intake/intake'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import '../intake.table.ts'

/** Notes how a visit went; a fault is dated from its first visit on, and leaves what was counted before. */
export async function noteVisit(ctx: Ctx, seen: { refusedCount: number } | { fault: MailboxFault }): Promise<void> {
  const now = nowOf(ctx)
  const fault = 'fault' in seen ? seen.fault : null
  const counted = 'fault' in seen ? {} : { refusedCount: seen.refusedCount }
  const row = { readAt: fault === null ? now : null, fault, faultSince: fault === null ? null : now }
  await ctx.db
    .insertInto('intake_mailbox')
    .values({ id: 1, ...row, ...counted })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        readAt: sql`coalesce(excluded."readAt", intake_mailbox."readAt")`,
        ...counted,
        fault,
        faultSince: fault === null ? null : sql`coalesce(intake_mailbox."faultSince", excluded."faultSince")`,
      }),
    )
    .execute()
}

/** The mailbox and how its last visit went; null where none is set. */
export async function mailboxState(ctx: Ctx): Promise<IntakeMailbox | null> {
  const { mailbox } = ctx.ports
  if (mailbox === null) return null
  const state = await ctx.db
    .selectFrom('intake_mailbox')
    .select(['readAt', 'fault', 'faultSince', 'refusedCount'])
    .executeTakeFirst()
  const { name, refusedFolder } = mailbox
  return { name, refusedFolder, ...(state ?? { readAt: null, fault: null, faultSince: null, refusedCount: 0 }) }
}
