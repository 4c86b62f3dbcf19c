import { sql, type Kysely } from 'kysely'

/** On which invoice somebody has typed an IBAN: of that account alone they are named (decision 076). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: who typed it stays known when the invoice is gone. Null of what is older.
  await sql`alter table carrier_iban_author add column "invoiceId" bigint`.execute(db)
}
