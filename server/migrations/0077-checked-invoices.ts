import { sql, type Kysely } from 'kysely'

/**
 * Carriers' invoices are checked: the difference that a company accepts, what a difference was for, problems with their
 * carriers, and that an invoice came or moved is told (decision 074).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company add column "amountToleranceCents" bigint not null default 0
    check ("amountToleranceCents" between 0 and 100000)`.execute(db)
  await sql`
    alter table invoice
      add column "differenceKind" text
        check ("differenceKind" in ('waiting', 'tolls', 'weight', 'customs', 'deduction', 'other')),
      add column "approvalReason" text,
      add column "approvedById" bigint references "user",
      -- days by which a problem has put the payment off
      add column "stoppedDays" int not null default 0 check ("stoppedDays" >= 0)
  `.execute(db)

  // The queue: the oldest first, of the few that wait.
  await sql`create index invoice_to_check on invoice (status, "createdAt", id)
    where "entityType" = 'carrier' and status in ('received', 'in_progress')`.execute(db)
  await sql`create index invoice_approved_at on invoice ("approvedAt") where "approvedAt" is not null`.execute(db)
  await sql`create index invoice_of_route on invoice ("routeId") where "routeId" is not null`.execute(db)

  await sql`
    create table invoice_problem (
      id bigint generated always as identity primary key,
      "invoiceId" bigint not null references invoice on delete cascade,
      kind text not null check (kind in
        ('pod_missing', 'pod_unusable', 'amount', 'vat', 'iban', 'damage', 'wrong_addressee', 'other')),
      text text not null,
      "waitsFor" text not null check ("waitsFor" in ('carrier', 'customer', 'us')),
      "stopsTerm" boolean not null,
      "isTold" boolean not null,
      "openedById" bigint references "user",
      "openedAt" timestamptz not null,
      "closedAt" timestamptz
    )
  `.execute(db)
  await sql`create unique index "conflict__invoice_problem" on invoice_problem ("invoiceId")
    where "closedAt" is null`.execute(db)
  await sql`create index on invoice_problem ("invoiceId")`.execute(db)

  await sql`
    create function tell_invoice_changes() returns trigger language plpgsql as $$
    begin
      -- A message holds 8,000 bytes at most.
      perform tell_change(json_build_object('kind', 'invoice', 'ids', json_agg(id)))
        from (select id, row_number() over (order by id) / 100 as part from changed_rows
          where "entityType" = 'carrier') parts group by part;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_inserted after insert on invoice referencing new table as changed_rows
    for each statement execute function tell_invoice_changes()`.execute(db)
  await sql`create trigger tell_changed after update on invoice referencing new table as changed_rows
    for each statement execute function tell_invoice_changes()`.execute(db)
}
