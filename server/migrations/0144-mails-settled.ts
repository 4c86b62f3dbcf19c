import { sql, type Kysely } from 'kysely'

/**
 * When the words of a mail were fixed, or when it was let go: one that was let go and planned anew leaves after others
 * that were written down later, so the last number is not the last word. Those of before have none and stand by when
 * they were written down; what carriers were told is put in order, because it says what they have in hand. A mail is
 * written when it is due, and a failed try moves that on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email add "settledAt" timestamptz`.execute(db)
  await sql`
    update email set "settledAt" = greatest("createdAt", least("notBefore", "sentAt",
      (select min(attempt.at) from email_try attempt where attempt."emailId" = email.id)))
    where type = 'order_resolved' and "causeKey" is not null and status in ('queued', 'waiting', 'sent', 'failed')
  `.execute(db)
}
