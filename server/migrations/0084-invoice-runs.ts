import { sql, type Kysely } from 'kysely'

/** Runs that send the invoices of a month's end, and what customers want on combined invoices (decision 083). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customer add column "podsInPdf" boolean not null default false,
    add column "needsOrderNumber" boolean not null default false`.execute(db)

  await sql`
    create table invoice_run (
      id bigint generated always as identity primary key,
      version int not null default 1,
      status text not null default 'running' check (status in ('running', 'stopping', 'finished')),
      "companyId" bigint not null references company,
      until date not null,
      language text not null,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "finishedAt" timestamptz,
      check ((status = 'finished') = ("finishedAt" is not null))
    )
  `.execute(db)
  // Two people who press at once, and two tabs of one: the second is told.
  await sql`create unique index "conflict__companyId__run_in_hand" on invoice_run ("companyId")
    where status <> 'finished'`.execute(db)
  await sql`create index on invoice_run ("companyId", id desc)`.execute(db)
  await sql`create index on invoice_run ("createdById")`.execute(db)

  await sql`
    create table invoice_run_item (
      id bigint generated always as identity primary key,
      "runId" bigint not null references invoice_run,
      position int not null,
      "customerId" bigint not null references customer,
      "orderIds" bigint[] not null check (cardinality("orderIds") > 0),
      "netCents" bigint not null,
      status text not null check (status in ('waiting', 'sending', 'sent', 'failed', 'stopped')),
      -- while it is sent its draft
      "invoiceId" bigint references invoice on delete set null,
      "claimedAt" timestamptz,
      fault jsonb,
      unique ("runId", position),
      check (status <> 'sent' or "invoiceId" is not null),
      check ((status = 'failed') = (fault is not null))
    )
  `.execute(db)
  await sql`create unique index on invoice_run_item ("invoiceId") where "invoiceId" is not null`.execute(db)
  await sql`create index on invoice_run_item ("customerId")`.execute(db)

  // What was decided of an invoice stays: it is sent once, whoever else works on the same run.
  await sql`
    create function keep_invoice_run_item() returns trigger language plpgsql as $$
    begin
      if old.status not in ('waiting', 'sending')
        or row(new."runId", new.position, new."customerId", new."orderIds", new."netCents")
          is distinct from row(old."runId", old.position, old."customerId", old."orderIds", old."netCents")
      then
        raise exception 'item % of a run stays as it is', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on invoice_run_item for each row
    execute function keep_invoice_run_item()`.execute(db)

  await sql`
    create function tell_invoice_run_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'invoiceRun', 'ids', json_build_array(
        case tg_table_name when 'invoice_run' then (to_jsonb(new)->>'id')::bigint
          else (to_jsonb(new)->>'runId')::bigint end)));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_changed after insert or update on invoice_run for each row
    execute function tell_invoice_run_changes()`.execute(db)
  await sql`create trigger tell_changed after update on invoice_run_item for each row
    execute function tell_invoice_run_changes()`.execute(db)
}
