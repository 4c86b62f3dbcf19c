import { sql, type Kysely } from 'kysely'

/** How reading the mailbox went last: one row, made by the first visit (decision 118). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table intake_mailbox (
      id smallint primary key default 1 check (id = 1),
      "readAt" timestamptz,
      fault text check (fault in ('unreachable', 'login', 'folder')),
      "faultSince" timestamptz,
      check ((fault is null) = ("faultSince" is null))
    )
  `.execute(db)
}
