import { sql, type Kysely } from 'kysely'

/**
 * What invoices and payments need of our companies: the register, the contact of electronic invoices, who entered and
 * who confirmed a bank account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company add column register text, add column "eInvoiceContact" jsonb`.execute(db)
  await sql`alter table company_bank_account add column "enteredById" bigint references "user",
    add column "confirmedById" bigint references "user"`.execute(db)
}
