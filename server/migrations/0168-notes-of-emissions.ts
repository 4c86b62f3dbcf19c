import { sql, type Kysely } from 'kysely'

/** Notes of one order are taken together: each factor that begins notes every order from its day on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on emission_due ("orderId")`.execute(db)
}
