import { sql, type Kysely, type Transaction } from 'kysely'
import type { Tables } from './db.ts'

/** Counting for those who watch is worth this long, and not the work of those who wait. */
const LONGEST_MS = 2000

/** Reads in one transaction in which no statement may take longer than two seconds. */
export const bounded = <T>(db: Kysely<Tables>, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(LONGEST_MS)}`.execute(trx)
      return work(trx)
    })
