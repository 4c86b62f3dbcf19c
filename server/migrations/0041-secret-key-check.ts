import { sql, type Kysely } from 'kysely'

/** Tells whether a node has the key with which this database's secrets were sealed; of the key it tells nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secret_key_check (
      "isOnly" boolean primary key default true check ("isOnly"),
      "check" bytea not null
    )
  `.execute(db)
}
