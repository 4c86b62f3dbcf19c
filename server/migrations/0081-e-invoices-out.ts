import { sql, type Kysely } from 'kysely'

/** Which electronic invoice a customer gets, and what was made of an invoice, by its hash (decision 080). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customer
    add column "eInvoiceFormat" text not null default 'pdf'
      constraint customer_e_invoice_format
        check ("eInvoiceFormat" in ('pdf', 'zugferd', 'xrechnungCii', 'xrechnungUbl')),
    add column "eInvoiceScheme" text`.execute(db)
  await sql`alter table company add column "eInvoiceAddress" text, add column "eInvoiceScheme" text`.execute(db)

  await sql`
    create table invoice_artifact (
      "invoiceId" bigint not null references invoice_paper,
      kind text not null check (kind in ('xml', 'pdf')),
      "documentId" bigint not null unique references document,
      sha256 text not null check (length(sha256) = 64),
      "sizeBytes" bigint not null,
      "madeAt" timestamptz not null,
      primary key ("invoiceId", kind)
    )
  `.execute(db)
  // Written with the paper, and then it stays.
  await sql`
    create function check_invoice_artifact() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if tg_op <> 'INSERT' then perform refuse_frozen('what was made of invoice ' || old."invoiceId"); end if;
      if exists (select 1 from invoice_paper p where p."invoiceId" = new."invoiceId" and p."documentId" is not null)
      then
        perform refuse_frozen('what was made of invoice ' || new."invoiceId");
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen before insert or update or delete on invoice_artifact for each row
    execute function check_invoice_artifact()`.execute(db)
  await sql`create trigger frozen_truncate before truncate on invoice_artifact for each statement
    execute function refuse_truncate()`.execute(db)
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null)
        or exists (select 1 from invoice_paper p where p."documentId" = old.id)
        or exists (select 1 from invoice_artifact a where a."documentId" = old.id) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
  await sealArtifacts(db)
}

// Papers from here on get a link in the chain that holds the hashes of all that was made (`form` 3); older links are
// checked as they were written.
async function sealArtifacts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function invoice_seal_content("invoice" bigint, "sealKind" text, "sealForm" int) returns bytea
      language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
      select case
        when "sealKind" = 'paper' and "sealForm" >= 3 then (
          select sha256(convert_to(jsonb_build_object('invoiceId', p."invoiceId", 'madeAt', p."madeAt",
            'document', jsonb_build_array(d.id, d.sha256, d."sizeBytes"), 'artifacts', (
              select jsonb_agg(jsonb_build_array(a.kind, a."documentId", a.sha256, a."sizeBytes") order by a.kind)
              from invoice_artifact a where a."invoiceId" = p."invoiceId"))::text, 'UTF8'))
          from invoice_paper p join document d on d.id = p."documentId" where p."invoiceId" = "invoice")
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
    create or replace function seal_made_paper() returns trigger language plpgsql security definer
      set search_path = public, pg_temp as $$
    begin
      perform append_invoice_seal(i.id, i."companyId", 'paper', 3) from invoice i where i.id = new."invoiceId";
      return null;
    end $$
  `.execute(db)
}
