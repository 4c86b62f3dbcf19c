import { sql, type Kysely } from 'kysely'

/** Accounts of companies, customers and carriers, what carriers were paid, and batches of bookings (decision 087). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company add column bookkeeping jsonb`.execute(db)
  await sql`alter table customer add column "debtorNumber" int`.execute(db)
  await sql`alter table carrier_company add column "creditorNumber" int`.execute(db)
  await sql`create unique index "taken__debtorNumber" on customer ("debtorNumber")
    where "debtorNumber" is not null`.execute(db)
  await sql`create unique index "taken__creditorNumber" on carrier_company ("creditorNumber")
    where "creditorNumber" is not null`.execute(db)

  await payablePayments(db)

  await sql`
    create table bookkeeping_batch (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "companyId" bigint not null references company,
      -- the first day of the month, and of the fiscal year that it is in
      month date not null check (extract(day from month) = 1),
      "fiscalYear" date not null,
      -- counts the batches of a month, void ones too
      counter int not null check (counter > 0),
      "rowCount" int not null check ("rowCount" > 0),
      "debitCents" bigint not null,
      "creditCents" bigint not null,
      sums jsonb not null,
      "fileName" text,
      sha256 text check (length(sha256) = 64),
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "voidedAt" timestamptz,
      "voidedById" bigint references "user",
      "voidReason" text,
      constraint "conflict__bookkeeping_batch" unique ("companyId", month, counter),
      check (("voidedAt" is null) = ("voidReason" is null)),
      check (("fileName" is null) = (sha256 is null))
    )
  `.execute(db)
  await sql`create index on bookkeeping_batch ("createdAt" desc, id desc)`.execute(db)
  await sql`create index on bookkeeping_batch ("createdById")`.execute(db)
  await sql`create index on bookkeeping_batch ("voidedById")`.execute(db)

  // The bytes as they were made, for good.
  await sql`create table bookkeeping_file ("batchId" bigint primary key references bookkeeping_batch,
    bytes bytea not null)`.execute(db)

  // What a batch holds. Each is in one valid batch at most, also when two people press the button at once.
  await sql`
    create table bookkeeping_item (
      id bigint generated always as identity primary key,
      "batchId" bigint not null references bookkeeping_batch,
      "invoiceId" bigint references invoice,
      "paymentId" bigint references payment,
      "payablePaymentId" bigint references payable_payment,
      "isValid" boolean not null default true,
      check (num_nonnulls("invoiceId", "paymentId", "payablePaymentId") = 1)
    )
  `.execute(db)
  await sql`create index on bookkeeping_item ("batchId")`.execute(db)
  await sql`create unique index "conflict__month__in_bookkeeping_batch" on bookkeeping_item
    ("invoiceId", "paymentId", "payablePaymentId") nulls not distinct where "isValid"`.execute(db)
  await sql`create index on bookkeeping_item ("invoiceId") where "invoiceId" is not null`.execute(db)
  await sql`create index on bookkeeping_item ("paymentId") where "paymentId" is not null`.execute(db)
  await sql`create index on bookkeeping_item ("payablePaymentId") where "payablePaymentId" is not null`.execute(db)

  await sql`
    create table bookkeeping_row (
      "batchId" bigint not null references bookkeeping_batch,
      position int not null,
      kind text not null check (kind in ('invoice', 'correction', 'carrierInvoice', 'payment', 'carrierPayment')),
      date date not null,
      "amountCents" bigint not null check ("amountCents" > 0),
      -- of the account; the contra account has the other side
      "isDebit" boolean not null,
      account int not null,
      "contraAccount" int not null,
      "taxKey" text,
      "documentNumber" text,
      "dueDate" date,
      partner text not null,
      text text not null,
      "vatNumber" text,
      -- of invoices, with the sign of the invoice
      "netCents" bigint,
      "vatCents" bigint,
      "vatBp" int,
      "vatCategory" text,
      primary key ("batchId", position)
    )
  `.execute(db)

  await sql`
    create function keep_bookkeeping_batch() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'voidedAt', 'voidedById', 'voidReason'];
    begin
      if old."voidedAt" is not null or (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'batch % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on bookkeeping_batch for each row
    execute function keep_bookkeeping_batch()`.execute(db)
  await sql`
    create function keep_bookkeeping_item() returns trigger language plpgsql as $$
    begin
      if not old."isValid" or new."isValid" or (to_jsonb(new) - 'isValid') <> (to_jsonb(old) - 'isValid') then
        raise exception 'item % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on bookkeeping_item for each row
    execute function keep_bookkeeping_item()`.execute(db)

  // Invoices to customers are frozen anyway; of a carrier's invoice that was exported, what was booked stays.
  await sql`
    create function keep_booked_invoice() returns trigger language plpgsql as $$
    begin
      if new.status <> 'canceled'
        and row(old."amountCents", old."vatBp", old."vatCents", old."totalCents", old."carrierCompanyId",
            old."companyId", old.number, old."documentCreationDate")
          is not distinct from
          row(new."amountCents", new."vatBp", new."vatCents", new."totalCents", new."carrierCompanyId",
            new."companyId", new.number, new."documentCreationDate")
      then
        return new;
      end if;
      if exists (select 1 from bookkeeping_item where "invoiceId" = old.id and "isValid") then
        raise exception 'invoice % is booked', old.id using errcode = 'check_violation',
          constraint = 'conflict__to__in_bookkeeping_batch';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep_booked before update on invoice for each row
    when (old."entityType" = 'carrier' and old.status <> 'canceled')
    execute function keep_booked_invoice()`.execute(db)
}

/**
 * What carriers were paid, and what came back: written by the database with the status of their invoices, whichever
 * way they became paid, so that each is booked once.
 */
async function payablePayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payable_payment (
      id bigint generated always as identity primary key,
      "invoiceId" bigint not null references invoice,
      "valueDate" date not null,
      -- positive: paid; negative: came back, or a credit note that was set off
      "amountCents" bigint not null check ("amountCents" <> 0)
    )
  `.execute(db)
  await sql`create index on payable_payment ("invoiceId")`.execute(db)
  await sql`create index on payable_payment ("valueDate")`.execute(db)
  await sql`
    create function note_payable_paid() returns trigger language plpgsql as $$
    declare
      is_paid constant boolean := new.status = 'paid';
      day date;
    begin
      if new."totalCents" = 0 then return null; end if;
      if is_paid then
        select f."executionDate" into day from payment_file_item i join payment_file f on f.id = i."paymentFileId"
          where i."invoiceId" = new.id and i."isValid" and f.status = 'confirmed';
      end if;
      if day is null then
        select (coalesce(case when is_paid then new."paidAt" end, new."statusDate")
            at time zone coalesce((select "timeZone" from company where id = new."companyId"), 'UTC'))::date
          into day;
      end if;
      insert into payable_payment ("invoiceId", "valueDate", "amountCents")
        values (new.id, day, case when is_paid then new."totalCents" else -new."totalCents" end);
      return null;
    end $$
  `.execute(db)
  await sql`create trigger note_paid after update of status on invoice for each row
    when (new."entityType" = 'carrier' and (old.status = 'paid') <> (new.status = 'paid'))
    execute function note_payable_paid()`.execute(db)
  await sql`create trigger note_inserted_paid after insert on invoice for each row
    when (new."entityType" = 'carrier' and new.status = 'paid') execute function note_payable_paid()`.execute(db)
  await sql`
    insert into payable_payment ("invoiceId", "valueDate", "amountCents")
    select i.id, coalesce(run."executionDate",
        (coalesce(i."paidAt", i."statusDate") at time zone coalesce(c."timeZone", 'UTC'))::date), i."totalCents"
      from invoice i left join company c on c.id = i."companyId"
      left join lateral (select f."executionDate" from payment_file_item item
        join payment_file f on f.id = item."paymentFileId"
        where item."invoiceId" = i.id and item."isValid" and f.status = 'confirmed') run on true
      where i."entityType" = 'carrier' and i.status = 'paid' and i."totalCents" <> 0
      order by i."paidAt", i.id
  `.execute(db)
  await sql`
    create function keep_payable_payment() returns trigger language plpgsql as $$
    begin
      raise exception 'what was paid stays' using errcode = 'check_violation', constraint = 'conflict__booking';
    end $$
  `.execute(db)
  await sql`create trigger keep before update on payable_payment for each row
    execute function keep_payable_payment()`.execute(db)
}
