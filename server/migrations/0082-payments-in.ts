import { sql, type Kysely } from 'kysely'

/** What customers owe and pay: each cent of a payment is on an invoice or on the customer's account (decision 081). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customer add column skonto jsonb not null default '[]'`.execute(db)

  // What is left to be paid of a sent invoice. The invoice itself is frozen; this beside it moves.
  await sql`
    create table receivable (
      "invoiceId" bigint primary key references invoice,
      "companyId" bigint not null references company,
      "customerId" bigint not null references customer,
      "invoiceDate" date not null,
      "dueDate" date,
      "totalCents" bigint not null,
      "paidCents" bigint not null default 0,
      "skontoCents" bigint not null default 0,
      "correctedCents" bigint not null default 0,
      "openCents" bigint not null
        generated always as ("totalCents" - "paidCents" - "skontoCents" - "correctedCents") stored,
      -- agreed when it was sent
      skonto jsonb not null default '[]',
      "disputedAt" timestamptz,
      "disputedById" bigint references "user",
      "disputeReason" text,
      constraint "conflict__receivable_skonto" check ("skontoCents" >= 0),
      constraint "conflict__receivable_open" check (
        "openCents" between least("totalCents", 0) and greatest("totalCents", 0)),
      check (("disputedAt" is null) = ("disputeReason" is null))
    )
  `.execute(db)
  await sql`create index on receivable ("companyId", "customerId") where "openCents" <> 0`.execute(db)
  await sql`create index on receivable ("customerId", "companyId", "dueDate") where "openCents" <> 0`.execute(db)
  await sql`create index on receivable ("customerId", "companyId", "invoiceDate")`.execute(db)
  await sql`create index on receivable ("companyId")`.execute(db)
  await sql`create index on receivable ("disputedById")`.execute(db)
  await sql`
    create function open_receivable() returns trigger language plpgsql as $$
    begin
      insert into receivable ("invoiceId", "companyId", "customerId", "invoiceDate", "dueDate", "totalCents", skonto)
      select new.id, new."companyId", new."billingCustomerId", new."invoiceDate", new."dueDate", new."totalCents",
        case when new."correctionOfId" is null and new."totalCents" > 0 then c.skonto else '[]' end
      from customer c where c.id = new."billingCustomerId";
      return null;
    end $$
  `.execute(db)
  await sql`create trigger open_receivable after update of "frozenAt" on invoice for each row
    when (new."entityType" = 'customer' and old."frozenAt" is null and new."frozenAt" is not null)
    execute function open_receivable()`.execute(db)
  await sql`
    create function keep_receivable() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['paidCents', 'skontoCents', 'correctedCents', 'openCents', 'disputedAt',
        'disputedById', 'disputeReason'];
    begin
      if (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'what is owed of invoice % stays', old."invoiceId" using errcode = 'check_violation',
          constraint = 'frozen';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on receivable for each row execute function keep_receivable()`.execute(db)

  // Four kinds of booking: money that came, credit used for an invoice, money paid back, a correction set off.
  await sql`
    create table payment (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('payment', 'credit', 'refund', 'correction')),
      source text not null check (source in ('hand', 'status', 'earlier', 'correction')),
      "companyId" bigint not null references company,
      "customerId" bigint not null references customer,
      "valueDate" date not null,
      -- what moved between us and the customer: positive came in, negative went back, none where only our books moved
      "amountCents" bigint not null,
      payer text,
      reference text,
      "correctionId" bigint references invoice,
      "reversesId" bigint references payment,
      reason text,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      constraint payment_amount check (case
        when kind in ('credit', 'correction') then "amountCents" = 0
        when (kind = 'payment') = ("reversesId" is null) then "amountCents" > 0
        else "amountCents" < 0 end),
      check (("reversesId" is null) = (reason is null)),
      check ((kind = 'correction') = ("correctionId" is not null))
    )
  `.execute(db)
  await sql`create unique index "conflict__payment_reversed" on payment ("reversesId")
    where "reversesId" is not null`.execute(db)
  await sql`create unique index "conflict__payment_correction" on payment ("correctionId")
    where "correctionId" is not null`.execute(db)
  await sql`create index on payment ("customerId", "companyId", "valueDate", id)`.execute(db)
  await sql`create index on payment ("companyId")`.execute(db)
  await sql`create index on payment ("createdById")`.execute(db)

  await sql`
    create table payment_share (
      id bigint generated always as identity primary key,
      "paymentId" bigint not null references payment,
      -- null: the customer's account
      "invoiceId" bigint references receivable,
      "amountCents" bigint not null,
      "skontoCents" bigint not null default 0,
      check ("invoiceId" is not null or "skontoCents" = 0),
      check ("amountCents" <> 0 or "skontoCents" <> 0)
    )
  `.execute(db)
  await sql`create index on payment_share ("paymentId")`.execute(db)
  await sql`create index on payment_share ("invoiceId", id) where "invoiceId" is not null`.execute(db)

  // What customers have with each of our companies; never less than nothing.
  await sql`
    create table customer_account (
      "companyId" bigint not null references company,
      "customerId" bigint not null references customer,
      "balanceCents" bigint not null constraint "conflict__account_balance" check ("balanceCents" >= 0),
      primary key ("customerId", "companyId")
    )
  `.execute(db)
  await sql`create index on customer_account ("companyId")`.execute(db)

  await sql`
    create function book_share() returns trigger language plpgsql as $$
    declare
      booking record;
    begin
      select * into booking from payment where id = new."paymentId";
      if new."invoiceId" is null then
        -- A row that is proposed with less than nothing would be refused before it is added to the one there.
        update customer_account set "balanceCents" = "balanceCents" + new."amountCents"
          where "customerId" = booking."customerId" and "companyId" = booking."companyId";
        if not found then
          insert into customer_account ("companyId", "customerId", "balanceCents")
            values (booking."companyId", booking."customerId", new."amountCents")
            on conflict ("customerId", "companyId")
              do update set "balanceCents" = customer_account."balanceCents" + excluded."balanceCents";
        end if;
        return null;
      end if;
      update receivable set
          "paidCents" = "paidCents" + case when booking.kind = 'correction' then 0 else new."amountCents" end,
          "correctedCents" = "correctedCents" + case when booking.kind = 'correction' then new."amountCents" else 0 end,
          "skontoCents" = "skontoCents" + new."skontoCents"
        where "invoiceId" = new."invoiceId" and "customerId" = booking."customerId"
          and "companyId" = booking."companyId";
      if not found then
        raise exception 'invoice % is not of this customer', new."invoiceId" using errcode = 'check_violation',
          constraint = 'conflict__payment_invoice';
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger book after insert on payment_share for each row execute function book_share()`.execute(db)
  await sql`
    create function check_payment_shared() returns trigger language plpgsql as $$
    declare
      booked bigint;
      shared bigint;
      asked constant bigint := (to_jsonb(new) ->> case tg_table_name when 'payment' then 'id' else 'paymentId' end);
    begin
      select "amountCents" into booked from payment where id = asked;
      select coalesce(sum("amountCents"), 0) into shared from payment_share where "paymentId" = asked;
      if booked <> shared then
        raise exception 'payment % is not shared out to the cent', asked using errcode = 'check_violation',
          constraint = 'conflict__payment_shared';
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`
    create function keep_booking() returns trigger language plpgsql as $$
    begin
      raise exception 'what was booked stays' using errcode = 'check_violation', constraint = 'conflict__booking';
    end $$
  `.execute(db)
  for (const table of ['payment', 'payment_share']) {
    await sql`create constraint trigger shared after insert on ${sql.table(table)} deferrable initially deferred
      for each row execute function check_payment_shared()`.execute(db)
    await sql`create trigger keep before update or delete on ${sql.table(table)} for each row
      execute function keep_booking()`.execute(db)
  }

  await bookThePast(db)

  await sql`
    create function tell_receivable_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'invoice', 'ids', json_agg("invoiceId")))
        from (select "invoiceId", row_number() over (order by "invoiceId") / 100 as part from changed_rows) parts
        group by part;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_changed after update on receivable referencing new table as changed_rows
    for each statement execute function tell_receivable_changes()`.execute(db)
}

/**
 * Invoices that are there: corrections are set off and payments booked in the order in which they happened, each paid
 * one with what was open then, on the day on which it became paid. More is not known of them.
 */
async function bookThePast(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into receivable ("invoiceId", "companyId", "customerId", "invoiceDate", "dueDate", "totalCents")
    select id, "companyId", "billingCustomerId", "invoiceDate", "dueDate", "totalCents" from invoice
      where "entityType" = 'customer' and "frozenAt" is not null
  `.execute(db)
  await sql`
    do $$
    declare
      step record;
      booking bigint;
      owed bigint;
      off bigint;
    begin
      for step in
        select i.id, i."companyId", i."billingCustomerId", i."totalCents", i."correctionOfId", 'correction' as what,
            i."frozenAt" as at, coalesce(c."timeZone", 'UTC') as zone
          from invoice i join company c on c.id = i."companyId"
          where i."entityType" = 'customer' and i."frozenAt" is not null and i."correctionOfId" is not null
            and i."totalCents" < 0
        union all
        select i.id, i."companyId", i."billingCustomerId", i."totalCents", i."correctionOfId", 'paid',
            coalesce(i."paidAt", i."statusDate"), coalesce(c."timeZone", 'UTC')
          from invoice i join company c on c.id = i."companyId"
          where i."entityType" = 'customer' and i."frozenAt" is not null and i.status = 'paid'
        order by at, id
      loop
        if step.what = 'correction' then
          select least(greatest("openCents", 0), -step."totalCents") into off from receivable
            where "invoiceId" = step."correctionOfId";
          insert into payment (kind, source, "companyId", "customerId", "valueDate", "amountCents", "correctionId",
              "createdAt")
            values ('correction', 'earlier', step."companyId", step."billingCustomerId",
              (step.at at time zone step.zone)::date, 0, step.id, step.at) returning id into booking;
          insert into payment_share ("paymentId", "invoiceId", "amountCents")
            select booking, invoice, cents from (values (step.id, step."totalCents"), (step."correctionOfId", off),
              (null, -step."totalCents" - off)) shares(invoice, cents) where cents <> 0;
        else
          -- A correction that was paid back: what of it is on the account leaves it.
          if step."totalCents" < 0 and step."correctionOfId" is not null then
            select -sum(s."amountCents") into owed from payment p join payment_share s on s."paymentId" = p.id
              where p."correctionId" = step.id and s."invoiceId" is null;
          else
            select "openCents" into owed from receivable where "invoiceId" = step.id;
          end if;
          if coalesce(owed, 0) <> 0 then
            insert into payment (kind, source, "companyId", "customerId", "valueDate", "amountCents", "createdAt")
              values (case when owed > 0 then 'payment' else 'refund' end, 'earlier', step."companyId",
                step."billingCustomerId", (step.at at time zone step.zone)::date, owed, step.at)
              returning id into booking;
            insert into payment_share ("paymentId", "invoiceId", "amountCents") values (booking,
              case when step."totalCents" < 0 and step."correctionOfId" is not null then null else step.id end, owed);
          end if;
        end if;
      end loop;
    end $$
  `.execute(db)
  // The sums were looked at row by row; the tables can be altered after that alone.
  await sql`set constraints all immediate`.execute(db)
  await sql`set constraints all deferred`.execute(db)
}
