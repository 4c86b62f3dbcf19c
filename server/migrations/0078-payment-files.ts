import { sql, type Kysely } from 'kysely'

/** Where a carrier's account came from and who had a hand in it, and the runs that pay carriers (decision 076). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company add column "fourEyesRuns" boolean not null default false,
    add column "umlautsInPayments" text not null default 'two_letters'
      constraint company_umlauts check ("umlautsInPayments" in ('two_letters', 'one_letter'))`.execute(db)
  await sql`alter table company_bank_account add column "enteredAt" timestamptz,
    add column "confirmedAt" timestamptz`.execute(db)
  await sql`
    alter table carrier_bank_account add column "enteredAt" timestamptz, add column "confirmedAt" timestamptz,
      add column source text constraint carrier_bank_account_source
        check (source in ('hand', 'upload', 'mail', 'import')),
      add column "sourceInvoiceId" bigint references invoice on delete set null
  `.execute(db)
  await sql`create index on carrier_bank_account ("sourceInvoiceId") where "sourceInvoiceId" is not null`.execute(db)
  await sql`create index on carrier_bank_account (iban)`.execute(db)

  // Who had a hand in an IBAN of a carrier: whatever becomes of the account or the invoice, it stays known.
  await sql`
    create table carrier_iban_author (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      iban text not null,
      "userId" bigint not null references "user",
      how text not null check (how in ('account', 'invoice', 'link')),
      at timestamptz not null
    )
  `.execute(db)
  await sql`create index on carrier_iban_author ("carrierCompanyId", iban)`.execute(db)
  await sql`create index on carrier_iban_author ("userId")`.execute(db)
  await sql`
    insert into carrier_iban_author ("carrierCompanyId", iban, "userId", how, at)
    select "carrierCompanyId", iban, "enteredById", 'account', now() from carrier_bank_account
      where "enteredById" is not null
    union all
    select "carrierCompanyId", iban, "creatorId", 'invoice', "createdAt" from invoice
      where "entityType" = 'carrier' and iban is not null and "creatorId" is not null and status <> 'paid'
  `.execute(db)

  // A confirmation is of this IBAN and this BIC, by somebody who did not enter them.
  await sql`
    create function check_account_confirmed() returns trigger language plpgsql as $$
    begin
      if new."confirmedById" is not null and (
        new."confirmedById" = new."enteredById"
        or (tg_op = 'UPDATE' and old."confirmedById" is not null
          and row(old.iban, old.bic) is distinct from row(new.iban, new.bic)))
      then
        raise exception 'account % is not confirmed by a second person', new.id
          using errcode = 'check_violation', constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  for (const table of ['carrier_bank_account', 'company_bank_account'])
    await sql`create trigger confirmed_by_another before insert or update on ${sql.table(table)}
      for each row execute function check_account_confirmed()`.execute(db)

  // One row a year, locked while a run gets its number.
  await sql`create table payment_file_counter (year int primary key, last int not null)`.execute(db)
  await sql`
    create table payment_file (
      id bigint generated always as identity primary key,
      version int not null default 1,
      number text not null constraint "conflict__payment_file_number" unique,
      status text not null default 'made' check (status in ('made', 'confirmed', 'voided')),
      "companyId" bigint not null references company,
      "debtorBankId" bigint references company_bank_account on delete set null,
      debtor jsonb not null,
      "executionDate" date not null,
      combine boolean not null,
      "messageId" text not null constraint "conflict__payment_file_message" unique,
      "fileName" text not null,
      "sizeBytes" int not null,
      sha256 text not null check (length(sha256) = 64),
      "paymentCount" int not null check ("paymentCount" > 0),
      "invoiceCount" int not null check ("invoiceCount" > 0),
      "totalCents" bigint not null check ("totalCents" > 0),
      "returnedCount" int not null default 0,
      "returnedCents" bigint not null default 0,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "confirmedAt" timestamptz,
      "confirmedById" bigint references "user",
      "voidedAt" timestamptz,
      "voidedById" bigint references "user",
      "voidReason" text,
      "searchKey" text not null default '',
      check ((status = 'confirmed') = ("confirmedAt" is not null)),
      check ((status = 'voided') = ("voidedAt" is not null))
    )
  `.execute(db)
  await sql`create index on payment_file ("createdAt" desc, id desc)`.execute(db)
  await sql`create index on payment_file ("companyId", "createdAt" desc, id desc)`.execute(db)
  await sql`create index on payment_file ("debtorBankId")`.execute(db)
  await sql`create index on payment_file using gin ("searchKey" gin_trgm_ops)`.execute(db)
  for (const who of ['createdById', 'confirmedById', 'voidedById'])
    await sql`create index on payment_file (${sql.ref(who)})`.execute(db)

  // The bytes as they were made, for good.
  await sql`create table payment_file_content ("paymentFileId" bigint primary key references payment_file,
    xml bytea not null)`.execute(db)

  await sql`
    create table payment_file_payment (
      id bigint generated always as identity primary key,
      "paymentFileId" bigint not null references payment_file,
      position int not null,
      "carrierCompanyId" bigint not null references carrier_company,
      "creditorName" text not null,
      iban text not null,
      bic text,
      "amountCents" bigint not null check ("amountCents" > 0),
      remittance text not null check (length(remittance) between 1 and 140),
      "endToEndId" text not null constraint "conflict__payment_end_to_end" unique check (length("endToEndId") <= 35),
      "returnedAt" timestamptz,
      "returnedById" bigint references "user",
      "returnReason" text,
      check (("returnedAt" is null) = ("returnReason" is null))
    )
  `.execute(db)
  await sql`create index on payment_file_payment ("paymentFileId", position)`.execute(db)
  await sql`create index on payment_file_payment ("carrierCompanyId")`.execute(db)
  await sql`create index on payment_file_payment ("returnedById")`.execute(db)

  await sql`
    create table payment_file_item (
      id bigint generated always as identity primary key,
      "paymentFileId" bigint not null references payment_file,
      "paymentId" bigint not null references payment_file_payment,
      "invoiceId" bigint not null references invoice,
      -- negative: a credit note that is set off
      "amountCents" bigint not null check ("amountCents" <> 0),
      -- the run is not void, and the payment was not returned
      "isValid" boolean not null default true
    )
  `.execute(db)
  await sql`create index on payment_file_item ("paymentFileId")`.execute(db)
  await sql`create index on payment_file_item ("paymentId")`.execute(db)
  await sql`create index on payment_file_item ("invoiceId")`.execute(db)
  // An invoice is paid once, also when two people press the button at once.
  await sql`create unique index "conflict__invoiceIds__in_payment_run" on payment_file_item ("invoiceId")
    where "isValid"`.execute(db)

  await sql`
    create function keep_payment_file() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'status', 'returnedCount', 'returnedCents', 'confirmedAt',
        'confirmedById', 'voidedAt', 'voidedById', 'voidReason', 'debtorBankId', 'searchKey'];
    begin
      if (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
        or (old.status <> 'made' and new.status <> old.status)
        or (new."debtorBankId" is not null and new."debtorBankId" is distinct from old."debtorBankId")
        or new."returnedCount" < old."returnedCount"
      then
        raise exception 'run % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on payment_file for each row
    execute function keep_payment_file()`.execute(db)
  await sql`
    create function keep_payment() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['returnedAt', 'returnedById', 'returnReason'];
    begin
      if old."returnedAt" is not null or (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'payment % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on payment_file_payment for each row
    execute function keep_payment()`.execute(db)
  await sql`
    create function keep_payment_item() returns trigger language plpgsql as $$
    declare
      found record;
    begin
      if tg_op = 'INSERT' then
        select "entityType", status, "totalCents", "carrierCompanyId" into found from invoice
          where id = new."invoiceId";
        if found."entityType" <> 'carrier' or (new."isValid" and found.status not in ('approved', 'paid'))
          or found."totalCents" <> new."amountCents"
          or found."carrierCompanyId" is distinct from
            (select "carrierCompanyId" from payment_file_payment where id = new."paymentId")
        then
          raise exception 'invoice % cannot be paid', new."invoiceId" using errcode = 'check_violation',
            constraint = 'conflict';
        end if;
      elsif not old."isValid" or new."isValid" or (to_jsonb(new) - 'isValid') <> (to_jsonb(old) - 'isValid') then
        raise exception 'item % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before insert or update on payment_file_item for each row
    execute function keep_payment_item()`.execute(db)

  // What a file pays stays as it is, and becomes paid by confirming the run alone.
  await sql`
    create function keep_invoice_in_run() returns trigger language plpgsql as $$
    declare
      run record;
    begin
      if row(old.status, old."totalCents", old."carrierCompanyId", old."companyId", old.iban, old.number)
        is not distinct from
        row(new.status, new."totalCents", new."carrierCompanyId", new."companyId", new.iban, new.number)
      then
        return new;
      end if;
      select f.status into run from payment_file_item i join payment_file f on f.id = i."paymentFileId"
        where i."invoiceId" = old.id and i."isValid";
      if not found then return new; end if;
      if old.status = 'approved' and new.status = 'paid' and run.status = 'confirmed'
        and row(old."totalCents", old."carrierCompanyId", old."companyId", old.iban, old.number)
          is not distinct from row(new."totalCents", new."carrierCompanyId", new."companyId", new.iban, new.number)
      then
        return new;
      end if;
      raise exception 'invoice % is in a payment run', old.id using errcode = 'check_violation',
        constraint = 'conflict__to__in_payment_run';
    end $$
  `.execute(db)
  await sql`create trigger keep_in_run before update on invoice for each row when (old."entityType" = 'carrier')
    execute function keep_invoice_in_run()`.execute(db)

  await sql`
    create function tell_payment_file_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'paymentFile', 'ids', json_build_array(new.id)));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_changed after insert or update on payment_file for each row
    execute function tell_payment_file_changes()`.execute(db)
}
