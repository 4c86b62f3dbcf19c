import { sql, type Kysely } from 'kysely'

/** Why a stop is reached late, in the words that its customers read on their tracking page (decision 104). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table location add column "delayReason" text`.execute(db)
}
