import { sql, type Kysely } from 'kysely'

/** What people could do until lately: who takes rights away does not become master of the account (decision 042). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table held_right (
      id bigint generated always as identity primary key,
      "userId" bigint not null references "user" on delete cascade,
      permissions text[] not null,
      "isAdmin" boolean not null,
      until timestamptz not null
    )
  `.execute(db)
  await sql`create index on held_right ("userId", until)`.execute(db)
}
