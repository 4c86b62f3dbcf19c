import { sql, type Kysely } from 'kysely'

/** Links by which carriers hand in their papers, and what came through them (decision 071). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table department add column "isNeutral" boolean not null default false`.execute(db)
  // Routes and assignments go when an order is saved without them: what was sent through their link stays.
  await sql`
    create table upload_link (
      id bigint generated always as identity primary key,
      "orderId" bigint not null references "order" on delete cascade,
      "routeId" bigint not null,
      "assignmentId" bigint not null,
      "carrierCompanyId" bigint not null references carrier_company,
      nonce bytea not null check (length(nonce) = 16),
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "expiresAt" timestamptz not null check ("expiresAt" > "createdAt"),
      "revokedAt" timestamptz,
      "revokedById" bigint references "user",
      "sentAt" timestamptz,
      "openedFirstAt" timestamptz,
      "openedLastAt" timestamptz,
      "openedCount" int not null default 0 check ("openedCount" >= 0),
      "invoiceId" bigint references invoice on delete set null,
      check (("openedFirstAt" is null) = ("openedCount" = 0)),
      check (("openedFirstAt" is null) = ("openedLastAt" is null))
    )
  `.execute(db)
  await sql`create unique index "conflict__upload_link" on upload_link ("assignmentId")
    where "revokedAt" is null`.execute(db)
  await sql`create index on upload_link ("orderId")`.execute(db)
  await sql`create index on upload_link ("routeId")`.execute(db)
  await sql`create index on upload_link ("carrierCompanyId")`.execute(db)
  await sql`create index on upload_link ("invoiceId") where "invoiceId" is not null`.execute(db)
  await sql`create index on upload_link ("createdById")`.execute(db)
  await sql`create index on upload_link ("revokedById")`.execute(db)

  await sql`
    create table upload_file (
      id bigint generated always as identity primary key,
      "linkId" bigint not null references upload_link on delete cascade,
      kind text not null check (kind in ('pod', 'invoice')),
      state text not null default 'draft' check (state in ('draft', 'submitted')),
      title text not null,
      "contentType" text not null,
      "sizeBytes" bigint not null,
      sha256 text not null,
      "receivedSha256" text not null,
      "fileKey" text,
      scan text check (scan in ('clean', 'unscanned')),
      "createdAt" timestamptz not null,
      "submittedAt" timestamptz,
      "documentId" bigint references document on delete set null,
      check ((state = 'draft') = ("fileKey" is not null)),
      check ((state = 'draft') = ("submittedAt" is null)),
      check (state = 'submitted' or "documentId" is null)
    )
  `.execute(db)
  // The same file twice is one, until staff have taken it off the order.
  await sql`create unique index "conflict__upload_file" on upload_file ("linkId", kind, "receivedSha256")
    where state = 'draft' or "documentId" is not null`.execute(db)
  await sql`create index on upload_file ("documentId") where "documentId" is not null`.execute(db)
  await sql`create index on upload_file ("fileKey") where "fileKey" is not null`.execute(db)
  await sql`create index on upload_file ("createdAt") where state = 'draft'`.execute(db)

  // Calls of a link and wrong links of an address, by the minute.
  await sql`
    create table upload_try (
      subject text not null,
      minute timestamptz not null,
      count int not null,
      primary key (subject, minute)
    )
  `.execute(db)

  await sql`
    create function keep_upload_link() returns trigger language plpgsql as $$
    begin
      if row(old."orderId", old."routeId", old."assignmentId", old."carrierCompanyId", old.nonce, old."tokenHash",
          old."createdAt", old."expiresAt")
        is distinct from row(new."orderId", new."routeId", new."assignmentId", new."carrierCompanyId", new.nonce,
          new."tokenHash", new."createdAt", new."expiresAt")
        or (old."revokedAt" is not null and old."revokedAt" is distinct from new."revokedAt")
        or old."openedCount" > new."openedCount"
      then
        raise exception 'a link stays as it was made' using constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep_upload_link before update on upload_link
    for each row execute function keep_upload_link()`.execute(db)
  // What was sent is told by nobody but the row: it stays, and says so of a file that was taken away since.
  await sql`
    create function keep_upload_file() returns trigger language plpgsql as $$
    begin
      if old.state = 'draft' then
        return case when tg_op = 'DELETE' then old else new end;
      end if;
      if tg_op = 'DELETE' then
        raise exception 'what a carrier sent stays' using constraint = 'conflict';
      end if;
      if new."documentId" is not null and new."documentId" is distinct from old."documentId"
        or row(old."linkId", old.kind, old.state, old.title, old."contentType", old."sizeBytes", old.sha256,
          old."receivedSha256", old."createdAt", old."submittedAt")
        is distinct from row(new."linkId", new.kind, new.state, new.title, new."contentType", new."sizeBytes",
          new.sha256, new."receivedSha256", new."createdAt", new."submittedAt")
      then
        raise exception 'what a carrier sent stays' using constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep_upload_file before update or delete on upload_file
    for each row execute function keep_upload_file()`.execute(db)

  // Opened and arrived are changes of the order for those who have it open (decision 031).
  await sql`
    create function tell_upload_changes() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes',
        json_build_object('kind', 'order', 'ids', json_build_array(new."orderId"))::text);
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_upload_links after insert or update on upload_link
    for each row execute function tell_upload_changes()`.execute(db)
}
