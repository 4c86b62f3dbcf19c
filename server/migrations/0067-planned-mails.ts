import { sql, type Kysely } from 'kysely'

/** Mails that an order wants by itself, with their time, and why one does not go (decision 063). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table email
      add column variant text,
      add column "waitsFor" text,
      add column reason text,
      add column missing text[] not null default '{}',
      add column "isAutomatic" boolean not null default false,
      add column "causeKey" text,
      add column told text,
      add column "routeId" bigint references route on delete set null,
      add column "locationId" bigint references location on delete set null,
      add column "customerId" bigint references customer on delete set null,
      add column "replyTo" text,
      add column "hasLogo" boolean not null default false
  `.execute(db)
  await sql`update email set "waitsFor" = 'document' where status = 'planned'`.execute(db)
  await sql`alter table email drop constraint if exists email_status_check`.execute(db)
  // One mail of one cause: two saves at once make no second one.
  await sql`create unique index email_cause on email ("ownerKind", "ownerId", "causeKey")
    where "causeKey" is not null`.execute(db)
  await sql`create index on email ("notBefore", id) where status = 'planned' and "waitsFor" = 'time'`.execute(db)
  // Those never tried leave in the order of their time.
  await sql`create index on email ("notBefore", id) where status = 'queued' and tries = 0`.execute(db)
  await sql`create index on email ("routeId") where "routeId" is not null`.execute(db)
  await sql`create index on email ("locationId") where "locationId" is not null`.execute(db)
  await sql`create index on email ("customerId") where "customerId" is not null`.execute(db)
  // Proofs of delivery count once they are accepted; those from before this are, and were told of elsewhere.
  await sql`alter table document add column acceptance text, add column "acceptedAt" timestamptz`.execute(db)
  await sql`update document set acceptance = 'accepted' where "documentType" = 'PROOF_OF_DELIVERY'`.execute(db)
  // Null on orders that were there before; what they had come to by then is written down when they next change.
  await sql`alter table "order" add column "mailsPassed" text[]`.execute(db)
  await sql`alter table "order" alter column "mailsPassed" set default '{}'`.execute(db)
}
