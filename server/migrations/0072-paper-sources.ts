import { sql, type Kysely } from 'kysely'

/** From which version of an order a paper was made, and what makes it anew (decision 068). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document add column source jsonb`.execute(db)
}
