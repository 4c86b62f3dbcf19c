import { sql, type Kysely } from 'kysely'

/**
 * Which orders nobody has billed, so that what customers will owe is found without reading all that they ever ordered.
 * More may stand here than is so, never less: who reads it looks up what is billed. And small credits can be given up
 * (decision 150), and entries of the bank that may have come before are kept (decision 082).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await unbilledOrders(db)
  await smallCredits(db)
  await doubtfulEntries(db)
}

async function unbilledOrders(db: Kysely<unknown>): Promise<void> {
  await sql`create table unbilled_order ("orderId" bigint primary key references "order" on delete cascade)`.execute(db)
  // Canceled ones, and the transport of merged ones, are never billed.
  await sql`
    create function note_unbilled_order() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if new.status = 'canceled' or new."isMergeResult" then
        delete from unbilled_order where "orderId" = new.id;
      else
        insert into unbilled_order select new.id
          where not exists (select 1 from billed_order b where b."orderId" = new.id)
          on conflict do nothing;
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger unbilled_insert after insert on "order" for each row
    execute function note_unbilled_order()`.execute(db)
  await sql`create trigger unbilled_update after update of status, "isMergeResult" on "order" for each row
    when ((new.status = 'canceled') <> (old.status = 'canceled') or new."isMergeResult" <> old."isMergeResult")
    execute function note_unbilled_order()`.execute(db)
  await sql`
    create function note_billing_of_order() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then
        delete from unbilled_order where "orderId" = new."orderId";
      else
        -- Whatever its status: it may be moved at this moment. An order that is deleted takes its billing along.
        insert into unbilled_order select o.id from "order" o where o.id = old."orderId" on conflict do nothing;
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger unbilled after insert or delete on billed_order for each row
    execute function note_billing_of_order()`.execute(db)
  await sql`
    insert into unbilled_order select o.id from "order" o
      where o.status <> 'canceled' and not o."isMergeResult"
        and not exists (select 1 from billed_order b where b."orderId" = o.id)
  `.execute(db)
}

/** What is given up of a customer's account goes the other way: nothing is left of it there. */
async function smallCredits(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment drop constraint payment_kind_check`.execute(db)
  await sql`alter table payment add constraint payment_kind_check
    check (kind in ('payment', 'credit', 'refund', 'correction', 'claim', 'write_off', 'credit_write_off'))`.execute(db)
}

/** An entry that says the same as one of another statement, where nothing tells whether both are one movement. */
async function doubtfulEntries(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_entry add "resemblesId" bigint references bank_entry`.execute(db)
  await sql`create index on bank_entry ("resemblesId") where "resemblesId" is not null`.execute(db)
}
