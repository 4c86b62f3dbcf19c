import { sql, type Kysely } from 'kysely'

/**
 * Sending in steps: an invoice gets its number and what its paper is to show in one short transaction, and the paper
 * afterwards (domain, Invoices). The paper is a row of its own, so that the frozen invoice stays as it is; invoices
 * that were sent before keep theirs in their own column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Pictures of papers, by their SHA-256 in hex: one is on thousands of invoices.
  await sql`
    create table invoice_logo (
      hash text primary key,
      png bytea not null,
      check (hash = encode(sha256(png), 'hex'))
    )
  `.execute(db)
  await sql`
    create table invoice_paper (
      "invoiceId" bigint primary key references invoice,
      -- all that the paper shows, but for the picture
      printed jsonb not null,
      "logoHash" text references invoice_logo,
      language text not null,
      title text not null,
      "documentId" bigint unique references document,
      "madeAt" timestamptz,
      -- tries to make it that failed
      tries int not null default 0,
      "triedAt" timestamptz,
      check (("documentId" is null) = ("madeAt" is null))
    )
  `.execute(db)
  await sql`create index on invoice_paper ("invoiceId") where "documentId" is null`.execute(db)
  await freezePapers(db)
  await sealPapers(db)

  // No invoice is dated before the one whose number comes before.
  await sql`alter table invoice_counter add column "lastDate" date`.execute(db)
  await sql`alter table invoice_counter disable trigger frozen`.execute(db)
  await sql`
    update invoice_counter counter set "lastDate" = (select max(i."invoiceDate") from invoice i
      where i."companyId" = counter."companyId" and i."frozenAt" is not null
        and extract(year from i."invoiceDate") = counter.year)
  `.execute(db)
  await sql`alter table invoice_counter enable trigger frozen`.execute(db)
  await sql`
    create or replace function check_invoice_counter() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if tg_op = 'DELETE' then perform refuse_frozen('the counter of company ' || old."companyId"); end if;
      if new."companyId" <> old."companyId" or new.year <> old.year or new.last < old.last
        or (old."lastDate" is not null and (new."lastDate" is null or new."lastDate" < old."lastDate")) then
        perform refuse_frozen('the counter of company ' || old."companyId");
      end if;
      return new;
    end $$
  `.execute(db)
}

async function freezePapers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function check_invoice_paper_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      free constant text[] := array['documentId', 'madeAt', 'tries', 'triedAt'];
    begin
      if tg_op = 'DELETE' then
        perform refuse_frozen('the paper of invoice ' || old."invoiceId");
      elsif tg_op = 'INSERT' then
        -- It is written just before the invoice is frozen, so that the seal holds it; made it is afterwards.
        if is_frozen_invoice(new."invoiceId", null) or new."documentId" is not null then
          perform refuse_frozen('the paper of invoice ' || new."invoiceId");
        end if;
      elsif old."documentId" is not null or new.tries < old.tries
        or (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        perform refuse_frozen('the paper of invoice ' || old."invoiceId");
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen before insert or update or delete on invoice_paper for each row
    execute function check_invoice_paper_frozen()`.execute(db)
  await sql`create trigger append_only before update or delete on invoice_logo for each row
    execute function refuse_change()`.execute(db)
  for (const table of ['invoice_paper', 'invoice_logo'])
    await sql`create trigger frozen_truncate before truncate on ${sql.table(table)} for each statement
      execute function refuse_truncate()`.execute(db)
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null)
        or exists (select 1 from invoice_paper p where p."documentId" = old.id) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
}

// An invoice gets a link in the chain when it is sent, which holds what its paper is to show, and one when its paper is
// made, which holds the file. `form` 1 are those that were sent when number and paper were one.
async function sealPapers(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoice_seal add column kind text not null default 'invoice',
    add column form int not null default 1, drop constraint "invoice_seal_invoiceId_key",
    add unique ("invoiceId", kind)`.execute(db)
  await sql`
    create function invoice_seal_content("invoice" bigint, "sealKind" text, "sealForm" int) returns bytea
      language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
      select case
        when "sealKind" = 'paper' then (
          select sha256(convert_to(jsonb_build_object('invoiceId', p."invoiceId", 'madeAt', p."madeAt",
            'document', jsonb_build_array(d.id, d.sha256, d."sizeBytes"))::text, 'UTF8'))
          from invoice_paper p join document d on d.id = p."documentId" where p."invoiceId" = "invoice")
        when "sealForm" = 1 then invoice_content_hash("invoice")
        else (
          select sha256(invoice_content_hash("invoice") || convert_to(jsonb_build_object('printed', p.printed,
            'logoHash', p."logoHash", 'language', p.language, 'title', p.title)::text, 'UTF8'))
          from invoice_paper p where p."invoiceId" = "invoice")
      end
    $$
  `.execute(db)
  await sql`
    create function append_invoice_seal("invoice" bigint, "company" bigint, "sealKind" text, "sealForm" int)
      returns void language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      last record;
      content constant bytea := invoice_seal_content("invoice", "sealKind", "sealForm");
    begin
      -- The counter's row is locked by who sends, but not by who makes papers.
      perform pg_advisory_xact_lock(hashtext('invoice_seal'), "company"::int);
      select position, hash into last from invoice_seal where "companyId" = "company" order by position desc limit 1;
      insert into invoice_seal ("companyId", position, "invoiceId", "contentHash", hash, kind, form)
      values ("company", coalesce(last.position, 0) + 1, "invoice", content,
        sha256(coalesce(last.hash, '') || content), "sealKind", "sealForm");
    end $$
  `.execute(db)
  await sql`revoke execute on function append_invoice_seal(bigint, bigint, text, int) from public`.execute(db)
  await sql`
    create or replace function seal_invoice("invoice" bigint, "company" bigint) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform append_invoice_seal("invoice", "company", 'invoice',
        case when exists (select 1 from invoice_paper p where p."invoiceId" = "invoice") then 2 else 1 end);
    end $$
  `.execute(db)
  await sql`
    create function seal_made_paper() returns trigger language plpgsql security definer
      set search_path = public, pg_temp as $$
    begin
      perform append_invoice_seal(i.id, i."companyId", 'paper', 2) from invoice i where i.id = new."invoiceId";
      return null;
    end $$
  `.execute(db)
  await sql`create trigger seal after update on invoice_paper for each row
    when (old."documentId" is null and new."documentId" is not null) execute function seal_made_paper()`.execute(db)
  await sql`
    create or replace function invoice_seal_faults() returns table ("invoiceId" bigint, fault text)
      language sql stable set search_path = public, pg_temp as $$
      select i.id, 'missing' from invoice i where i."frozenAt" is not null and i."companyId" is not null
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
}
