import { sql, type Kysely } from 'kysely'

/** What a department says in its mails, where it differs from the texts that come with the product (decision 062). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table department add column phone text, add column email text`.execute(db)
  await sql`alter table contact_person add column "lastName" text, add column "academicTitle" text`.execute(db)
  await sql`
    create table email_template (
      id bigint generated always as identity primary key,
      version int not null,
      "departmentId" bigint not null references department on delete cascade,
      type text not null,
      variant text,
      name text,
      language text not null,
      subject jsonb not null,
      blocks jsonb not null,
      "replyTo" text not null,
      "isOn" boolean not null,
      "editedAt" timestamptz not null,
      "editedById" bigint references "user",
      check ((variant is null) = (name is not null))
    )
  `.execute(db)
  // Named after the error that it answers with (decision 007).
  await sql`create unique index "taken__name__email_template"
    on email_template ("departmentId", search_key(name), language) where name is not null`.execute(db)
  await sql`create unique index email_template_key
    on email_template ("departmentId", type, variant, language) where name is null`.execute(db)
  await sql`create index on email_template ("editedById")`.execute(db)
  // What a text said before; it outlives the way back to the standard.
  await sql`
    create table email_template_version (
      "departmentId" bigint not null references department on delete cascade,
      key text not null,
      version int not null,
      subject jsonb not null,
      blocks jsonb not null,
      "replyTo" text not null,
      "isOn" boolean not null,
      "editedAt" timestamptz not null,
      "editedById" bigint references "user",
      primary key ("departmentId", key, version)
    )
  `.execute(db)
  await sql`create index on email_template_version ("editedById")`.execute(db)
}
