import { sql, type Kysely } from 'kysely'

const STOPS = [
  'trips',
  'loadings',
  'loadingsInTime',
  'unloadings',
  'unloadingsInTime',
  'lateMinutes',
  'excused',
  'unmeasured',
]

const WAITED = `(values ('plan', f."planHours"), ('bill', f."billHours")) m(measure, hours)`

/** How many orders of `f` waited how many hours. */
const byHours = (sign: string, from: string): string => `
  select f.month, f."departmentId", m.measure, m.hours, ${sign} * count(*) from ${from} f cross join lateral ${WAITED}
  where m.hours is not null group by 1, 2, 3, 4`

/** How many orders of each customer have waited; department 0 is all of them. */
const byCustomer = (sign: string, from: string): string => `
  select of."departmentId", f.month, f."customerId", ${sign} * count(f."planHours"), ${sign} * count(f."billHours")
  from ${from} f cross join lateral (values (0), (f."departmentId")) of("departmentId") group by 1, 2, 3`

/**
 * How many orders waited how many hours, by month and department: few rows, of which mean and median of any period are
 * worked out (decision 134). Both rollups follow `order_span`, of which rows are added and removed, never changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table span_rollup (
      month date not null,
      "departmentId" bigint not null,
      measure text not null check (measure in ('plan', 'bill')),
      hours int not null,
      orders int not null,
      primary key (month, "departmentId", measure, hours)
    )
  `.execute(db)
  await sql`
    create table span_customer_rollup (
      "departmentId" bigint not null,
      month date not null,
      "customerId" bigint not null,
      plans int not null,
      bills int not null,
      primary key ("departmentId", month, "customerId") include (plans, bills)
    )
  `.execute(db)

  await sql
    .raw(`
    create function roll_up_spans() returns trigger language plpgsql set search_path = public, pg_temp as $$
    declare
      sign int := case tg_op when 'DELETE' then -1 else 1 end;
    begin
      insert into span_rollup as r (month, "departmentId", measure, hours, orders) ${byHours('sign', 'moved')}
        on conflict (month, "departmentId", measure, hours) do update set orders = r.orders + excluded.orders;
      insert into span_customer_rollup as r ("departmentId", month, "customerId", plans, bills)
        ${byCustomer('sign', 'moved')}
        on conflict ("departmentId", month, "customerId")
          do update set plans = r.plans + excluded.plans, bills = r.bills + excluded.bills;
      return null;
    end $$`)
    .execute(db)
  await sql`create trigger roll_up_spans_added after insert on order_span referencing new table as moved
    for each statement execute function roll_up_spans()`.execute(db)
  await sql`create trigger roll_up_spans_removed after delete on order_span referencing old table as moved
    for each statement execute function roll_up_spans()`.execute(db)
  await sql
    .raw(
      `insert into span_rollup (month, "departmentId", measure, hours, orders) ${byHours('1', 'order_span')};
      insert into span_customer_rollup ("departmentId", month, "customerId", plans, bills)
        ${byCustomer('1', 'order_span')}`,
    )
    .execute(db)

  // The medians of a customer are worked out of its own rows alone, which an index holds; periods of all by the rollup.
  await sql`create index on order_span ("customerId", month)
    include ("departmentId", "planHours", "billHours", "orderId")`.execute(db)
  await sql`drop index "order_span_customerId_month_idx",
    "order_span_month_customerId_departmentId_planHours_billHour_idx"`.execute(db)

  // A period is read without the rows themselves; of its many lanes all figures are read of those alone that are shown.
  await sql`create index on punctuality_rollup (dimension, "departmentId", month, key)
    include (${sql.join(STOPS.map((name) => sql.ref(name)))})`.execute(db)
  await sql`alter table punctuality_rollup drop constraint punctuality_rollup_pkey,
    add primary key (dimension, "departmentId", key, month)`.execute(db)
}
