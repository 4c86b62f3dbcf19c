import { sql, type Kysely } from 'kysely'

/** What an electronic invoice of which part was paid before leaves to pay; null of any other (decision 155). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['document', 'upload_file'])
    await sql`alter table ${sql.ref(table)} add column "leftToPayCents" bigint`.execute(db)
}
