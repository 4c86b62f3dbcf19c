import { sql, type Kysely } from 'kysely'

/** Invoices of companies in Poland go through KSeF, as a file or through its interface (decision 085). */
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
      -- of one that goes through the interface: what its paper will show once it is accepted
      printed jsonb,
      "logoHash" text references invoice_logo,
      language text,
      title text,
      "sessionReference" text,
      "invoiceReference" text,
      "submittedAt" timestamptz,
      "upoDocumentId" bigint unique references document,
      tries int not null default 0,
      trouble text,
      "createdAt" timestamptz not null,
      check (("documentId" is null) = (sha256 is null) and ("documentId" is null) = ("madeAt" is null)),
      check ((state = 'accepted') = (number is not null)),
      check (state <> 'awaited' or mode = 'file'),
      check ((mode = 'file') = (printed is null)),
      check (state <> 'submitted' or ("sessionReference" is not null and "invoiceReference" is not null))
    )
  `.execute(db)
  // Of an invoice one stands; those that were rejected stay behind it.
  await sql`create unique index "conflict__ksef_submission" on ksef_submission ("invoiceId")
    where state <> 'rejected'`.execute(db)
  await sql`create index on ksef_submission ("invoiceId", id)`.execute(db)
  await sql`create index on ksef_submission ("decidedById")`.execute(db)
  await sql`create index on ksef_submission ("logoHash")`.execute(db)
  await sql`create index on ksef_submission (id) where state in ('queued', 'submitted')`.execute(db)

  // Of an invoice that KSeF rejected: it keeps its number, and nobody else gets it.
  await sql`
    create table ksef_reserved_number (
      "invoiceId" bigint primary key references invoice,
      "companyId" bigint not null references company,
      number text not null,
      unique ("companyId", number)
    )
  `.execute(db)
  // The keys are sealed with that of the installation.
  await sql`
    create table ksef_certificate (
      "companyId" bigint not null references company,
      kind text not null check (kind in ('authentication', 'offline')),
      certificate text not null,
      "sealedKey" bytea not null,
      serial text not null,
      subject text not null,
      "validFrom" timestamptz not null,
      "validTo" timestamptz not null,
      "enteredById" bigint references "user",
      "enteredAt" timestamptz not null,
      primary key ("companyId", kind)
    )
  `.execute(db)
  await sql`create index on ksef_certificate ("enteredById")`.execute(db)

  // The XML is named once, and what was decided stays.
  await sql`
    create function check_ksef_submission() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'DELETE'
        or new."invoiceId" <> old."invoiceId" or new.mode <> old.mode or new.printed is distinct from old.printed
        or new."createdAt" <> old."createdAt"
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
  await freezeUndecided(db)
}

/**
 * An invoice that goes through the interface has its number and is frozen, and is sent once KSeF has accepted it. What
 * KSeF rejects becomes a draft again, and nothing else does. It is sealed, owed and has its paper once it is sent.
 */
async function freezeUndecided(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ksef_says("invoice" bigint) returns text language sql stable set search_path = public, pg_temp as $$
      select state from ksef_submission where "invoiceId" = "invoice" and mode <> 'file' order by id desc limit 1
    $$
  `.execute(db)
  await sql`
    create or replace function check_invoice_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      free constant text[] := array['status', 'statusDate', 'version', 'sentAt', 'paidAt', 'canceledAt', 'searchKey'];
      given constant text[] := free || array['number', 'invoiceDate', 'dueDate', 'frozenAt'];
    begin
      if tg_op = 'INSERT' then
        -- It is written as a draft first, so that its seal holds its lines.
        if new."frozenAt" is not null then perform refuse_frozen('invoice ' || new.id); end if;
        return new;
      end if;
      if tg_op = 'DELETE' then
        if old."frozenAt" is not null then perform refuse_frozen('invoice ' || old.id); end if;
        return old;
      end if;
      if old."frozenAt" is not null and old.status = 'created' then
        if new.version < old.version or (case
          when new."frozenAt" is null then new.status <> 'created' or new.number is not null
            or ksef_says(old.id) is distinct from 'rejected'
            or (to_jsonb(new) - given) is distinct from (to_jsonb(old) - given)
            or not exists (select 1 from ksef_reserved_number r where r."invoiceId" = old.id and r.number = old.number)
          else (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
            or (new.status <> 'created' and (new.status <> 'sent' or new."sentAt" is null
              or ksef_says(old.id) is distinct from 'accepted'))
          end)
        then
          perform refuse_frozen('invoice ' || old.id);
        end if;
        return new;
      end if;
      if old."frozenAt" is not null and (
        (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
        or new.version < old.version
        or new."sentAt" is null
        or (new.status <> old.status and (old.status, new.status) not in
          (('sent', 'paid'), ('paid', 'sent'), ('sent', 'canceled'), ('paid', 'canceled')))
      ) then
        perform refuse_frozen('invoice ' || old.id);
      end if;
      if old."frozenAt" is null and new."frozenAt" is not null and new.status not in ('sent', 'paid', 'canceled')
        and not (new.status = 'created' and ksef_says(new.id) is not distinct from 'queued') then
        perform refuse_frozen('invoice ' || old.id);
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`
    create or replace function check_invoice_paper_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      free constant text[] := array['documentId', 'madeAt', 'tries', 'triedAt'];
    begin
      if tg_op = 'DELETE' then
        perform refuse_frozen('the paper of invoice ' || old."invoiceId");
      elsif tg_op = 'INSERT' then
        -- It is written just before the invoice is sent, so that the seal holds it; made it is afterwards.
        if new."documentId" is not null or (is_frozen_invoice(new."invoiceId", null)
          and not exists (select 1 from invoice i where i.id = new."invoiceId" and i.status = 'created')) then
          perform refuse_frozen('the paper of invoice ' || new."invoiceId");
        end if;
      elsif old."documentId" is not null or new.tries < old.tries
        or (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        perform refuse_frozen('the paper of invoice ' || old."invoiceId");
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`
    create or replace function seal_sent_invoices() returns trigger language plpgsql security definer
      set search_path = public, pg_temp as $$
    begin
      perform seal_invoice(sent.id, sent."companyId") from (
        select after.id, after."companyId" from "newRows" after join "oldRows" before on before.id = after.id
        where (before."frozenAt" is null or before.status = 'created') and after."frozenAt" is not null
          and after.status <> 'created' and after."companyId" is not null
        order by after."frozenAt", after.id
      ) sent;
      return null;
    end $$
  `.execute(db)
  await sql`
    create or replace function invoice_seal_faults() returns table ("invoiceId" bigint, fault text)
      language sql stable set search_path = public, pg_temp as $$
      select i.id, 'missing' from invoice i where i."frozenAt" is not null and i.status <> 'created'
        and i."companyId" is not null
        and not exists (select 1 from invoice_seal s where s."invoiceId" = i.id and s.kind = 'invoice')
      union all
      select p."invoiceId", 'missing' from invoice_paper p where p."documentId" is not null
        and not exists (select 1 from invoice_seal s where s."invoiceId" = p."invoiceId" and s.kind = 'paper')
      union all
      select s."invoiceId", 'content' from invoice_seal s
        where s."contentHash" is distinct from invoice_seal_content(s."invoiceId", s.kind, s.form)
      union all
      select s."invoiceId", 'chain' from (
        select *, lag(hash) over chain as "lastHash", lag(position, 1, 0::bigint) over chain as "lastPosition"
        from invoice_seal window chain as (partition by "companyId" order by position)
      ) s
      where s.position <> s."lastPosition" + 1
        or s.hash <> sha256(coalesce(s."lastHash", '') || s."contentHash")
      order by 1
    $$
  `.execute(db)
  await sql`drop trigger open_receivable on invoice`.execute(db)
  await sql`create trigger open_receivable after update of "frozenAt", status on invoice for each row
    when (new."entityType" = 'customer' and new."frozenAt" is not null and new.status <> 'created'
      and (old."frozenAt" is null or old.status = 'created'))
    execute function open_receivable()`.execute(db)
  // One that became a draft again bills nothing for now.
  await sql`drop trigger billed on invoice`.execute(db)
  await sql`create trigger billed after update of "frozenAt", status on invoice for each row
    when (new."entityType" = 'customer' and ((new."frozenAt" is null) <> (old."frozenAt" is null)
      or (new."frozenAt" is not null and (old.status = 'canceled') <> (new.status = 'canceled'))))
    execute function refresh_orders_of_invoice()`.execute(db)
}
