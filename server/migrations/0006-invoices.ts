import { sql, type Kysely } from 'kysely'

/** Invoices of both sides, their lines, orders and the counters of legal numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence invoice_inner_number`.execute(db)
  // One row per company and year, locked while a number is given: no gap, no double (domain, Invoices).
  await sql`
    create table invoice_counter (
      "companyId" bigint not null references company,
      year int not null,
      last int not null,
      primary key ("companyId", year)
    )
  `.execute(db)

  await sql`
    create table invoice (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "entityType" text not null,
      number text,
      "innerNumber" text not null constraint "number_taken__innerNumber" unique,
      status text not null,
      "statusDate" timestamptz not null,
      state text not null default 'active',
      "companyId" bigint references company,
      "billingCustomerId" bigint references customer,
      "carrierCompanyId" bigint references carrier_company,
      "routeId" bigint references route on delete set null,
      "correctionOfId" bigint references invoice,
      "correctionReason" text,
      "amountCents" bigint not null default 0,
      "vatBp" int,
      "vatCents" bigint not null default 0,
      "totalCents" bigint not null default 0,
      "vatGroups" jsonb not null default '[]',
      iban text,
      notes text,
      language text not null,
      "paymentPeriodDays" int,
      "invoiceDate" date,
      "documentCreationDate" date,
      "dueDate" date,
      "servicePeriodFrom" date,
      "servicePeriodTo" date,
      seller jsonb,
      buyer jsonb,
      "documentId" bigint references document,
      -- from sending on nothing but the status changes
      "frozenAt" timestamptz,
      "creatorId" bigint references "user",
      "createdAt" timestamptz not null,
      "createdStatusAt" timestamptz,
      "sentAt" timestamptz,
      "paidAt" timestamptz,
      "canceledAt" timestamptz,
      "receivedAt" timestamptz,
      "approvedAt" timestamptz,
      "inProgressAt" timestamptz,
      "searchKey" text not null default '',
      check (("entityType" = 'customer' and "carrierCompanyId" is null)
        or ("entityType" = 'carrier' and "billingCustomerId" is null)),
      check ("totalCents" = "amountCents" + "vatCents"),
      check ("entityType" = 'carrier' or ("frozenAt" is null) = (number is null))
    )
  `.execute(db)
  await sql`create unique index "number_taken__number__invoice_customer" on invoice ("companyId", number)
    where "entityType" = 'customer'`.execute(db)
  await sql`
    create unique index "number_taken__number__invoice_carrier" on invoice ("carrierCompanyId", vat_number_key(number))
      where "entityType" = 'carrier' and status <> 'canceled'
  `.execute(db)
  await sql`create index on invoice ("createdAt" desc, id desc)`.execute(db)
  await sql`create index on invoice ("entityType", status, "createdAt" desc, id desc)`.execute(db)
  await sql`create index on invoice ("billingCustomerId", "createdAt" desc, id desc)`.execute(db)
  await sql`create index on invoice ("carrierCompanyId", "createdAt" desc, id desc)`.execute(db)
  await sql`create index on invoice ("dueDate", id)`.execute(db)
  await sql`create index on invoice using gin ("searchKey" gin_trgm_ops)`.execute(db)

  await sql`
    create table invoice_order (
      "invoiceId" bigint not null references invoice on delete cascade,
      "orderId" bigint not null references "order",
      primary key ("invoiceId", "orderId")
    )
  `.execute(db)
  await sql`create index on invoice_order ("orderId")`.execute(db)

  await sql`
    create table invoice_line (
      id bigint generated always as identity primary key,
      "invoiceId" bigint not null references invoice on delete cascade,
      position int not null,
      kind text not null,
      text text not null,
      quantity double precision not null,
      "unitPriceCents" bigint not null,
      "netCents" bigint not null,
      "vatBp" int not null,
      "vatCategory" text not null,
      "orderId" bigint references "order",
      "routeId" bigint references route on delete set null,
      -- the invoice still bills the freight: not canceled, not a correction, not corrected in full
      "billsFreight" boolean not null default false
    )
  `.execute(db)
  await sql`create index on invoice_line ("invoiceId", position)`.execute(db)
  // The freight of an order is invoiced once only, also when two people press the button at once.
  await sql`create unique index already_invoiced on invoice_line ("orderId") where "billsFreight"`.execute(db)

  await sql`
    create function check_invoice_frozen() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['status', 'statusDate', 'version', 'sentAt', 'paidAt', 'canceledAt', 'searchKey'];
    begin
      if tg_op = 'DELETE' then
        if old."frozenAt" is not null then raise exception 'invoice % is frozen', old.id
          using errcode = 'check_violation', constraint = 'frozen'; end if;
        return old;
      end if;
      if old."frozenAt" is not null and (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'invoice % is frozen', old.id using errcode = 'check_violation', constraint = 'frozen';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger frozen before update or delete on invoice for each row
    execute function check_invoice_frozen()`.execute(db)
  await sql`
    create function check_invoice_line_frozen() returns trigger language plpgsql as $$
    declare
      line record := coalesce(new, old);
    begin
      if tg_op = 'UPDATE' and (to_jsonb(new) - 'billsFreight') is not distinct from (to_jsonb(old) - 'billsFreight')
        then return new; end if;
      if exists (select 1 from invoice i where i.id = line."invoiceId" and i."frozenAt" is not null) then
        raise exception 'invoice % is frozen', line."invoiceId" using errcode = 'check_violation',
          constraint = 'frozen';
      end if;
      return line;
    end $$
  `.execute(db)
  await sql`create trigger frozen before insert or update or delete on invoice_line for each row
    execute function check_invoice_line_frozen()`.execute(db)
  await sql`
    create function check_document_frozen() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null) then
        raise exception 'document % belongs to a frozen invoice', old.id using errcode = 'check_violation',
          constraint = 'frozen';
      end if;
      return coalesce(new, old);
    end $$
  `.execute(db)
  await sql`create trigger frozen before update or delete on document for each row
    execute function check_document_frozen()`.execute(db)
}
