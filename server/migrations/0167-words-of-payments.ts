import { sql, type Kysely } from 'kysely'

/**
 * What bank statements, payment runs, bookings and payments say in words goes at the end of its period, their files
 * too; numbers, days and amounts stay (decision 177). The history loses what it says of mails and papers that went.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['bank_statement', 'payment_file', 'bookkeeping_batch'])
    await sql`alter table ${sql.table(table)} add "deletedAt" timestamptz`.execute(db)
  await keptUntilThen(db)
  await deletedThen(db)
  await emptiedUntil(db)
}

/** What stays as it was made may lose its words alone, and none of the last years. No period is as short. */
async function keptUntilThen(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_bank_entry() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'status', 'paymentId', 'paymentFileId', 'returnedPaymentId',
        'settledAt', 'settledById', 'reason'];
      words constant jsonb := '{"partnerName": null, "partnerIban": null, "remittance": "", "endToEndId": null,
        "messageId": null, "returnReason": null}';
    begin
      if tg_op = 'UPDATE' and to_jsonb(new) = to_jsonb(old) || words and exists (
        select 1 from bank_statement where id = old."statementId" and "createdAt" < now() - interval '4 years')
      then
        return new;
      end if;
      if tg_op = 'UPDATE' and (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'entry % stays as the bank sent it', old.id using errcode = 'check_violation',
          constraint = 'conflict__bank_entry_kept';
      end if;
      if new."paymentId" is not null and not exists (
        select 1 from payment p join bank_statement s on s.id = new."statementId"
          where p.id = new."paymentId" and p.kind = 'payment' and p.source = 'statement'
            and p."amountCents" = new."amountCents" and p."companyId" = s."companyId"
            and p."valueDate" = new."valueDate")
      then
        raise exception 'entry % is not what was booked', new.id using errcode = 'check_violation',
          constraint = 'conflict__bank_entry_booked';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`
    create or replace function keep_payment_file() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'status', 'returnedCount', 'returnedCents', 'confirmedAt',
        'confirmedById', 'voidedAt', 'voidedById', 'voidReason', 'debtorBankId', 'searchKey', 'deletedAt'];
    begin
      if (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free)
        or (old.status <> 'made' and new.status <> old.status)
        or (new."debtorBankId" is not null and new."debtorBankId" is distinct from old."debtorBankId")
        or (new."returnedCount" < old."returnedCount" and (
          old.status <> 'confirmed' or new."returnedCount" <> old."returnedCount" - 1
          or row(new."returnedCount"::bigint, new."returnedCents"::numeric) is distinct from (
            select row(count(*), coalesce(sum("amountCents"), 0)) from payment_file_payment
              where "paymentFileId" = new.id and "returnedAt" is not null)))
        or (new."deletedAt" is distinct from old."deletedAt" and (
          old."deletedAt" is not null or old."createdAt" >= now() - interval '4 years'))
      then
        raise exception 'run % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`
    create or replace function keep_payment() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['returnedAt', 'returnedById', 'returnReason'];
      words constant jsonb := '{"creditorName": "", "iban": "", "bic": null, "remittance": "–"}';
    begin
      if to_jsonb(new) = to_jsonb(old) || words and exists (
        select 1 from payment_file where id = old."paymentFileId" and "createdAt" < now() - interval '4 years')
      then
        return new;
      end if;
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
  await sql`
    create or replace function keep_bookkeeping_batch() returns trigger language plpgsql as $$
    declare
      free constant text[] := array['version', 'voidedAt', 'voidedById', 'voidReason'];
    begin
      if old."deletedAt" is null and old."createdAt" < now() - interval '4 years'
        and to_jsonb(new) - 'deletedAt' = to_jsonb(old) - 'deletedAt'
      then
        return new;
      end if;
      if old."voidedAt" is not null or (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
        raise exception 'batch % stays as it was made', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`
    create function keep_booked_payment() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old."createdAt" < now() - interval '4 years'
        and to_jsonb(new) = to_jsonb(old) || '{"payer": null, "reference": null}'
      then
        return new;
      end if;
      raise exception 'what was booked stays' using errcode = 'check_violation', constraint = 'conflict__booking';
    end $$
  `.execute(db)
  await sql`drop trigger keep on payment`.execute(db)
  await sql`create trigger keep before update or delete on payment for each row
    execute function keep_booked_payment()`.execute(db)
}

/** The role that serves may change none of it but by this, and of the last years nothing. */
async function deletedThen(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function forget_payments("what" text, "ids" bigint[], "now" timestamptz) returns void
      language plpgsql volatile security definer set search_path = public, pg_temp as $$
    declare
      before constant timestamptz := now() - interval '4 years';
      past bigint[];
    begin
      if "what" = 'bankStatement' then
        past := array(select id from bank_statement
          where id = any ("ids") and "deletedAt" is null and "createdAt" < before order by id for update);
        update bank_entry set "partnerName" = null, "partnerIban" = null, remittance = '', "endToEndId" = null,
            "messageId" = null, "returnReason" = null
          where "statementId" = any (past);
        update bank_statement set "deletedAt" = "now", "fileName" = '' where id = any (past);
      elsif "what" = 'paymentRun' then
        past := array(select id from payment_file
          where id = any ("ids") and "deletedAt" is null and "createdAt" < before order by id for update);
        delete from payment_file_content where "paymentFileId" = any (past);
        update payment_file_payment set "creditorName" = '', iban = '', bic = null, remittance = '–'
          where "paymentFileId" = any (past);
        -- As it is made, without what the bank was told.
        update payment_file f set "deletedAt" = "now",
            "searchKey" = search_key(concat_ws(' ', number, "fileName", "messageId",
              (select string_agg(distinct c.title, ' ') from payment_file_payment p
                join carrier_company c on c.id = p."carrierCompanyId" where p."paymentFileId" = f.id)))
          where id = any (past);
      elsif "what" = 'bookingBatch' then
        past := array(select id from bookkeeping_batch
          where id = any ("ids") and "deletedAt" is null and "createdAt" < before order by id for update);
        delete from bookkeeping_file where "batchId" = any (past);
        update bookkeeping_row set partner = '', text = '', "vatNumber" = null where "batchId" = any (past);
        update bookkeeping_batch set "deletedAt" = "now" where id = any (past);
      elsif "what" = 'payment' then
        update payment set payer = null, reference = null where id = any ("ids") and "createdAt" < before;
      else
        raise exception 'nothing of payments is called %', "what";
      end if;
    end $$
  `.execute(db)
}

/** Of an owner whose later mails or files stay, only what was written before them is emptied: `until`. */
async function emptiedUntil(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function entries_to_empty("persons" jsonb) returns setof audit_entry
      language plpgsql stable set search_path = public, pg_temp as $$
    declare
      -- One look for all of them: a look for each takes several times as long.
      named constant text := (select '"id": (' || string_agg(p ->> 'id', '|') || '), "title": "'
        from jsonb_array_elements("persons") p where p ? 'was');
    begin
      return query select e.* from (
          select p ->> 'ownerKind' as kind, (p ->> 'ownerId')::bigint as id, min((p ->> 'until')::timestamptz) as until
            from jsonb_array_elements("persons") p group by 1, 2) owner
        join audit_entry e on e."ownerKind" = owner.kind and e."ownerId" = owner.id
        where owner.until is null or e.at < owner.until;
      if named is null then return; end if;
      return query select e.* from audit_entry e where e.changes <> '[]' and e.changes::text ~ named
        and (e."ownerKind", e."ownerId") not in (
          select p ->> 'ownerKind', (p ->> 'ownerId')::bigint from jsonb_array_elements("persons") p);
    end $$
  `.execute(db)
}
