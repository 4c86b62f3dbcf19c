import { sql, type Kysely } from 'kysely'

/**
 * The currency of a carrier's invoice, and of the electronic invoice among the files that wait behind an upload link.
 * What customers are billed is in euros. Not validated against the rows of before: all of them get the default.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoice add column currency text not null default 'EUR'`.execute(db)
  await sql`alter table invoice add constraint invoice_currency check (
    currency ~ '^[A-Z]{3}$' and ("entityType" = 'carrier' or currency = 'EUR')) not valid`.execute(db)
  await sql`alter table upload_file add column currency text check (currency ~ '^[A-Z]{3}$')`.execute(db)
}
