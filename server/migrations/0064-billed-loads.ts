import { sql, type Kysely } from 'kysely'

/**
 * What was carried when its freight was billed, beside what the order says now, so that another quantity, weight or way
 * is told (decision 059). Kept by triggers, as the price is; what was billed before is taken as it stands today.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table billed_order
      add column "billedLoad" jsonb,
      add column "load" jsonb,
      add column "loadDiffers" boolean not null generated always as ("billedLoad" is distinct from "load") stored
  `.execute(db)
  await sql`create index on billed_order ("orderId") where "loadDiffers"`.execute(db)
  // Thousandths as numerics: a sum of floating point numbers depends on the order of its parts.
  await sql`
    create function load_of_order("wanted" bigint) returns jsonb language sql stable
      set search_path = public, pg_temp as $$
      select jsonb_build_object(
        'quantity', coalesce(sum(c.quantity::numeric(12, 3)), 0),
        'weightKg', coalesce(sum(c."weightKg"::numeric(12, 3)), 0),
        'volumeM3', coalesce(sum(c."volumeM3"::numeric(12, 3)), 0), 'ldm', coalesce(sum(c.ldm::numeric(12, 3)), 0),
        'from', concat_ws(' ', o."fromCountryCode", o."fromCity"), 'to', concat_ws(' ', o."toCountryCode", o."toCity"))
      from "order" o left join cargo c on c."orderId" = o.id where o.id = "wanted"
      group by o.id
    $$
  `.execute(db)
  await sql`
    create or replace function refresh_billed_order("wanted" bigint) returns void language plpgsql
      set search_path = public, pg_temp as $$
    begin
      insert into billed_order as old
          ("orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents", "billedLoad", "load")
        select "orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents", load_of_order("orderId"),
          load_of_order("orderId") from billed_freight where "orderId" = "wanted"
      on conflict ("orderId") do update set "invoiceId" = excluded."invoiceId",
        "invoiceNumber" = excluded."invoiceNumber", "billedCents" = excluded."billedCents",
        "priceCents" = excluded."priceCents", "load" = excluded."load",
        -- Another invoice, or another amount: somebody has looked at it and billed it so.
        "billedLoad" = case when old."invoiceId" is distinct from excluded."invoiceId"
          or old."billedCents" is distinct from excluded."billedCents" then excluded."load" else old."billedLoad" end;
      if not found then delete from billed_order where "orderId" = "wanted"; end if;
    end $$
  `.execute(db)
  await sql`
    create function note_cargo_of_billed_orders() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      update billed_order b set "load" = load_of_order(b."orderId")
        where b."orderId" in (select "orderId" from changed);
      return null;
    end $$
  `.execute(db)
  // One trigger for each: with a table of what changed no trigger can be for all three.
  for (const [event, table] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ])
    await sql`
      create trigger ${sql.ref(`billed_${event}`)} after ${sql.raw(event!)} on cargo
        referencing ${sql.raw(table!)} table as changed
        for each statement execute function note_cargo_of_billed_orders()
    `.execute(db)
  await sql`
    create function note_way_of_billed_order() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      update billed_order set "load" = load_of_order(new.id) where "orderId" = new.id;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger billed_way after update of "fromCountryCode", "fromCity", "toCountryCode", "toCity"
    on "order"
    for each row when ((new."fromCountryCode", new."fromCity", new."toCountryCode", new."toCity")
      is distinct from (old."fromCountryCode", old."fromCity", old."toCountryCode", old."toCity"))
    execute function note_way_of_billed_order()`.execute(db)
  await sql`update billed_order set "billedLoad" = load_of_order("orderId"), "load" = load_of_order("orderId")`.execute(
    db,
  )
}
