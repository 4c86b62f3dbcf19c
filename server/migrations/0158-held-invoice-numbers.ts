import { sql, type Kysely } from 'kysely'

/**
 * Since a restore these companies send no invoice: numbers that were given after the backup are not known here, and
 * would be given a second time. An administrator says which one was used last (decision 157).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table number_hold (
      "companyId" bigint primary key references company (id) on delete cascade,
      "backupAt" timestamptz not null,
      "restoredAt" timestamptz not null
    )
  `.execute(db)
}
