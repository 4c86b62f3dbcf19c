import { sql, type Kysely } from 'kysely'

/**
 * Which columns a saved view shows and which it pins; null in views that were saved before, or that leave them to
 * the person who looks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_view add columns jsonb`.execute(db)
}
