import { sql, type Kysely } from 'kysely'

/**
 * The database itself tells which orders a transaction has changed, once it commits: no way of writing can forget it,
 * and every node hears it (decision 031). `lost` are those who saw an order as its managers and do so no longer, or
 * the managers of one that is gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_order_changes() returns trigger language plpgsql as $$
    declare told text;
    begin
      if tg_op <> 'DELETE' then
        -- A message holds 8,000 bytes at most.
        for told in
          select json_build_object('kind', 'order', 'ids', json_agg(id))::text
            from (select id, row_number() over (order by id) / 100 as part from changed_rows) parts group by part
        loop
          perform pg_notify('changes', told);
        end loop;
      end if;
      if tg_op = 'UPDATE' then
        for told in
          select json_build_object('kind', 'order', 'ids', json_build_array(o.id), 'lost', (select json_agg(u)
            from unnest(o."managerIds") u where u <> all(n."managerIds")))::text
          from former_rows o join changed_rows n on n.id = o.id where not o."managerIds" <@ n."managerIds"
        loop
          perform pg_notify('changes', told);
        end loop;
      elsif tg_op = 'DELETE' then
        for told in select json_build_object('kind', 'order', 'ids', json_build_array(id), 'isGone', true, 'lost',
          to_json("managerIds"))::text from former_rows loop
          perform pg_notify('changes', told);
        end loop;
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_created after insert on "order" referencing new table as changed_rows
    for each statement execute function tell_order_changes()`.execute(db)
  await sql`create trigger tell_changed after update on "order" referencing old table as former_rows
    new table as changed_rows for each statement execute function tell_order_changes()`.execute(db)
  await sql`create trigger tell_deleted after delete on "order" referencing old table as former_rows
    for each statement execute function tell_order_changes()`.execute(db)
}
