import { sql } from 'kysely'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import './user.table.ts'

/**
 * Takes from a colleague who has left what says who it is, and what they signed in with, in the caller's transaction.
 * No mail reaches the address that is left.
 */
export async function makeUserAnonymous(ctx: Ctx, { id, name }: { id: number; name: string }): Promise<void> {
  await sql`
    update "user" set "fullName" = ${name}, email = ${`anonymous-${id}@waybill.invalid`}, phone = null,
        "plateNumber" = null, "passwordHash" = null, "anonymousSince" = ${nowOf(ctx)}, version = version + 1
      where id = ${id}
  `.execute(ctx.db)
  for (const table of ['two_factor', 'passkey'] as const)
    await ctx.db.deleteFrom(table).where('userId', '=', id).execute()
  await audit(ctx, { ownerKind: 'user', ownerId: id, action: 'madeAnonymous', after: { person: name } })
  await tell(ctx, { type: 'user.renamed', userId: id })
}
