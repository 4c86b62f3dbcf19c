import { sql, type Kysely } from 'kysely'

/** Stored files and the outbox of mails. Both belong to a record by kind and id; its rule decides who sees them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table document (
      id bigint generated always as identity primary key,
      "ownerKind" text not null,
      "ownerId" bigint not null,
      "documentType" text not null,
      title text not null,
      "contentType" text not null,
      "sizeBytes" bigint not null,
      sha256 text not null,
      "fileKey" text not null unique,
      "expiredAt" date,
      "orderCarrier" bigint references assignment on delete set null,
      "userId" bigint references "user",
      "createdAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on document ("ownerKind", "ownerId", id desc)`.execute(db)

  await sql`
    create table email (
      id bigint generated always as identity primary key,
      "ownerKind" text not null,
      "ownerId" bigint not null,
      type text not null,
      status text not null default 'queued',
      "to" text[] not null,
      cc text[] not null default '{}',
      subject text not null,
      html text not null,
      "messageId" text not null unique,
      tries int not null default 0,
      "lastError" text,
      "notBefore" timestamptz not null,
      "createdById" bigint references "user",
      "createdAt" timestamptz not null,
      "sentAt" timestamptz
    )
  `.execute(db)
  await sql`create index on email ("ownerKind", "ownerId", id desc)`.execute(db)
  await sql`create index on email (status, "notBefore") where status in ('queued', 'waiting')`.execute(db)
  await sql`
    create table email_attachment (
      "emailId" bigint not null references email on delete cascade,
      position int not null,
      "documentId" bigint not null references document,
      primary key ("emailId", position)
    )
  `.execute(db)
  await sql`
    create table email_try (
      id bigint generated always as identity primary key,
      "emailId" bigint not null references email on delete cascade,
      at timestamptz not null,
      "isSent" boolean not null,
      response text
    )
  `.execute(db)
  await sql`create index on email_try ("emailId", id)`.execute(db)
}
