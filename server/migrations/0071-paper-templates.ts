import { sql, type Kysely } from 'kysely'

/** What a department says on its documents beside, or in place of, the text that comes with the product (067). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table paper_template (
      "departmentId" bigint not null references department on delete cascade,
      type text not null,
      language text not null,
      version int not null,
      mode text not null,
      body jsonb not null,
      "editedAt" timestamptz not null,
      "editedById" bigint references "user",
      primary key ("departmentId", type, language)
    )
  `.execute(db)
  await sql`create index on paper_template ("editedById")`.execute(db)
  // What a text said before; it outlives the way back to the standard.
  await sql`
    create table paper_template_version (
      "departmentId" bigint not null references department on delete cascade,
      key text not null,
      version int not null,
      mode text not null,
      body jsonb not null,
      "editedAt" timestamptz not null,
      "editedById" bigint references "user",
      primary key ("departmentId", key, version)
    )
  `.execute(db)
  await sql`create index on paper_template_version ("editedById")`.execute(db)
}
