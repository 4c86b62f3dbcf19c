import { sql, type Kysely } from 'kysely'
import { ORDER_MOVE_PAIRS } from '@waybill/contract/order/status'

/** The steps that the database lets a route take, how undo passes them, and the indexes of the orders list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [from, to] of ORDER_MOVE_PAIRS)
    await sql`insert into order_move ("from", "to") values (${from}, ${to})`.execute(db)

  // Undo restores what was a moment ago: not a step of the trade, so it is no pair of the table. It says so for its
  // own transaction only.
  await sql`
    create or replace function check_route_status() returns trigger language plpgsql as $$
    begin
      if new.status <> old.status
        and coalesce(current_setting('waybill.undo', true), '') <> 'on'
        and not exists (select 1 from order_move m where m."from" = old.status and m."to" = new.status)
      then
        raise exception 'route % may not go from % to %', old.id, old.status, new.status
          using errcode = 'check_violation', constraint = 'route_status_step';
      end if;
      return new;
    end $$
  `.execute(db)

  // A canceled stop keeps what was to happen there, while the cargo goes to another: the rule of one pick-up and one
  // drop-off counts stops that are driven.
  await sql`alter table cargo_action drop constraint "action_twice__locations",
    add primary key ("cargoId", "locationId", action)`.execute(db)

  // The last number given to a route of the order: never given again, although its route is gone (domain, Order).
  await sql`alter table "order" add "lastRouteN" int not null default 0`.execute(db)
  await sql`update "order" o
    set "lastRouteN" = coalesce((select max(n) from route r where r."orderId" = o.id), 0)`.execute(db)

  // Statuses sort as they follow each other, not by their letters.
  await sql`
    alter table "order" add "statusRank" int not null generated always as (
      case status when 'new' then 1 when 'scheduled' then 2 when 'in_transit' then 3 when 'arrived' then 4
        when 'delivered' then 5 when 'completed' then 6 when 'canceled' then 7 else 8 end
    ) stored
  `.execute(db)
  await sql`create index on "order" ("statusRank", id)`.execute(db)

  // Empty values come last both ways: ascending that is the order of a plain index, descending it needs its own.
  for (const column of ['firstLoadingAt', 'lastUnloadingAt', 'customerPriceCents', 'marginBp']) {
    await sql`create index on "order" (${sql.ref(column)} desc nulls last, id desc)`.execute(db)
  }

  // The filters that no other index serves.
  for (const column of [
    'scheduledAt',
    'inTransitAt',
    'arrivedAt',
    'deliveredAt',
    'completedAt',
    'canceledAt',
    'mergedAt',
  ]) {
    await sql`create index on "order" (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
  }
  await sql`create index on "order" ("newAt")`.execute(db)
  await sql`create index on "order" ("fromCountryCode", "toCountryCode", "createdAt" desc, id desc)`.execute(db)
  await sql`create index on "order" ("toCountryCode", "createdAt" desc, id desc)`.execute(db)
  await sql`create index on "order" (disposition, "createdAt" desc, id desc) where disposition is not null`.execute(db)
  await sql`create index on "order" ("createdAt" desc, id desc) where deviations <> '{}'`.execute(db)
  await sql`create index on "order" ("createdAt" desc, id desc) where state = 'inactive'`.execute(db)
  await sql`create index on "order" ("expectedLoadingAt") where status = 'scheduled'`.execute(db)
  await sql`create index on "order" ("expectedUnloadingAt") where status in ('in_transit', 'arrived')`.execute(db)
  await sql`create index on "order" ("contactPersonId") where "contactPersonId" is not null`.execute(db)
  await sql`create index on cargo ("customerId")`.execute(db)
}
