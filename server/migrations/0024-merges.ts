import { sql, type Kysely } from 'kysely'

/** Merging orders: whence a cargo came, and what the database itself holds of it (domain, Merge). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "order" add "isMergeResult" boolean not null default false`.execute(db)
  await sql`update "order" set "isMergeResult" = true where id in (select "mergedIntoId" from "order"
    where "mergedIntoId" is not null)`.execute(db)
  // Of the result of a merge: the order that brought the line along. It stays when the merge is undone.
  await sql`alter table cargo add "sourceOrderId" bigint references "order" on delete set null`.execute(db)
  await sql`create index on cargo ("sourceOrderId") where "sourceOrderId" is not null`.execute(db)

  // One column names the one result, so no order is in two; status and column say the same.
  await sql`alter table "order" add constraint "conflict__status__order_merged"
    check ((status = 'merged') = ("mergedIntoId" is not null))`.execute(db)

  await sql`
    create function check_order_merge() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        raise exception 'order % is merged', old.id using errcode = 'check_violation',
          constraint = 'conflict__status__order_merged';
      end if;
      if old.status = 'merged' then
        -- The way back is unmerging, which says so for its own transaction; a customer's new title may follow, and what
        -- is worked out from stops.
        if new.status = 'new' and new."mergedIntoId" is null
          and coalesce(current_setting('waybill.unmerge', true), '') = 'on' then
          return new;
        end if;
        if to_jsonb(new) - '{customerTitle,searchKey,laneKey}'::text[]
          is distinct from to_jsonb(old) - '{customerTitle,searchKey,laneKey}'::text[] then
          raise exception 'order % is merged', old.id using errcode = 'check_violation',
            constraint = 'conflict__status__order_merged';
        end if;
        return new;
      end if;
      if old.status <> 'new' or old."isMergeResult"
        or exists (select 1 from route r where r."orderId" = old.id)
        or not exists (select 1 from "order" o where o.id = new."mergedIntoId" and o."isMergeResult"
          and o."departmentId" = old."departmentId")
      then
        raise exception 'order % may not be merged', old.id using errcode = 'check_violation', constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger merged after update on "order" for each row
    when (old.status = 'merged' or new.status = 'merged') execute function check_order_merge()`.execute(db)
  await sql`create trigger merged_delete before delete on "order" for each row when (old.status = 'merged')
    execute function check_order_merge()`.execute(db)

  // What belongs to a merged order is read-only with it.
  const refuseParts = (name: string, ownerOf: (row: 'old' | 'new') => string) =>
    sql`
      create function ${sql.ref(name)}() returns trigger language plpgsql as $$
      declare
        owner bigint;
      begin
        if tg_op = 'DELETE' then owner := ${sql.raw(ownerOf('old'))}; else owner := ${sql.raw(ownerOf('new'))}; end if;
        if exists (select 1 from "order" o where o.id = owner and o.status = 'merged') then
          raise exception 'order % is merged', owner using errcode = 'check_violation',
            constraint = 'conflict__status__order_merged';
        end if;
        if tg_op = 'DELETE' then return old; end if;
        return new;
      end $$
    `.execute(db)
  await refuseParts('refuse_part_of_merged', (row) => `${row}."orderId"`)
  await refuseParts(
    'refuse_part_of_merged_cargo',
    (row) => `(select c."orderId" from cargo c where c.id = ${row}."cargoId")`,
  )
  const guard = (table: string, name: string) =>
    sql`create trigger of_merged before insert or update or delete on ${sql.table(table)} for each row
      execute function ${sql.ref(name)}()`.execute(db)
  for (const table of ['cargo', 'location', 'route', 'order_customer', 'order_manager'])
    await guard(table, 'refuse_part_of_merged')
  for (const table of ['cargo_action', 'cargo_special_handling']) await guard(table, 'refuse_part_of_merged_cargo')
}
