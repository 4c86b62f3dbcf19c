import { sql, type Kysely } from 'kysely'

/** What was wrong with a backup that was made all the same: files that the store had lost, and old ones that stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null where the backup failed, or was made before this was noted.
  await sql`alter table backup_run add column "faultyFiles" integer, add column "thinFault" text`.execute(db)
}
