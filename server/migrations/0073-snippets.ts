import { sql, type Kysely } from 'kysely'

/** Paragraphs that a department keeps under a name, to put them into other texts (decision 070). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_snippet (
      id bigint generated always as identity primary key,
      version int not null,
      "departmentId" bigint not null references department on delete cascade,
      name text not null check (length(name) between 1 and 80),
      language text not null check (language in ('en', 'de', 'pl')),
      text jsonb not null,
      "editedAt" timestamptz not null,
      "editedById" bigint references "user"
    )
  `.execute(db)
  // Named after the error that it answers with (decision 007).
  await sql`create unique index "taken__name__mail_snippet"
    on mail_snippet ("departmentId", search_key(name))`.execute(db)
  await sql`create index on mail_snippet ("editedById")`.execute(db)
}
