import { sql, type Kysely } from 'kysely'

/** Invoices of companies in Poland go through KSeF, as a file or through its interface (decision 087). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company add column "ksefMode" text not null default 'off'
    constraint company_ksef_mode check ("ksefMode" in ('off', 'file', 'test', 'production'))`.execute(db)
  await sql`update company set "ksefMode" = 'file' from country k where k.id = company."countryId" and k.code = 'PL'
  `.execute(db)

  // The euro in NBP's table A, in ten-thousandths of a złoty. Invoices keep the rate that they took.
  await sql`
    create table nbp_rate (
      day date primary key,
      "tableNumber" text not null,
      "rateE4" int not null check ("rateE4" > 0),
      "enteredById" bigint references "user",
      "enteredAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on nbp_rate ("enteredById")`.execute(db)

  await sql`
    create table ksef_submission (
      id bigint generated always as identity primary key,
      "invoiceId" bigint not null references invoice,
      mode text not null check (mode in ('file', 'test', 'production')),
      state text not null check (state in ('awaited', 'without', 'queued', 'submitted', 'accepted', 'rejected')),
      -- the FA(3) as it is handed over
      "documentId" bigint unique references document,
      sha256 text check (length(sha256) = 64),
      "madeAt" timestamptz,
      number text constraint "taken__number__ksef_submission" unique,
      "decidedAt" timestamptz,
      "decidedById" bigint references "user",
      reason text,
      "createdAt" timestamptz not null,
      check (("documentId" is null) = (sha256 is null) and ("documentId" is null) = ("madeAt" is null)),
      check ((state = 'accepted') = (number is not null)),
      check (state <> 'awaited' or mode = 'file')
    )
  `.execute(db)
  // Of an invoice one stands; those that were rejected stay behind it.
  await sql`create unique index "conflict__ksef_submission" on ksef_submission ("invoiceId")
    where state <> 'rejected'`.execute(db)
  await sql`create index on ksef_submission ("invoiceId", id)`.execute(db)
  await sql`create index on ksef_submission ("decidedById")`.execute(db)

  // The XML is named once, and what was decided stays.
  await sql`
    create function check_ksef_submission() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'DELETE'
        or new."invoiceId" <> old."invoiceId" or new.mode <> old.mode or new."createdAt" <> old."createdAt"
        or (old."documentId" is not null and (new."documentId" is distinct from old."documentId"
          or new.sha256 is distinct from old.sha256 or new."madeAt" is distinct from old."madeAt"))
        or (old.state in ('accepted', 'without', 'rejected') and to_jsonb(new) is distinct from to_jsonb(old))
        or (new.state <> old.state and (old.state, new.state) not in (('awaited', 'accepted'), ('awaited', 'without'),
          ('queued', 'submitted'), ('submitted', 'accepted'), ('submitted', 'rejected'), ('submitted', 'queued')))
      then
        perform refuse_frozen('what KSeF was given of invoice ' || old."invoiceId");
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen before update or delete on ksef_submission for each row
    execute function check_ksef_submission()`.execute(db)
  await sql`create trigger frozen_truncate before truncate on ksef_submission for each statement
    execute function refuse_truncate()`.execute(db)
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null)
        or exists (select 1 from invoice_paper p where p."documentId" = old.id)
        or exists (select 1 from invoice_artifact a where a."documentId" = old.id)
        or exists (select 1 from ksef_submission s where s."documentId" = old.id) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
}
