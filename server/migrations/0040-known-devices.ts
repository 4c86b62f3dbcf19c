import { sql, type Kysely } from 'kysely'

/** Which device has signed in as whom: guesses from elsewhere do not keep its people out (decision 041). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_device (
      hash bytea not null,
      "userId" bigint not null references "user" on delete cascade,
      "lastUsedAt" timestamptz not null,
      primary key (hash, "userId")
    )
  `.execute(db)
  await sql`create index on known_device ("userId")`.execute(db)
}
