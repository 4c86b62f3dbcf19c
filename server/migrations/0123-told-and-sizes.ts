import { sql, type Kysely } from 'kysely'

/**
 * Whether customers are told of each order of a recurring one (decision 120): those that stand have told them since
 * they were made, and go on. And how large a mail was as it left; null of one that has not, or left before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recurring_order add "tellsCustomer" boolean not null default true`.execute(db)
  await sql`alter table email add "mimeSizeBytes" int`.execute(db)
}
