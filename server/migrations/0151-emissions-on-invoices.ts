import { sql, type Kysely } from 'kysely'

/** Some customers want to read on their invoices what the transports emitted (decision 115). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customer add column "emissionsOnInvoices" boolean not null default false`.execute(db)
}
