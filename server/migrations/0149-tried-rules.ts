import { sql, type Kysely } from 'kysely'

/** Which mail taught a rule, and on how many mails of the customer it was tried before it was kept (decision 100). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table learned_rule
      add column "mailId" bigint references intake_mail on delete set null,
      add column "triedCount" int not null default 0 check ("triedCount" >= 0),
      add column "foundCount" int not null default 0,
      add constraint learned_rule_found check ("foundCount" between 0 and "triedCount")
  `.execute(db)
  await sql`create index on learned_rule ("mailId")`.execute(db)
}
