import { sql, type Kysely } from 'kysely'

/** Payment reminders, and how much credit customers have (decision 086). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table company add column "reminderLevels" jsonb not null default '[
      {"afterDays": 7, "payDays": 7, "hasFee": false, "hasInterest": false},
      {"afterDays": 21, "payDays": 7, "hasFee": true, "hasInterest": false},
      {"afterDays": 35, "payDays": 7, "hasFee": true, "hasInterest": true}]'
  `.execute(db)
  await sql`alter table customer add column "remindersOff" boolean not null default false`.execute(db)
  await sql`alter table country add column "latePayment" jsonb not null
    default '{"aboveBp": 0, "rates": [], "fees": []}'`.execute(db)
  // As seeds/late-payment.ts has them for a database that begins after this; its sources stand there.
  await sql`
    update country set "latePayment" = terms.terms, version = version + 1
      from (values
        ('DE', '{"aboveBp": 900, "rates": [
            {"from": "2024-01-01", "baseBp": 362}, {"from": "2024-07-01", "baseBp": 337},
            {"from": "2025-01-01", "baseBp": 227}, {"from": "2025-07-01", "baseBp": 127},
            {"from": "2026-01-01", "baseBp": 127}],
          "fees": [{"fromCents": 0, "feeCents": 4000}]}'::jsonb),
        ('AT', '{"aboveBp": 920, "rates": [
            {"from": "2025-07-01", "baseBp": 153}, {"from": "2026-01-01", "baseBp": 153}],
          "fees": [{"fromCents": 0, "feeCents": 4000}]}'),
        ('PL', '{"aboveBp": 1000, "rates": [
            {"from": "2024-01-01", "baseBp": 575}, {"from": "2025-07-01", "baseBp": 525},
            {"from": "2026-01-01", "baseBp": 400}],
          "fees": [{"fromCents": 0, "feeCents": 4000}, {"fromCents": 117001, "feeCents": 7000},
            {"fromCents": 1170000, "feeCents": 10000}]}')
      ) terms(code, terms) where country.code = terms.code
  `.execute(db)

  await sql`
    create table reminder (
      id bigint generated always as identity primary key,
      "companyId" bigint not null references company,
      "customerId" bigint not null references customer,
      level int not null check (level between 1 and 3),
      "asOf" date not null,
      "payUntil" date not null,
      "openCents" bigint not null,
      "feeCents" bigint not null check ("feeCents" >= 0),
      "interestCents" bigint not null check ("interestCents" >= 0),
      -- the one of its invoices that its mail belongs to
      "mailInvoiceId" bigint not null references receivable,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user"
    )
  `.execute(db)
  await sql`create index on reminder ("customerId", "companyId")`.execute(db)
  await sql`create index on reminder ("companyId")`.execute(db)
  await sql`create index on reminder ("mailInvoiceId")`.execute(db)
  await sql`create index on reminder ("createdById")`.execute(db)
  await sql`
    create table reminder_item (
      id bigint generated always as identity primary key,
      "reminderId" bigint not null references reminder,
      "invoiceId" bigint not null references receivable,
      level int not null check (level between 1 and 3),
      "daysLate" int not null check ("daysLate" > 0),
      "openCents" bigint not null check ("openCents" > 0),
      "feeCents" bigint not null check ("feeCents" >= 0),
      "interestCents" bigint not null check ("interestCents" >= 0),
      -- two people at once: the second is told
      constraint "conflict__reminder_level" unique ("invoiceId", level)
    )
  `.execute(db)
  await sql`create index on reminder_item ("reminderId")`.execute(db)
  await sql`
    create function keep_reminder() returns trigger language plpgsql as $$
    begin
      raise exception 'what a customer was reminded of stays' using errcode = 'check_violation',
        constraint = 'conflict';
    end $$
  `.execute(db)
  for (const table of ['reminder', 'reminder_item'])
    await sql`create trigger keep before update or delete on ${sql.table(table)} for each row
      execute function keep_reminder()`.execute(db)
  // The level stands on the invoice: who looks at it, or at the open items, is told.
  await sql`
    create function tell_reminded() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'invoice', 'ids', json_agg("invoiceId")))
        from (select "invoiceId", row_number() over (order by "invoiceId") / 100 as part from changed_rows) parts
        group by part;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_changed after insert on reminder_item referencing new table as changed_rows
    for each statement execute function tell_reminded()`.execute(db)

  await sql`alter table customer add column "creditLimitCents" bigint
    check ("creditLimitCents" between 0 and 1000000000000)`.execute(db)
  await sql`
    create table credit_lift (
      id bigint generated always as identity primary key,
      "customerId" bigint not null references customer on delete cascade,
      reason text not null,
      until date not null,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "endedAt" timestamptz,
      "endedById" bigint references "user"
    )
  `.execute(db)
  // Two people at once: the second is told.
  await sql`create unique index "conflict__credit_lift" on credit_lift ("customerId")
    where "endedAt" is null`.execute(db)
  await sql`create index on credit_lift ("customerId")`.execute(db)
  await sql`create index on credit_lift ("createdById")`.execute(db)
  await sql`create index on credit_lift ("endedById")`.execute(db)
}
