import { sql, type Kysely } from 'kysely'

/**
 * The customers list by town the other way round, where those without one come last too, and the few that were
 * deactivated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on customer (city desc nulls last, id desc)`.execute(db)
  await sql`create index on customer (title, id) where state = 'inactive'`.execute(db)
}
