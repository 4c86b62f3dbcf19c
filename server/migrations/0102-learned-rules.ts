import { sql, type Kysely } from 'kysely'

/** Where values stand in a customer's mails, as corrections taught it (decision 100). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table learned_rule (
      id bigint generated always as identity primary key,
      "customerId" bigint not null references customer on delete cascade,
      field text not null,
      -- the words before the value
      label text check (length(label) between 2 and 40),
      position text check (position in ('subject', 'firstLine')),
      "usedCount" int not null default 0 check ("usedCount" >= 0),
      "lastUsedAt" timestamptz,
      "learnedAt" timestamptz not null,
      "learnedById" bigint references "user",
      check (num_nonnulls(label, position) = 1),
      unique ("customerId", field)
    )
  `.execute(db)
  await sql`create index on learned_rule ("learnedById")`.execute(db)
}
