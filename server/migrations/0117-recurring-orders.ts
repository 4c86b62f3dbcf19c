import { sql, type Kysely } from 'kysely'

/** Patterns that make orders ahead of their day (decision 114). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recurring_order (
      id bigint generated always as identity primary key,
      version int not null default 1,
      state text not null default 'active' check (state in ('active', 'paused', 'ended')),
      title text not null,
      "customerId" bigint not null references customer,
      "departmentId" bigint not null references department,
      "keeperId" bigint not null references "user",
      "createdById" bigint references "user",
      "createdAt" timestamptz not null,
      weekdays smallint[] not null check (cardinality(weekdays) > 0 and weekdays <@ '{1,2,3,4,5,6,7}'),
      "fromDay" date not null,
      "untilDay" date,
      "everyWeeks" smallint not null check ("everyWeeks" between 1 and 4),
      "daysAhead" smallint not null check ("daysAhead" between 0 and 60),
      "skipsHolidays" boolean not null,
      "leftOut" date[] not null,
      template jsonb not null check (jsonb_typeof(template) = 'object'),
      lane jsonb not null check (jsonb_typeof(lane) = 'object'),
      "fromCountryCode" text not null,
      "fromPostal" text,
      "fromCity" text,
      "toCountryCode" text not null,
      "toPostal" text,
      "toCity" text,
      "sourceOrderId" bigint references "order" on delete set null,
      "sourceNumber" text not null,
      "nextDay" date,
      "dueOn" date,
      fault jsonb,
      "searchKey" text generated always as (search_key(title || ' ' || coalesce("fromCity", '') || ' '
        || coalesce("toCity", ''))) stored,
      constraint recurring_ends_after_it_begins check ("fromDay" <= "untilDay"),
      constraint due_with_its_day check (("nextDay" is null) = ("dueOn" is null)),
      constraint ended_is_not_due check (state = 'active' or "nextDay" is null)
    )
  `.execute(db)
  // The job asks for what is due; lists go by the next day.
  await sql`create index on recurring_order ("dueOn", id) where "dueOn" is not null`.execute(db)
  await sql`create index on recurring_order (state, "nextDay", id)`.execute(db)
  await sql`create index on recurring_order ("nextDay", id)`.execute(db)
  for (const column of ['customerId', 'departmentId', 'keeperId', 'createdById', 'sourceOrderId'])
    await sql`create index on recurring_order (${sql.ref(column)})`.execute(db)

  await sql`
    create table recurring_day (
      "recurringOrderId" bigint not null references recurring_order,
      day date not null,
      "orderId" bigint references "order" on delete set null,
      "orderNumber" text not null,
      "madeAt" timestamptz not null,
      constraint "conflict__recurring_day" primary key ("recurringOrderId", day)
    )
  `.execute(db)
  await sql`create unique index "conflict__recurring_day_order" on recurring_day ("orderId")
    where "orderId" is not null`.execute(db)
}
