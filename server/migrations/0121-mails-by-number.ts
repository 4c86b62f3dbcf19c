import { sql, type Kysely } from 'kysely'

/**
 * Mails by the number of their record, with which their search key begins, compared byte by byte. Many thousand mails
 * of years ago may share the beginning of a number: along this they are found without all that are newer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index email_by_number on email ((split_part("searchKey", ' ', 1) collate "C"), id)`.execute(db)
}
