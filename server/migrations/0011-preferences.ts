import { sql, type Kysely } from 'kysely'

/** How a person wants the screens to look, and the views that people have saved (domain, People and rights). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_preference (
      "userId" bigint primary key references "user" on delete cascade,
      value jsonb not null default '{}'
    )
  `.execute(db)
  await sql`
    create table saved_view (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "userId" bigint not null references "user" on delete cascade,
      list text not null,
      name text not null,
      query text not null,
      "sharedWith" text not null,
      "createdAt" timestamptz not null
    )
  `.execute(db)
  await sql`create unique index "taken__name__saved_view" on saved_view ("userId", list, lower(name))`.execute(db)
  await sql`create index on saved_view ("sharedWith", list)`.execute(db)
}
