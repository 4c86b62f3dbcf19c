import { sql } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'

/**
 * Deletes order mails with what says which orders and quotes they became, in the caller's transaction; none of the last
 * four years, see `delete_intake_mails` of the database. Gives the keys of their files.
 */
export async function deleteIntakeMails(ctx: Ctx, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ keys: string[] }>`
    select delete_intake_mails(${[...ids]}::bigint[], ${nowOf(ctx)}::timestamptz) as keys
  `.execute(ctx.db)
  return rows[0]!.keys
}
