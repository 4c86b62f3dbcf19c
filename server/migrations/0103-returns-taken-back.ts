import { sql, type Kysely } from 'kysely'

/** A payment that was noted as returned by mistake is paid again (decision 101). Runs are found by what banks say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_payment_file() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'status', 'returnedCount', 'returnedCents', 'confirmedAt',
        'confirmedById', 'voidedAt', 'voidedById', 'voidReason', 'debtorBankId', 'searchKey'];
    begin
      if (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
        or (old.status <> 'made' and new.status <> old.status)
        or (new."debtorBankId" is not null and new."debtorBankId" is distinct from old."debtorBankId")
        or (new."returnedCount" < old."returnedCount" and (
          old.status <> 'confirmed' or new."returnedCount" <> old."returnedCount" - 1
          or row(new."returnedCount"::bigint, new."returnedCents"::numeric) is distinct from (
            select row(count(*), coalesce(sum("amountCents"), 0)) from payment_file_payment
              where "paymentFileId" = new.id and "returnedAt" is not null)))
      then
        raise exception 'run % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)

  // What is noted of a return changes in one way alone: it is taken back as a whole, while the run is paid, and where
  // the bank itself did not say it.
  await sql`
    create or replace function keep_payment() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['returnedAt', 'returnedById', 'returnReason'];
    begin
      if (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
        or (old."returnedAt" is not null and (
          new."returnedAt" is not null or new."returnedById" is not null
          or not exists (select 1 from payment_file where id = old."paymentFileId" and status = 'confirmed')))
      then
        raise exception 'payment % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      if old."returnedAt" is not null and exists (select 1 from bank_entry where "returnedPaymentId" = old.id) then
        raise exception 'payment % came back by a bank statement', old.id using errcode = 'check_violation',
          constraint = 'conflict__invoiceId__returned_by_statement';
      end if;
      return new;
    end $$
  `.execute(db)

  // An invoice is in the run again only as it was paid by it; the unique index holds that it is in no other.
  await sql`
    create or replace function keep_payment_item() returns trigger language plpgsql as $$
    declare
      found record;
    begin
      if tg_op = 'INSERT' then
        select "entityType", status, "totalCents", "carrierCompanyId" into found from invoice
          where id = new."invoiceId";
        if found."entityType" <> 'carrier' or (new."isValid" and found.status not in ('approved', 'paid'))
          or found."totalCents" <> new."amountCents"
          or found."carrierCompanyId" is distinct from
            (select "carrierCompanyId" from payment_file_payment where id = new."paymentId")
        then
          raise exception 'invoice % cannot be paid', new."invoiceId" using errcode = 'check_violation',
            constraint = 'conflict';
        end if;
      elsif old."isValid" = new."isValid" or (to_jsonb(new) - 'isValid') <> (to_jsonb(old) - 'isValid')
        or (new."isValid" and not exists (
          select 1 from payment_file_payment p join payment_file f on f.id = p."paymentFileId"
            join invoice i on i.id = new."invoiceId"
            where p.id = new."paymentId" and f.status = 'confirmed' and p."returnedAt" is null
              and i.state = 'active' and i.status = 'approved' and i."totalCents" = new."amountCents"
              and i."carrierCompanyId" = p."carrierCompanyId" and i."companyId" = f."companyId"))
      then
        raise exception 'item % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)

  // The execution date of a run is booked once: a payment that counts again after a return is booked on the day on
  // which the return was taken back, as the return was on its own, so that no month before gets it twice.
  await sql`
    create or replace function note_payable_paid() returns trigger language plpgsql as $$
    declare
      is_paid constant boolean := new.status = 'paid';
      day date;
    begin
      if new."totalCents" = 0 then return null; end if;
      if is_paid then
        select f."executionDate" into day from payment_file_item i join payment_file f on f.id = i."paymentFileId"
          where i."invoiceId" = new.id and i."isValid" and f.status = 'confirmed'
            and not exists (select 1 from payable_payment p where p."invoiceId" = new.id
              and p."valueDate" = f."executionDate" and p."amountCents" = new."totalCents");
      end if;
      if day is null then
        select (coalesce(case when is_paid then new."paidAt" end, new."statusDate")
            at time zone coalesce((select "timeZone" from company where id = new."companyId"), 'UTC'))::date
          into day;
      end if;
      insert into payable_payment ("invoiceId", "valueDate", "amountCents")
        values (new.id, day, case when is_paid then new."totalCents" else -new."totalCents" end);
      return null;
    end $$
  `.execute(db)

  await sql`
    update payment_file f set "searchKey" = search_key(concat_ws(' ', f.number, f."fileName", f."messageId",
      (select string_agg(distinct c.title, ' ') from payment_file_payment p
        join carrier_company c on c.id = p."carrierCompanyId" where p."paymentFileId" = f.id),
      (select string_agg(p.remittance, ' ' order by p.position) from payment_file_payment p
        where p."paymentFileId" = f.id)))
  `.execute(db)
}
