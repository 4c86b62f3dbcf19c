import { sql, type Kysely } from 'kysely'

/**
 * What was sent cannot be changed, detached, lowered, emptied or deleted, and each sent invoice is sealed behind the
 * one before it of its company (domain, Invoices). Functions name their schema, so that a temporary table of the same
 * name cannot stand in for ours.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_frozen(what text) returns void language plpgsql as $$
    begin
      raise exception '% is frozen', what using errcode = 'check_violation', constraint = 'frozen';
    end $$
  `.execute(db)

  await sql`
    create or replace function check_invoice_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      free constant text[] := array['status', 'statusDate', 'version', 'sentAt', 'paidAt', 'canceledAt', 'searchKey'];
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
      if old."frozenAt" is not null and (
        (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
        or new.version < old.version
        or new."sentAt" is null
        or (new.status <> old.status and (old.status, new.status) not in
          (('sent', 'paid'), ('paid', 'sent'), ('sent', 'canceled'), ('paid', 'canceled')))
      ) then
        perform refuse_frozen('invoice ' || old.id);
      end if;
      if old."frozenAt" is null and new."frozenAt" is not null and new.status not in ('sent', 'paid', 'canceled') then
        perform refuse_frozen('invoice ' || old.id);
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen_insert before insert on invoice for each row
    execute function check_invoice_frozen()`.execute(db)

  // The row is locked, so that a part cannot be added while the invoice is being sent by somebody else.
  await sql`
    create function is_frozen_invoice("id1" bigint, "id2" bigint) returns boolean language plpgsql
      set search_path = public, pg_temp as $$
    declare
      found_one boolean := false;
      one record;
    begin
      for one in select "frozenAt" from invoice where id in ("id1", "id2") order by id for share loop
        found_one := found_one or one."frozenAt" is not null;
      end loop;
      return found_one;
    end $$
  `.execute(db)
  await sql`
    create or replace function check_invoice_line_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      is_frozen constant boolean := case tg_op
        when 'INSERT' then is_frozen_invoice(new."invoiceId", null)
        when 'DELETE' then is_frozen_invoice(old."invoiceId", null)
        else is_frozen_invoice(old."invoiceId", new."invoiceId") end;
    begin
      -- The freight of a canceled invoice may be billed anew, and then only that changes.
      if is_frozen and not (tg_op = 'UPDATE'
        and (to_jsonb(new) - 'billsFreight') is not distinct from (to_jsonb(old) - 'billsFreight')
        and (new."billsFreight" = old."billsFreight" or (not new."billsFreight"
          and exists (select 1 from invoice i where i.id = old."invoiceId" and i.status = 'canceled'))))
      then
        perform refuse_frozen('invoice ' || case when tg_op = 'INSERT' then new."invoiceId" else old."invoiceId" end);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
  await sql`
    create function check_invoice_order_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      is_frozen constant boolean := case tg_op
        when 'INSERT' then is_frozen_invoice(new."invoiceId", null)
        when 'DELETE' then is_frozen_invoice(old."invoiceId", null)
        else is_frozen_invoice(old."invoiceId", new."invoiceId") end;
    begin
      if is_frozen then
        perform refuse_frozen('invoice ' || case when tg_op = 'INSERT' then new."invoiceId" else old."invoiceId" end);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen before insert or update or delete on invoice_order for each row
    execute function check_invoice_order_frozen()`.execute(db)
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)

  await sql`
    create function check_invoice_counter() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if tg_op = 'DELETE' then perform refuse_frozen('the counter of company ' || old."companyId"); end if;
      if new."companyId" <> old."companyId" or new.year <> old.year or new.last < old.last then
        perform refuse_frozen('the counter of company ' || old."companyId");
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen before update or delete on invoice_counter for each row
    execute function check_invoice_counter()`.execute(db)

  await sealInvoices(db)

  await sql`
    create function refuse_truncate() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      perform refuse_frozen(tg_table_name);
      return null;
    end $$
  `.execute(db)
  for (const table of ['invoice', 'invoice_line', 'invoice_order', 'invoice_counter', 'document'])
    await sql`create trigger frozen_truncate before truncate on ${sql.table(table)} for each statement
      execute function refuse_truncate()`.execute(db)
}

async function sealInvoices(db: Kysely<unknown>): Promise<void> {
  // One link for each sent invoice: "hash" = SHA-256 of the hash before it and of the contents' hash.
  await sql`
    create table invoice_seal (
      "companyId" bigint not null references company,
      position bigint not null,
      "invoiceId" bigint not null unique references invoice,
      "contentHash" bytea not null,
      hash bytea not null,
      primary key ("companyId", position)
    )
  `.execute(db)
  // Named one by one, so that a column that is added later does not break the seals before it. A later form of the
  // contents needs a function of its own.
  await sql`
    create function invoice_content_hash("invoice" bigint) returns bytea language sql stable
      set search_path = public, pg_temp set timezone = 'UTC' as $$
      select sha256(convert_to(jsonb_build_object(
        'id', i.id, 'companyId', i."companyId", 'billingCustomerId', i."billingCustomerId", 'number', i.number,
        'innerNumber', i."innerNumber", 'invoiceDate', i."invoiceDate", 'dueDate', i."dueDate",
        'servicePeriodFrom', i."servicePeriodFrom", 'servicePeriodTo', i."servicePeriodTo",
        'correctionOfId', i."correctionOfId", 'correctionReason', i."correctionReason",
        'amountCents', i."amountCents", 'vatBp', i."vatBp", 'vatCents', i."vatCents", 'totalCents', i."totalCents",
        'vatGroups', i."vatGroups", 'iban', i.iban, 'notes', i.notes, 'language', i.language,
        'paymentPeriodDays', i."paymentPeriodDays", 'seller', i.seller, 'buyer', i.buyer,
        'frozenAt', i."frozenAt", 'createdAt', i."createdAt",
        'document', (select jsonb_build_array(d.id, d.sha256, d."sizeBytes") from document d
          where d.id = i."documentId"),
        'orders', (select jsonb_agg(o."orderId" order by o."orderId") from invoice_order o
          where o."invoiceId" = i.id),
        'lines', (select jsonb_agg(jsonb_build_array(l.id, l.position, l.kind, l.text, l.quantity::numeric,
          l."unitPriceCents", l."netCents", l."vatBp", l."vatCategory", l."orderId", l."routeId")
          order by l.position, l.id) from invoice_line l where l."invoiceId" = i.id)
      )::text, 'UTF8'))
      from invoice i where i.id = "invoice"
    $$
  `.execute(db)
  // The role that serves cannot write seals itself: this function does, with the owner's rights.
  await sql`
    create function seal_invoice("invoice" bigint, "company" bigint) returns void language plpgsql security definer
      set search_path = public, pg_temp as $$
    declare
      last record;
      content constant bytea := invoice_content_hash("invoice");
    begin
      -- The counter's row is locked by who sends; at the turn of a year there are two of them.
      perform pg_advisory_xact_lock(hashtext('invoice_seal'), "company"::int);
      select position, hash into last from invoice_seal where "companyId" = "company" order by position desc limit 1;
      insert into invoice_seal ("companyId", position, "invoiceId", "contentHash", hash)
      values ("company", coalesce(last.position, 0) + 1, "invoice", content,
        sha256(coalesce(last.hash, '') || content));
    end $$
  `.execute(db)
  await sql`revoke execute on function seal_invoice(bigint, bigint) from public`.execute(db)
  // By statement, because many that are sent at once are sealed in the order of their sending.
  await sql`
    create function seal_sent_invoices() returns trigger language plpgsql security definer
      set search_path = public, pg_temp as $$
    begin
      perform seal_invoice(sent.id, sent."companyId") from (
        select after.id, after."companyId" from "newRows" after join "oldRows" before on before.id = after.id
        where before."frozenAt" is null and after."frozenAt" is not null and after."companyId" is not null
        order by after."frozenAt", after.id
      ) sent;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger seal after update on invoice referencing old table as "oldRows" new table as "newRows"
    for each statement execute function seal_sent_invoices()`.execute(db)
  await sql`select seal_invoice(sent.id, sent."companyId") from (
    select id, "companyId" from invoice where "frozenAt" is not null and "companyId" is not null
    order by "companyId", "frozenAt", id) sent`.execute(db)
  await sql`create trigger append_only before update or delete on invoice_seal for each row
    execute function refuse_change()`.execute(db)
  await sql`create trigger append_only_truncate before truncate on invoice_seal for each statement
    execute function refuse_change()`.execute(db)

  // Every sent invoice whose seal is missing, does not fit its contents, or does not follow from the one before it.
  await sql`
    create function invoice_seal_faults() returns table ("invoiceId" bigint, fault text) language sql stable
      set search_path = public, pg_temp as $$
      select i.id, 'missing' from invoice i where i."frozenAt" is not null and i."companyId" is not null
        and not exists (select 1 from invoice_seal s where s."invoiceId" = i.id)
      union all
      select s."invoiceId", 'content' from invoice_seal s
        where s."contentHash" is distinct from invoice_content_hash(s."invoiceId")
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
