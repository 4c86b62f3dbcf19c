import { sql, type Kysely } from 'kysely'

/**
 * The picture at the head of a company's documents: a few hundred kilobytes, kept where it is saved and backed up
 * with the rest.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table company_logo (
      "companyId" bigint primary key references company on delete cascade,
      png bytea not null
    )
  `.execute(db)
}
