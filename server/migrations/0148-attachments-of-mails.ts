import { sql, type Kysely } from 'kysely'

/** The attachments of a mail as they lie in its file, each to be opened by itself (decision 152). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table intake_mail add column attachments jsonb not null default '[]'`.execute(db)
}
