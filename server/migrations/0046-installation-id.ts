import { sql, type Kysely } from 'kysely'

/** What this installation is called where it keeps files, so that no other one clears them away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table installation_id (id uuid primary key)`.execute(db)
  await sql`create unique index on installation_id ((true))`.execute(db)
  await sql`insert into installation_id values (gen_random_uuid())`.execute(db)
}
