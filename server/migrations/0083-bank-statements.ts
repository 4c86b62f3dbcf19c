import { sql, type Kysely } from 'kysely'

/** Bank statements that were read in, each entry once for ever, and what was booked from it (decision 082). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment drop constraint payment_source_check, add constraint payment_source_check
    check (source in ('hand', 'status', 'earlier', 'correction', 'statement'))`.execute(db)

  // A number is looked for by its digits: people leave out prefix, dashes and blanks.
  await sql`create index invoice_number_digits on invoice ("companyId", (regexp_replace(number, '\\D', '', 'g')))
    where "entityType" = 'customer' and number is not null`.execute(db)
  await sql`create index on company_bank_account (iban)`.execute(db)

  await sql`
    create table bank_statement (
      id bigint generated always as identity primary key,
      "companyId" bigint not null references company,
      "bankAccountId" bigint references company_bank_account on delete set null,
      iban text not null,
      "fileName" text not null,
      sha256 text not null check (length(sha256) = 64),
      -- which statement of its file
      position int not null,
      -- as the bank numbers it
      number text,
      "fromDate" date,
      "toDate" date,
      "openingCents" bigint,
      "closingCents" bigint,
      -- of the file; some of them may have come with an earlier one
      "entryCount" int not null,
      "knownCount" int not null,
      "pendingCount" int not null,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      constraint "conflict__bank_statement" unique (iban, sha256, position)
    )
  `.execute(db)
  await sql`create index on bank_statement ("createdAt" desc, id desc)`.execute(db)
  await sql`create index on bank_statement ("companyId", "createdAt" desc, id desc)`.execute(db)
  await sql`create index on bank_statement ("bankAccountId")`.execute(db)
  await sql`create index on bank_statement ("createdById")`.execute(db)

  await sql`
    create table bank_entry (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "statementId" bigint not null references bank_statement,
      position int not null,
      iban text not null,
      -- of the bank's reference, or of the fields where it gives none
      key text not null check (length(key) = 64),
      "bookingDate" date not null,
      "valueDate" date not null,
      -- positive came in, negative went out
      "amountCents" bigint not null check ("amountCents" <> 0),
      "partnerName" text,
      "partnerIban" text,
      remittance text not null default '',
      "endToEndId" text,
      "messageId" text,
      "returnReason" text,
      status text not null default 'open' check (status in ('open', 'booked', 'set_aside')),
      "paymentId" bigint references payment,
      "paymentFileId" bigint references payment_file,
      -- the payment of the run that came back
      "returnedPaymentId" bigint references payment_file_payment,
      "settledAt" timestamptz,
      "settledById" bigint references "user",
      reason text,
      constraint "conflict__bank_entry" unique (iban, key),
      constraint bank_entry_booked
        check ((status = 'booked') = ("paymentId" is not null or "paymentFileId" is not null)),
      check ("paymentId" is null or "paymentFileId" is null),
      check ("returnedPaymentId" is null or "paymentFileId" is not null),
      check ((status = 'set_aside') = (reason is not null)),
      check ((status = 'open') = ("settledAt" is null))
    )
  `.execute(db)
  await sql`create index on bank_entry ("statementId", position)`.execute(db)
  await sql`create index on bank_entry ("statementId") where status = 'open'`.execute(db)
  await sql`create unique index "conflict__bank_entry_payment" on bank_entry ("paymentId")
    where "paymentId" is not null`.execute(db)
  await sql`create unique index "conflict__bank_entry_return" on bank_entry ("returnedPaymentId")
    where "returnedPaymentId" is not null`.execute(db)
  await sql`create index on bank_entry ("paymentFileId") where "paymentFileId" is not null`.execute(db)
  await sql`create index on bank_entry ("settledById")`.execute(db)

  // What the bank said stays; what was booked is what came, at the company whose account it is.
  await sql`
    create function keep_bank_entry() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'status', 'paymentId', 'paymentFileId', 'returnedPaymentId',
        'settledAt', 'settledById', 'reason'];
    begin
      if tg_op = 'UPDATE' and (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'entry % stays as the bank sent it', old.id using errcode = 'check_violation',
          constraint = 'conflict__bank_entry_kept';
      end if;
      if new."paymentId" is not null and not exists (
        select 1 from payment p join bank_statement s on s.id = new."statementId"
          where p.id = new."paymentId" and p.kind = 'payment' and p.source = 'statement'
            and p."amountCents" = new."amountCents" and p."companyId" = s."companyId"
            and p."valueDate" = new."valueDate")
      then
        raise exception 'entry % is not what was booked', new.id using errcode = 'check_violation',
          constraint = 'conflict__bank_entry_booked';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before insert or update on bank_entry for each row
    execute function keep_bank_entry()`.execute(db)

  // Whose account a payment came from, as a person has confirmed it by booking.
  await sql`
    create table payer_account (
      id bigint generated always as identity primary key,
      iban text not null,
      "customerId" bigint not null references customer on delete cascade,
      "entryId" bigint not null references bank_entry,
      "confirmedAt" timestamptz not null,
      "confirmedById" bigint references "user",
      constraint "conflict__payer_account" unique (iban, "customerId")
    )
  `.execute(db)
  await sql`create index on payer_account ("customerId")`.execute(db)
  await sql`create index on payer_account ("entryId")`.execute(db)
  await sql`create index on payer_account ("confirmedById")`.execute(db)
}
