import { sql, type Kysely } from 'kysely'

/**
 * One level of deviation out of all that have any: of a million orders twenty thousand would be read to count three.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on "order" using gin (deviations) with (fastupdate = off) where deviations <> '{}'`.execute(db)
}
