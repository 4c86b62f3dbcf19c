import { sql, type Kysely } from 'kysely'

/** The Waybills that serve this database, each with a sign of life (decision 138). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table node (
      id uuid primary key,
      host text not null,
      port int not null,
      version text not null,
      -- of each setting that has to be the same everywhere a digest that tells nothing of it
      settings jsonb not null,
      "startedAt" timestamptz not null default clock_timestamp(),
      "seenAt" timestamptz not null default clock_timestamp()
    ) with (fillfactor = 50)
  `.execute(db)
}
