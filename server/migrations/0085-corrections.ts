import { sql, type Kysely } from 'kysely'

/**
 * A line of a correction says which line it corrects and what that should be (decision 084). Lines of corrections from
 * before, and those that add something, name none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invoice_line
      add column "correctsLineId" bigint references invoice_line,
      add column "correctedQuantity" double precision,
      add column "correctedUnitPriceCents" bigint,
      add constraint invoice_line_corrected check (
        ("correctsLineId" is null) = ("correctedQuantity" is null)
        and ("correctsLineId" is null) = ("correctedUnitPriceCents" is null))
  `.execute(db)
  await sql`create unique index "duplicate_key__lines__corrected" on invoice_line ("invoiceId", "correctsLineId")
    where "correctsLineId" is not null`.execute(db)
  await sql`create index on invoice_line ("correctsLineId") where "correctsLineId" is not null`.execute(db)
  // Some customers' programs know the correction of an invoice only as a credit note without signs (UNTDID 1001: 381).
  await sql`alter table customer add column "creditNotes" boolean not null default false`.execute(db)
}
