import { sql, type Kysely } from 'kysely'

/** What is said of a file can be changed: by the version that was read, as with every record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document add column version int not null default 1`.execute(db)
  // The lists of carriers ask for each one whether a paper of theirs runs out.
  await sql`create index on document ("ownerKind", "ownerId", "documentType", "expiredAt")
    where "expiredAt" is not null`.execute(db)
}
