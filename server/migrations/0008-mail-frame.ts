import { sql, type Kysely } from 'kysely'

/**
 * What stands around a mail's body: kept with the mail, so that it goes out as it was meant when it was queued,
 * however late.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email add column frame jsonb not null
    default '{"language": "en", "sender": "", "footer": []}'`.execute(db)
}
