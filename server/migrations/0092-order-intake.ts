import { sql, type Kysely } from 'kysely'

/** Mails with orders as they came, and which orders they became (decision 093). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table intake_mail (
      id bigint generated always as identity primary key,
      version int not null default 1,
      source text not null check (source in ('paste', 'file', 'mailbox')),
      "messageId" text,
      -- of the text without regard to blanks and case
      "textHash" text not null check (length("textHash") = 64),
      "fromName" text,
      "fromAddress" text,
      subject text,
      -- RFC 3339 with the offset of the mail's header: days that a mail names count by it
      "sentAt" text not null,
      "receivedAt" timestamptz not null,
      text text not null,
      parts jsonb not null default '[]',
      unread jsonb not null default '[]',
      kind text not null check (kind in ('order', 'change', 'cancel', 'other')),
      reading jsonb not null,
      -- what the list shows of the reading
      summary jsonb not null,
      "customerId" bigint references customer on delete set null,
      "fileName" text,
      "fileKey" text,
      "contentType" text,
      state text not null default 'new' check (state in ('new', 'drafted', 'saved', 'not_order')),
      reason text,
      "assignedToId" bigint references "user",
      "broughtInById" bigint references "user",
      "createdAt" timestamptz not null,
      "searchKey" text generated always as (search_key(coalesce(subject, '') || ' ' || coalesce("fromName", '')
        || ' ' || coalesce("fromAddress", '') || ' ' || coalesce("fileName", ''))) stored,
      check (("fileKey" is null) = ("contentType" is null)),
      check (state <> 'drafted' or "assignedToId" is not null)
    )
  `.execute(db)
  await sql`create unique index "conflict__messageId__mail_known" on intake_mail ("messageId")
    where "messageId" is not null`.execute(db)
  await sql`create unique index "conflict__text__mail_known" on intake_mail ("textHash")`.execute(db)
  await sql`create index on intake_mail ("receivedAt" desc, id desc)`.execute(db)
  await sql`create index on intake_mail (state, "receivedAt" desc, id desc)`.execute(db)
  await sql`create index on intake_mail ("assignedToId", "receivedAt" desc, id desc)`.execute(db)
  await sql`create index on intake_mail ("broughtInById", "receivedAt" desc, id desc)`.execute(db)
  await sql`create index on intake_mail using gin ("searchKey" gin_trgm_ops)`.execute(db)
  await sql`create unique index intake_mail_file on intake_mail ("fileKey") where "fileKey" is not null`.execute(db)

  await sql`create index on intake_mail ("customerId")`.execute(db)

  // By whom a mail was sent, and which order of a customer has its number.
  await sql`create index contact_person_email on contact_person (lower(email)) where email is not null`.execute(db)
  await sql`create index contact_person_domain on contact_person (split_part(lower(email), '@', 2))
    where email is not null`.execute(db)
  await sql`create index order_customer_number on "order" ("customerOrderNumber", id desc)
    where "customerOrderNumber" is not null`.execute(db)

  // Each order that a mail holds becomes one order, however many people save it.
  await sql`
    create table intake_order (
      id bigint generated always as identity primary key,
      "mailId" bigint not null references intake_mail,
      -- which order of the mail; null: the mail is about it, and did not become it
      position int check (position >= 0),
      "orderId" bigint not null references "order" on delete cascade,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      constraint "conflict__position__draft_saved" unique ("mailId", position)
    )
  `.execute(db)
  await sql`create index on intake_order ("orderId")`.execute(db)
  await sql`create index on intake_order ("createdById")`.execute(db)
  await sql`create unique index "conflict__orderId__mail_filed" on intake_order ("mailId", "orderId")`.execute(db)
}
