import { sql, type Kysely } from 'kysely'

/** Secret keys have numbers, and those before the newest are kept, sealed with it (decision 137). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table secret_key_check add column number int not null default 1,
    add column "changedAt" timestamptz`.execute(db)
  await sql`
    create table former_secret_key (
      number int primary key,
      sealed bytea not null,
      "retiredAt" timestamptz not null
    )
  `.execute(db)
}
