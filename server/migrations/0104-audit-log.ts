import { sql, type Kysely } from 'kysely'

/** Everything that was done is read by time, by who did it, and by who got in or took out a file (decision 102). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on audit_entry (at desc, id desc)`.execute(db)
  await sql`create index on audit_entry ("actorId", at desc, id desc)`.execute(db)
  await sql`create index audit_entry_access on audit_entry (at desc, id desc)
    where action in ('signedIn', 'signInRefused', 'codeRefused', 'exported')`.execute(db)
}
