import { sql, type Kysely } from 'kysely'

/**
 * What the database tells is kept for some minutes, so that a page whose connection was broken hears what it has missed
 * (decision 073). The three ways of telling go through one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table told_change (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      told jsonb not null
    )
  `.execute(db)
  await sql`create index on told_change (at)`.execute(db)
  await sql`
    create function tell_change(told json) returns void language plpgsql as $$
    begin
      insert into told_change (told) values (told::jsonb);
      perform pg_notify('changes', told::text);
    end $$
  `.execute(db)
  await sql`
    create or replace function tell_order_changes() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' then
        -- A message holds 8,000 bytes at most.
        perform tell_change(json_build_object('kind', 'order', 'ids', json_agg(id)))
          from (select id, row_number() over (order by id) / 100 as part from changed_rows) parts group by part;
      end if;
      if tg_op = 'UPDATE' then
        perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array(o.id), 'lost',
          (select json_agg(u) from unnest(o."managerIds") u where u <> all(n."managerIds"))))
        from former_rows o join changed_rows n on n.id = o.id where not o."managerIds" <@ n."managerIds";
      elsif tg_op = 'DELETE' then
        perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array(id), 'isGone', true, 'lost',
          to_json("managerIds"))) from former_rows;
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`
    create or replace function tell_mail_changes() returns trigger language plpgsql as $$
    begin
      if new."ownerKind" in ('order', 'invoice') and new."ownerId" is not null then
        perform tell_change(json_build_object('kind', new."ownerKind", 'ids', json_build_array(new."ownerId")));
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`
    create or replace function tell_note_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array(
        case when tg_op = 'DELETE' then old."orderId" else new."orderId" end)));
      return null;
    end $$
  `.execute(db)
}
