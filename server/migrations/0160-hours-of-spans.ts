import { sql, type Kysely } from 'kysely'

/**
 * How many orders waited how many hours, by month and department: few rows, of which mean and median of any period are
 * worked out (decision 134). It follows `order_span`, of which rows are added and removed, never changed.
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
    create function roll_up_spans() returns trigger language plpgsql set search_path = public, pg_temp as $$
    declare
      sign int := case tg_op when 'DELETE' then -1 else 1 end;
    begin
      insert into span_rollup as r (month, "departmentId", measure, hours, orders)
        select f.month, f."departmentId", m.measure, m.hours, sign * count(*)
        from moved f cross join lateral (values ('plan', f."planHours"), ('bill', f."billHours")) m(measure, hours)
        where m.hours is not null group by 1, 2, 3, 4
      on conflict (month, "departmentId", measure, hours) do update set orders = r.orders + excluded.orders;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger roll_up_spans_added after insert on order_span referencing new table as moved
    for each statement execute function roll_up_spans()`.execute(db)
  await sql`create trigger roll_up_spans_removed after delete on order_span referencing old table as moved
    for each statement execute function roll_up_spans()`.execute(db)

  await sql`
    insert into span_rollup (month, "departmentId", measure, hours, orders)
    select f.month, f."departmentId", m.measure, m.hours, count(*)
    from order_span f cross join lateral (values ('plan', f."planHours"), ('bill', f."billHours")) m(measure, hours)
    where m.hours is not null group by 1, 2, 3, 4
  `.execute(db)

  // Of the many lanes of a period the report adds up the ones that it shows.
  await sql`create index on punctuality_rollup (dimension, "departmentId", key, month)`.execute(db)
}
