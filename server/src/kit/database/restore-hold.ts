import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db.ts'

declare module './db.ts' {
  interface Tables {
    restore_hold: { kind: string; lastId: number; backupAt: string; restoredAt: string }
    number_hold: { companyId: number; backupAt: string; restoredAt: string }
  }
}

/**
 * True for a row that may act by itself: it is not one that a restored backup brought along and nobody has given a word
 * about. `kind` is its table, `id` an expression of its id (decision 095).
 */
export const notHeld = (kind: string, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from restore_hold where restore_hold.kind = ${kind} and "lastId" >= ${id})`

/** True where a company gives no invoice number: nobody has said yet which one was used last before a restore. */
export async function areNumbersHeld(db: Db, companyId: number): Promise<boolean> {
  const held = await db
    .selectFrom('number_hold')
    .select('companyId')
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return held !== undefined
}
