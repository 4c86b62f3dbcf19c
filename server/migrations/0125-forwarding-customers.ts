import { sql, type Kysely } from 'kysely'

/** Customers that sell transports themselves: none for them is free of VAT because it leaves the EU (decision 127). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customer add column "isForwarder" boolean not null default false`.execute(db)
}
