import { sql, type Kysely } from 'kysely'

/** When backups were made and what came of them: read by who watches, and by the job that makes the next one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backup_run (
      id bigint generated always as identity primary key,
      "isScheduled" boolean not null,
      place text not null,
      "beganAt" timestamptz not null,
      "endedAt" timestamptz not null,
      -- the backup; null: it failed, and the error says why
      manifest text,
      error text,
      check ((manifest is null) = (error is not null))
    )
  `.execute(db)
  await sql`create index on backup_run ("beganAt")`.execute(db)
}
