import { sql, type Kysely } from 'kysely'

/** What the virus scanner said of a file when it came; empty where none was asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table document add column scan text
      constraint document_scan check (scan in ('clean', 'unscanned'))
  `.execute(db)
}
