import { sql, type Kysely } from 'kysely'

/** Extras of orders: waiting time, tolls and the like, approved, billed once, in the margin (decision 079). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table order_extra (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "orderId" bigint not null references "order" on delete cascade,
      -- of a merge's result: the order that is billed
      "sourceOrderId" bigint references "order",
      "routeId" bigint references route,
      kind text not null check (kind in ('waiting_time', 'tolls', 'customs', 'detour', 'additional_stop', 'handling',
        'storage', 'ferry', 'pallets', 'cancellation', 'weight', 'deduction', 'other')),
      text text,
      quantity numeric(12,3) not null check (quantity >= 0),
      unit text not null check (unit in ('hour', 'piece', 'day', 'flat')),
      "priceCents" bigint,
      "costCents" bigint,
      -- PostgreSQL rounds numerics half away from zero, as invoices do
      "netPriceCents" bigint generated always as (round(quantity * "priceCents")::bigint) stored,
      "netCostCents" bigint generated always as (round(quantity * "costCents")::bigint) stored,
      state text not null default 'open' check (state in ('open', 'approved', 'refused')),
      "decidedById" bigint references "user",
      "decidedAt" timestamptz,
      note text,
      -- the carrier's invoice whose difference it explains
      "bookedByInvoiceId" bigint references invoice,
      "createdById" bigint references "user",
      "createdAt" timestamptz not null,
      check ("priceCents" is not null or "costCents" is not null),
      check ((state = 'open') = ("decidedAt" is null))
    )
  `.execute(db)
  await sql`create index on order_extra ("orderId", id)`.execute(db)
  await sql`create index on order_extra ("routeId") where "routeId" is not null`.execute(db)
  await sql`create index on order_extra ("sourceOrderId") where "sourceOrderId" is not null`.execute(db)
  await sql`create index on order_extra ("bookedByInvoiceId") where "bookedByInvoiceId" is not null`.execute(db)
  await sql`create trigger tell_extras after insert or update or delete on order_extra
    for each row execute function tell_note_changes()`.execute(db)

  // The sums of what is approved, kept with the order as its margin is.
  await sql`
    alter table "order"
      add column "extrasPriceCents" bigint not null default 0,
      add column "extrasCostCents" bigint not null default 0
  `.execute(db)

  await sql`
    alter table invoice_line
      add column "extraId" bigint references order_extra,
      add column "billsExtra" boolean not null default false,
      add check (not "billsExtra" or "extraId" is not null)
  `.execute(db)
  await sql`create unique index "conflict__lines__extra_billed" on invoice_line ("extraId") where "billsExtra"`.execute(
    db,
  )
  await sql`create index on invoice_line ("extraId") where "extraId" is not null`.execute(db)
  await sql`
    create or replace function check_invoice_line_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      is_frozen constant boolean := case tg_op
        when 'INSERT' then is_frozen_invoice(new."invoiceId", null)
        when 'DELETE' then is_frozen_invoice(old."invoiceId", null)
        else is_frozen_invoice(old."invoiceId", new."invoiceId") end;
    begin
      -- What a canceled invoice has billed may be billed anew, and then only that changes.
      if is_frozen and not (tg_op = 'UPDATE'
        and (to_jsonb(new) - 'billsFreight' - 'billsExtra') is not distinct from
          (to_jsonb(old) - 'billsFreight' - 'billsExtra')
        and ((new."billsFreight" = old."billsFreight" and new."billsExtra" = old."billsExtra")
          or (new."billsFreight" <= old."billsFreight" and new."billsExtra" <= old."billsExtra"
            and exists (select 1 from invoice i where i.id = old."invoiceId" and i.status = 'canceled'))))
      then
        perform refuse_frozen('invoice ' || case when tg_op = 'INSERT' then new."invoiceId" else old."invoiceId" end);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)

  // What is billed stays as it was billed; a merge alone moves it to another order.
  await sql`
    create function check_extra_billed() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice_line line where line."extraId" = old.id and line."billsExtra")
        and (tg_op = 'DELETE'
          or (new.kind, new.text, new.quantity, new.unit, new."priceCents", new."costCents", new.state)
            is distinct from (old.kind, old.text, old.quantity, old.unit, old."priceCents", old."costCents", old.state)
          or coalesce(new."sourceOrderId", new."orderId") <> coalesce(old."sourceOrderId", old."orderId"))
      then
        raise exception 'extra % is billed', old.id
          using errcode = 'check_violation', constraint = 'conflict__state__extra_billed';
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger billed before update or delete on order_extra for each row
    execute function check_extra_billed()`.execute(db)
  await sql`
    create function check_bills_approved_extra() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      perform 1 from order_extra e where e.id = new."extraId" and e.state = 'approved' and e."priceCents" is not null
        and coalesce(e."sourceOrderId", e."orderId") is not distinct from new."orderId" for share;
      if not found then
        raise exception 'extra % is not to be billed', new."extraId"
          using errcode = 'check_violation', constraint = 'conflict__lines__extra_not_approved';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger bills_approved before insert or update of "extraId", "orderId", "billsExtra" on invoice_line
    for each row when (new."billsExtra") execute function check_bills_approved_extra()`.execute(db)

  /*
   * Approved extras that the carrier of a route is paid. Those that name no route are of the first one that a carrier
   * drives.
   */
  await sql`
    create function extras_owed(route_id bigint) returns bigint language sql stable as $$
      select coalesce(sum(e."netCostCents"), 0)::bigint from route r join order_extra e on e."orderId" = r."orderId"
      where r.id = route_id and e.state = 'approved' and e."netCostCents" is not null
        and coalesce(e."routeId", (select one.id from route one join assignment a on a."routeId" = one.id
          where one."orderId" = r."orderId" and a."carrierCompanyId" is not null
          order by one.status = 'canceled', one.n limit 1)) = r.id
    $$
  `.execute(db)
}
