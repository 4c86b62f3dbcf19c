import { sql, type Kysely } from 'kysely'

/** Links by which drivers tell what happens at the stops of their route, and what they told (decision 109). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Routes, stops and assignments go when an order is saved without them: what was told of them stays.
  await sql`
    create table driver_link (
      id bigint generated always as identity primary key,
      "orderId" bigint not null references "order" on delete cascade,
      "routeId" bigint not null,
      "assignmentId" bigint not null,
      -- null: our own fleet
      "carrierCompanyId" bigint references carrier_company,
      nonce bytea not null check (length(nonce) = 16),
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "revokedAt" timestamptz,
      "revokedById" bigint references "user"
    )
  `.execute(db)
  await sql`create unique index "conflict__driver_link" on driver_link ("routeId")
    where "revokedAt" is null`.execute(db)
  await sql`create index on driver_link ("orderId")`.execute(db)
  await sql`create index on driver_link ("carrierCompanyId") where "carrierCompanyId" is not null`.execute(db)
  await sql`create index on driver_link ("createdById")`.execute(db)
  await sql`create index on driver_link ("revokedById")`.execute(db)

  await sql`
    create function keep_driver_link() returns trigger language plpgsql as $$
    begin
      if row(old."orderId", old."routeId", old."assignmentId", old."carrierCompanyId", old.nonce, old."tokenHash",
          old."createdAt", old."createdById")
        is distinct from row(new."orderId", new."routeId", new."assignmentId", new."carrierCompanyId", new.nonce,
          new."tokenHash", new."createdAt", new."createdById")
        or (old."revokedAt" is not null and old."revokedAt" is distinct from new."revokedAt")
      then
        raise exception 'a link stays as it was made' using constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep_driver_link before update on driver_link
    for each row execute function keep_driver_link()`.execute(db)

  await sql`
    create table driver_report (
      id bigint generated always as identity primary key,
      "orderId" bigint not null references "order" on delete cascade,
      "linkId" bigint not null references driver_link on delete cascade,
      "routeId" bigint not null,
      "locationId" bigint not null,
      key text not null check (key ~ '^[0-9a-f]{32}$'),
      kind text not null check (kind in
        ('arrived', 'loaded', 'unloaded', 'remark', 'damage', 'cmr', 'pallets', 'damagePicture', 'signature')),
      at timestamptz not null,
      "receivedAt" timestamptz not null,
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      "accuracyM" int check ("accuracyM" >= 0),
      text text,
      "signedBy" text,
      "documentId" bigint references document on delete set null,
      "isWritten" boolean not null default false,
      check (num_nonnulls(latitude, longitude, "accuracyM") in (0, 3)),
      check ((text is not null) or kind not in ('remark', 'damage')),
      check (("signedBy" is not null) = (kind = 'signature')),
      check (not "isWritten" or kind in ('arrived', 'loaded', 'unloaded'))
    )
  `.execute(db)
  // The telephone's own id: what it sends twice is one.
  await sql`create unique index "conflict__driver_report" on driver_report ("linkId", key)`.execute(db)
  await sql`create unique index "already_told__kind" on driver_report ("locationId", kind)
    where kind in ('arrived', 'loaded', 'unloaded')`.execute(db)
  await sql`create index on driver_report ("routeId", id)`.execute(db)
  await sql`create index on driver_report ("orderId")`.execute(db)
  await sql`create index on driver_report ("documentId") where "documentId" is not null`.execute(db)

  // Who has the order open sees a link that was made or revoked, and what came by it (decision 031).
  await sql`
    create function tell_driver_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array(new."orderId")));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_driver_links after insert or update on driver_link
    for each row execute function tell_driver_changes()`.execute(db)
  await sql`create trigger tell_driver_reports after insert on driver_report
    for each row execute function tell_driver_changes()`.execute(db)
}
