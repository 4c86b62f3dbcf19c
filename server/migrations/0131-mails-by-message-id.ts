import { sql, type Kysely } from 'kysely'

/** What makes two mails the same, what a mail lost on the way in, and which mails were filed (decision 128). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Of a mail without a Message-ID; equal words alone are no proof.
  await sql`alter table intake_mail add column "sameKey" text check (length("sameKey") = 64)`.execute(db)
  await sql`update intake_mail set "sameKey" = "textHash" where "messageId" is null`.execute(db)
  await sql`create unique index "conflict__sameKey__mail_known" on intake_mail ("sameKey")
    where "sameKey" is not null`.execute(db)
  await sql`drop index "conflict__text__mail_known"`.execute(db)
  await sql`create index intake_mail_same_text on intake_mail ("textHash", id)`.execute(db)

  // The text was longer than is kept; the file has all of it.
  await sql`alter table intake_mail add column "isCut" boolean not null default false`.execute(db)
  await sql`alter table intake_mailbox
    add column "refusedCount" int not null default 0 check ("refusedCount" >= 0)`.execute(db)

  // A draft that was filed with an order which was there: it did not become that order.
  await sql`alter table intake_order add column "isFiled" boolean not null default false`.execute(db)
  await sql`update intake_order set "isFiled" = true where position is null`.execute(db)
  await sql`drop index "conflict__orderId__mail_filed"`.execute(db)
  await sql`create unique index "conflict__orderId__mail_filed" on intake_order ("mailId", "orderId")
    where position is null`.execute(db)
}
