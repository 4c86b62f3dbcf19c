import { sql, type Kysely } from 'kysely'

/**
 * What of each order's freight is billed, beside its price, so that a difference is found without looking through all
 * invoices (decision 048). Kept by triggers, for every way of sending, correcting or pricing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table billed_order (
      "orderId" bigint primary key references "order" on delete cascade,
      -- the invoice that bills the freight, with what its corrections changed
      "invoiceId" bigint not null references invoice,
      "invoiceNumber" text not null,
      "billedCents" bigint not null,
      "priceCents" bigint,
      differs boolean not null generated always as ("billedCents" is distinct from "priceCents") stored
    )
  `.execute(db)
  await sql`create index on billed_order ("orderId") where differs`.execute(db)
  await sql`create index on invoice ("correctionOfId") where "correctionOfId" is not null`.execute(db)
  // A correction's lines count for the freight, unless they may be about an extra of the same order.
  await sql`
    create view billed_freight as
    select line."orderId", i.id as "invoiceId", i.number as "invoiceNumber", o."customerPriceCents" as "priceCents",
      line."netCents" + coalesce((
        select sum(more."netCents") from invoice correction join invoice_line more on more."invoiceId" = correction.id
        where correction."correctionOfId" = i.id and correction."frozenAt" is not null
          and correction.status <> 'canceled' and more."orderId" = line."orderId"
          and (more.kind = 'freight' or not exists (select 1 from invoice_line extra where extra."invoiceId" = i.id
            and extra."orderId" = line."orderId" and extra.kind = 'extra'))
      ), 0)::bigint as "billedCents"
    from invoice_line line join invoice i on i.id = line."invoiceId" join "order" o on o.id = line."orderId"
    where line."billsFreight" and i."frozenAt" is not null and i.status <> 'canceled'
  `.execute(db)
  await sql`
    create function refresh_billed_order("wanted" bigint) returns void language plpgsql
      set search_path = public, pg_temp as $$
    begin
      insert into billed_order ("orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents")
      select "orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents" from billed_freight
        where "orderId" = "wanted"
      on conflict ("orderId") do update set "invoiceId" = excluded."invoiceId",
        "invoiceNumber" = excluded."invoiceNumber", "billedCents" = excluded."billedCents",
        "priceCents" = excluded."priceCents";
      if not found then delete from billed_order where "orderId" = "wanted"; end if;
    end $$
  `.execute(db)
  await sql`
    create function refresh_orders_of_invoice() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      perform refresh_billed_order(link."orderId") from invoice_order link where link."invoiceId" = new.id;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger billed after update of "frozenAt", status on invoice for each row
    when (new."entityType" = 'customer' and new."frozenAt" is not null
      and (old."frozenAt" is null or (old.status = 'canceled') <> (new.status = 'canceled')))
    execute function refresh_orders_of_invoice()`.execute(db)
  await sql`
    create function note_price_of_billed_order() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      update billed_order set "priceCents" = new."customerPriceCents" where "orderId" = new.id;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger billed after update of "customerPriceCents" on "order" for each row
    when (new."customerPriceCents" is distinct from old."customerPriceCents")
    execute function note_price_of_billed_order()`.execute(db)
  await sql`
    insert into billed_order ("orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents")
    select "orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents" from billed_freight
  `.execute(db)
}
