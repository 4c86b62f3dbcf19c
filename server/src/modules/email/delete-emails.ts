import { sql } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import { audit, emptyHistory } from '../../kit/records/audit.ts'
import './email.table.ts'

/**
 * Deletes mails of which nothing more comes, with their tries, and what the history says of them; in the caller's
 * transaction. Gives what they were for, by the id of their order, so that it is not planned anew.
 */
export async function deleteEmails(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string[]>> {
  const mails = await ctx.db
    .deleteFrom('email')
    .where('id', 'in', ids)
    .returning(['ownerKind', 'ownerId', 'causeKey'])
    .execute()
  const causes = new Map<number, string[]>()
  const owners: Owner[] = []
  for (const [, ofOwner] of Map.groupBy(mails, ({ ownerKind, ownerId }) => `${ownerKind} ${ownerId}`)) {
    const [{ ownerKind, ownerId }] = ofOwner as [(typeof mails)[number]]
    await audit(ctx, { ownerKind, ownerId, action: 'mailsDeleted', after: { count: ofOwner.length } })
    const keys = ofOwner.flatMap(({ causeKey }) => causeKey ?? [])
    if (ownerKind === 'order' && keys.length > 0) causes.set(ownerId, keys)
    owners.push({ ownerKind, ownerId })
  }
  await forgetInHistory(ctx, owners)
  return causes
}

interface Owner {
  ownerKind: string
  ownerId: number
}

/** To whom mails left with which subject, as far back as the owner has none left. */
async function forgetInHistory(ctx: Ctx, owners: readonly Owner[]): Promise<void> {
  const { rows } = await sql<Owner & { until: string | null }>`
    select owner."ownerKind", owner."ownerId",
        (select min(e."createdAt") from email e
          where e."ownerKind" = owner."ownerKind" and e."ownerId" = owner."ownerId") as until
      from jsonb_to_recordset(${JSON.stringify(owners)}::jsonb) owner ("ownerKind" text, "ownerId" bigint)
  `.execute(ctx.db)
  await emptyHistory(
    ctx,
    rows.map((owner) => ({ ...owner, paths: ['to', 'subject', 'from'] })),
  )
}
