import { sql, type Kysely } from 'kysely'

/** Invoices that are given out while KSeF is away, and handed over afterwards (decision 088). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ksef_submission
      add column "offlineAt" timestamptz,
      -- code II, signed with the certificate of type 2
      add column "certificateUrl" text,
      -- the next Polish working day after the invoice's date
      add column "submitBy" date,
      -- of a technical correction: the SHA-256 of the file that was given out and rejected
      add column "correctsSha256" text check (length("correctsSha256") = 64),
      add constraint ksef_submission_offline check (
        ("offlineAt" is null) = ("certificateUrl" is null) and ("offlineAt" is null) = ("submitBy" is null)
        and ("offlineAt" is null or mode <> 'file') and ("correctsSha256" is null or "offlineAt" is not null))
  `.execute(db)

  // KSeF's confirmation is kept as the XML is.
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null)
        or exists (select 1 from invoice_paper p where p."documentId" = old.id)
        or exists (select 1 from invoice_artifact a where a."documentId" = old.id)
        or exists (select 1 from ksef_submission s where s."documentId" = old.id or s."upoDocumentId" = old.id) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)

  // What KSeF has rejected and what waits for a number is told where the invoices are.
  await sql`create index on ksef_submission ("invoiceId") where state in ('awaited', 'rejected')`.execute(db)

  // Who looks at invoices sees what KSeF has decided.
  await sql`
    create function tell_ksef_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'invoice', 'ids', json_build_array(new."invoiceId")));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_changed after insert or update of state, "offlineAt" on ksef_submission for each row
    execute function tell_ksef_changes()`.execute(db)

  // What was given out stays: it does not come back, whatever KSeF says of it.
  await sql`
    create or replace function ksef_says("invoice" bigint) returns text language sql stable
      set search_path = public, pg_temp as $$
      select case when "offlineAt" is null then state else 'accepted' end from ksef_submission
      where "invoiceId" = "invoice" and mode <> 'file' order by id desc limit 1
    $$
  `.execute(db)
  await sql`
    create or replace function check_ksef_submission() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if tg_op = 'DELETE'
        or new."invoiceId" <> old."invoiceId" or new.mode <> old.mode or new.printed is distinct from old.printed
        or new."createdAt" <> old."createdAt" or new."correctsSha256" is distinct from old."correctsSha256"
        or (old."documentId" is not null and (new."documentId" is distinct from old."documentId"
          or new.sha256 is distinct from old.sha256 or new."madeAt" is distinct from old."madeAt"))
        or (old.state in ('accepted', 'without', 'rejected') and to_jsonb(new) is distinct from to_jsonb(old))
        or (new.state <> old.state and (old.state, new.state) not in (('awaited', 'accepted'), ('awaited', 'without'),
          ('queued', 'submitted'), ('submitted', 'accepted'), ('submitted', 'rejected'), ('submitted', 'queued')))
        or (row(new."offlineAt", new."certificateUrl", new."submitBy")
            is distinct from row(old."offlineAt", old."certificateUrl", old."submitBy")
          and (old."offlineAt" is not null or old.state <> 'queued' or old."documentId" is null))
      then
        perform refuse_frozen('what KSeF was given of invoice ' || old."invoiceId");
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
}
