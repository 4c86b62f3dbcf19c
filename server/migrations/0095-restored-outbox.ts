import { sql, type Kysely } from 'kysely'

/**
 * What had not left when a backup was made may have left since: after a restore it waits for a word. Of each kind, the
 * last row that came out of the backup; what is written later is not held.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restore_hold (
      kind text primary key,
      "lastId" bigint not null,
      "backupAt" timestamptz not null,
      "restoredAt" timestamptz not null
    )
  `.execute(db)
}
