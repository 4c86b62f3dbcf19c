import { sql, type Kysely } from 'kysely'

/**
 * When a mail was given up: that comes a day and a half after it was written where the mail server was away, so that
 * its writing says nothing. Those of before have none; the time of their last try stands in for it. Counted along an
 * index each, because both figures are asked for twice a minute.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email add "failedAt" timestamptz`.execute(db)
  await sql`create index email_failed on email (coalesce("failedAt", "notBefore")) where status = 'failed'`.execute(db)
  await sql`create index email_sent on email ("sentAt") where status = 'sent'`.execute(db)
}
