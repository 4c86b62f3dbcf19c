import { sql, type Kysely } from 'kysely'

/** Whether the carriers that a move withdraws from are told its reason (decision 119). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table status_move add column "tellsCarrier" boolean not null default false`.execute(db)
}
