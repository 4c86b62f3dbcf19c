import { sql, type Kysely } from 'kysely'

/**
 * When a mail was settled (decision 063), and which of a carrier's payments are set-offs, in which no money flows
 * (decision 140).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await settledMails(db)
  await bookedSetOffs(db)
}

/**
 * When the words of a mail were fixed, or when it was let go: one that was let go and planned anew leaves after others
 * that were written down later, so the last number is not the last word. Those of before have none and stand by when
 * they were written down; what carriers were told is put in order, because it says what they have in hand. A mail is
 * written when it is due, and a failed try moves that on.
 */
async function settledMails(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email add "settledAt" timestamptz`.execute(db)
  await sql`
    update email set "settledAt" = greatest("createdAt", least("notBefore", "sentAt",
      (select min(attempt.at) from email_try attempt where attempt."emailId" = email.id)))
    where type = 'order_resolved' and "causeKey" is not null and status in ('queued', 'waiting', 'sent', 'failed')
  `.execute(db)
}

async function bookedSetOffs(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payable_payment add "setOffId" bigint references set_off`.execute(db)
  await sql`create index on payable_payment ("setOffId")`.execute(db)

  // As it was, with the set-off that closes the invoice; the way back goes as it came.
  await sql`
    create or replace function note_payable_paid() returns trigger language plpgsql as $$
    declare
      is_paid constant boolean := new.status = 'paid';
      day date;
      set_off bigint;
    begin
      if new."totalCents" = 0 then return null; end if;
      if is_paid then
        select f."executionDate" into day from payment_file_item i join payment_file f on f.id = i."paymentFileId"
          where i."invoiceId" = new.id and i."isValid" and f.status = 'confirmed'
            and not exists (select 1 from payable_payment p where p."invoiceId" = new.id
              and p."valueDate" = f."executionDate" and p."amountCents" = new."totalCents");
        select item."setOffId" into set_off from set_off_item item
          where item."invoiceId" = new.id and item."isValid";
      else
        select p."setOffId" into set_off from payable_payment p where p."invoiceId" = new.id
          order by p.id desc limit 1;
      end if;
      if day is null then
        select (coalesce(case when is_paid then new."paidAt" end, new."statusDate")
            at time zone coalesce((select "timeZone" from company where id = new."companyId"), 'UTC'))::date
          into day;
      end if;
      insert into payable_payment ("invoiceId", "valueDate", "amountCents", "setOffId")
        values (new.id, day, case when is_paid then new."totalCents" else -new."totalCents" end, set_off);
      return null;
    end $$
  `.execute(db)

  // Those of before: paid on the day of the set-off, the last that has its amount; and the way back behind it.
  await sql`alter table payable_payment disable trigger keep`.execute(db)
  await sql`
    with paid as (
      select item."setOffId", item."invoiceId", item."amountCents", max(p.id) as id
      from set_off_item item join set_off whole on whole.id = item."setOffId"
        join company c on c.id = whole."companyId"
        join payable_payment p on p."invoiceId" = item."invoiceId" and p."amountCents" = item."amountCents"
          and p."valueDate" = (whole."createdAt" at time zone c."timeZone")::date
      group by 1, 2, 3
    ), booked as (
      select "setOffId", id from paid
      union all select paid."setOffId", (select min(back.id) from payable_payment back
        where back."invoiceId" = paid."invoiceId" and back.id > paid.id and back."amountCents" = -paid."amountCents")
        from paid
    )
    update payable_payment p set "setOffId" = booked."setOffId" from booked where booked.id = p.id
  `.execute(db)
  await sql`alter table payable_payment enable trigger keep`.execute(db)

  await sql`
    alter table bookkeeping_row
      drop constraint bookkeeping_row_kind_check,
      add constraint bookkeeping_row_kind_check check (kind in
        ('invoice', 'correction', 'carrierInvoice', 'payment', 'carrierPayment', 'carrierSetOff'))
  `.execute(db)
}
