import { sql, type Kysely } from 'kysely'

/** Which file is an electronic invoice, and how it came (decision 072). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table document add column "eInvoice" text
      constraint document_e_invoice check ("eInvoice" in ('ubl', 'cii', 'zugferd', 'ksef'))
  `.execute(db)
}
