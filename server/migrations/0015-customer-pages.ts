import { sql, type Kysely } from 'kysely'

/**
 * How a contact person is addressed, what the VAT register said of a customer, and indexes for the list's filters and
 * sorts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contact_person add column "salutationId" bigint references salutation`.execute(db)
  await sql`create index on contact_person ("salutationId") where "salutationId" is not null`.execute(db)
  await sql`alter table customer add column "vatCheck" jsonb`.execute(db)
  await sql`create index on customer ("responsibleUserId")`.execute(db)
  await sql`create index on customer ("countryId", title, id)`.execute(db)
  await sql`create index on customer (city, id)`.execute(db)
}
