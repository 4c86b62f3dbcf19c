import { sql, type Kysely } from 'kysely'

/** Whether the tracking pages of a department's customers name who drives (decision 104). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table department add column "showsCarrier" boolean not null default false`.execute(db)
}
