import { sql, type Kysely } from 'kysely'

/** Whose logo travels with a mail whose record names no company: a text of a department, sent to try it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email add column "companyId" bigint references company on delete set null`.execute(db)
}
