import { sql, type Kysely } from 'kysely'

/** What came of claims of late payment: paid from the customer's account, or waived (decision 090). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What was booked of an invoice's claims when the reminder was written: it names the rest alone.
  await sql`alter table reminder_item
    add column "bookedFeeCents" bigint not null default 0 check ("bookedFeeCents" >= 0),
    add column "bookedInterestCents" bigint not null default 0 check ("bookedInterestCents" >= 0)`.execute(db)

  await sql`alter table payment drop constraint payment_kind_check`.execute(db)
  await sql`alter table payment add constraint payment_kind_check
    check (kind in ('payment', 'credit', 'refund', 'correction', 'claim'))`.execute(db)
  await sql`alter table payment drop constraint payment_amount`.execute(db)
  await sql`alter table payment add constraint payment_amount check (case
    when kind in ('credit', 'correction', 'claim') then "amountCents" = 0
    when (kind = 'payment') = ("reversesId" is null) then "amountCents" > 0
    else "amountCents" < 0 end)`.execute(db)

  await sql`
    create table claim_booking (
      id bigint generated always as identity primary key,
      "invoiceId" bigint not null references receivable,
      kind text not null check (kind in ('paid', 'waived')),
      -- negative: taken back
      "feeCents" bigint not null,
      "interestCents" bigint not null,
      -- the one that took it from the customer's account, or brought it back
      "paymentId" bigint references payment,
      "reversesId" bigint references claim_booking,
      reason text,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      check (("paymentId" is not null) = (kind = 'paid')),
      check ((reason is not null) = (kind = 'waived' or "reversesId" is not null)),
      constraint claim_booking_amount check (case when "reversesId" is null
        then "feeCents" >= 0 and "interestCents" >= 0 and "feeCents" + "interestCents" > 0
        else "feeCents" <= 0 and "interestCents" <= 0 and "feeCents" + "interestCents" < 0 end)
    )
  `.execute(db)
  await sql`create index on claim_booking ("invoiceId", id)`.execute(db)
  await sql`create unique index "conflict__claim_payment" on claim_booking ("paymentId")
    where "paymentId" is not null`.execute(db)
  await sql`create unique index "conflict__claim_reversed" on claim_booking ("reversesId")
    where "reversesId" is not null`.execute(db)
  await sql`create index on claim_booking ("createdById")`.execute(db)

  // The flat sum is claimed once for an invoice; of interest the newest reminder says how much. Of an invoice that was
  // canceled nothing is claimed any more.
  await sql`
    create view invoice_claim as
    select claimed."invoiceId", claimed."feeCents", claimed."interestCents", booked."paidFeeCents",
        booked."paidInterestCents", booked."waivedFeeCents", booked."waivedInterestCents",
        case when i.status = 'canceled' then 0
          else claimed."feeCents" - booked."paidFeeCents" - booked."waivedFeeCents" end as "openFeeCents",
        case when i.status = 'canceled' then 0
          else claimed."interestCents" - booked."paidInterestCents" - booked."waivedInterestCents" end
          as "openInterestCents"
      from (select "invoiceId", max("feeCents" + "bookedFeeCents") as "feeCents",
          (array_agg("interestCents" + "bookedInterestCents" order by id desc))[1] as "interestCents"
        from reminder_item group by "invoiceId") claimed
      join invoice i on i.id = claimed."invoiceId"
      cross join lateral (select
          coalesce(sum("feeCents") filter (where kind = 'paid'), 0)::bigint as "paidFeeCents",
          coalesce(sum("interestCents") filter (where kind = 'paid'), 0)::bigint as "paidInterestCents",
          coalesce(sum("feeCents") filter (where kind = 'waived'), 0)::bigint as "waivedFeeCents",
          coalesce(sum("interestCents") filter (where kind = 'waived'), 0)::bigint as "waivedInterestCents"
        from claim_booking one where one."invoiceId" = claimed."invoiceId") booked
  `.execute(db)

  // Never more than is claimed, also where two people book at once: what is owed of the invoice is locked.
  await sql`
    create function check_claim_booking() returns trigger language plpgsql as $$
    declare
      owed record;
      original record;
    begin
      perform 1 from receivable where "invoiceId" = new."invoiceId" for update;
      if new."reversesId" is not null then
        select * into original from claim_booking where id = new."reversesId";
        if original."reversesId" is not null
          or row(original."invoiceId", original.kind, -original."feeCents", -original."interestCents")
            <> row(new."invoiceId", new.kind, new."feeCents", new."interestCents")
        then
          raise exception 'booking % is taken back as a whole, once', new."reversesId"
            using errcode = 'check_violation', constraint = 'conflict__claim_reversed';
        end if;
      else
        select * into owed from invoice_claim where "invoiceId" = new."invoiceId";
        if not found or new."feeCents" > owed."openFeeCents" or new."interestCents" > owed."openInterestCents" then
          raise exception 'more than is claimed of invoice %', new."invoiceId" using errcode = 'check_violation',
            constraint = 'conflict__claim_exceeded';
        end if;
      end if;
      if new."paymentId" is not null and not exists (select 1 from payment p join receivable r
          on r."customerId" = p."customerId" and r."companyId" = p."companyId"
          where p.id = new."paymentId" and p.kind = 'claim' and r."invoiceId" = new."invoiceId")
      then
        raise exception 'payment % is not of this claim', new."paymentId" using errcode = 'check_violation',
          constraint = 'conflict__claim_payment';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger check_claimed before insert on claim_booking for each row
    execute function check_claim_booking()`.execute(db)
  await sql`create trigger keep before update or delete on claim_booking for each row
    execute function keep_booking()`.execute(db)

  // What left the account for a claim is a part of its payment, as its shares are.
  await sql`
    create or replace function check_payment_shared() returns trigger language plpgsql as $$
    declare
      booked bigint;
      shared bigint;
      asked constant bigint := (to_jsonb(new) ->> case tg_table_name when 'payment' then 'id' else 'paymentId' end);
    begin
      if asked is null then return null; end if;
      select "amountCents" into booked from payment where id = asked;
      select coalesce((select sum("amountCents") from payment_share where "paymentId" = asked), 0)
        + coalesce((select sum("feeCents" + "interestCents") from claim_booking where "paymentId" = asked), 0)
        into shared;
      if booked <> shared then
        raise exception 'payment % is not shared out to the cent', asked using errcode = 'check_violation',
          constraint = 'conflict__payment_shared';
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create constraint trigger shared after insert on claim_booking deferrable initially deferred
    for each row execute function check_payment_shared()`.execute(db)
  await sql`create trigger tell_changed after insert on claim_booking referencing new table as changed_rows
    for each statement execute function tell_reminded()`.execute(db)

  // Where income from late payment is booked; named by people, as the other accounts are.
  await sql`update company set bookkeeping = '{"feeAccount": null, "interestAccount": null}'::jsonb || bookkeeping,
    version = version + 1 where bookkeeping is not null`.execute(db)
}
