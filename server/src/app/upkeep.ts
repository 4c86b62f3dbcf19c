import { CompiledQuery } from 'kysely'
import { heldNumbers, noteLastNumber } from '../backup/after-restore.ts'
import { backupState } from '../backup/backup-runs.ts'
import { heldOutbox, releaseHeld } from '../backup/restored-outbox.ts'
import type { Ports } from '../kit/context/context.ts'
import type { Db } from '../kit/database/db.ts'

/** The connection of a context, for what speaks to the database by itself. */
const clientOf = (db: Db): Parameters<typeof heldOutbox>[0] => ({
  query: async (text, values = []) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
    return { rows: rows as never[] }
  },
})

/** What backup and restore tell and do for who looks after an installation in the browser. */
export const upkeep: Ports['upkeep'] = {
  backups: async (db, options) => {
    const { lastAt, failure, faultyFiles, thinFault } = await backupState(clientOf(db), options)
    return { lastAt, failedAt: failure?.at ?? null, faultyFiles, areOldOnesLeft: thinFault !== null }
  },
  held: (db) => heldOutbox(clientOf(db)),
  release: (db, options) => releaseHeld(clientOf(db), options),
  numbers: async (db, now) =>
    (await heldNumbers(clientOf(db), now)).map(({ companyId, title, year, counter, pattern, held }) => ({
      companyId,
      title,
      year,
      last: counter - 1,
      pattern,
      ...held!,
    })),
  noteNumber: async (db, word, now) => {
    await noteLastNumber(clientOf(db), word, now)
  },
}
