import type { Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import './email.table.ts'

/**
 * Deletes mails of which nothing more comes, with their tries; in the caller's transaction. Gives what they were for,
 * by the id of their order, so that it is not planned anew.
 */
export async function deleteEmails(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string[]>> {
  const mails = await ctx.db
    .deleteFrom('email')
    .where('id', 'in', ids)
    .returning(['ownerKind', 'ownerId', 'causeKey'])
    .execute()
  const causes = new Map<number, string[]>()
  for (const [, ofOwner] of Map.groupBy(mails, ({ ownerKind, ownerId }) => `${ownerKind} ${ownerId}`)) {
    const [{ ownerKind, ownerId }] = ofOwner as [(typeof mails)[number]]
    await audit(ctx, { ownerKind, ownerId, action: 'mailsDeleted', after: { count: ofOwner.length } })
    const keys = ofOwner.flatMap(({ causeKey }) => causeKey ?? [])
    if (ownerKind === 'order' && keys.length > 0) causes.set(ownerId, keys)
  }
  return causes
}
