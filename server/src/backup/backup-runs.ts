import { BusyError, type BackupPlace } from './backup-place.ts'
import type { Querying } from './restored-outbox.ts'
import type { Keep } from './thin-backups.ts'
import { writeBackup, type BackupSource, type WrittenBackup } from './write-backup.ts'

declare module '../kit/database/db.ts' {
  interface Tables {
    backup_run: {
      id: number
      isScheduled: boolean
      place: string
      beganAt: string
      endedAt: string
      manifest: string | null
      error: string | null
    }
  }
}

/** A database that a newer Waybill has not brought up to date yet has no place for it; it is backed up all the same. */
async function note(client: Querying, run: readonly [boolean, string, string, string, string | null, string | null]) {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('public.backup_run') is not null as "isThere"`,
  )
  if (!rows[0]!.isThere) return
  await client.query(
    `insert into backup_run ("isScheduled", place, "beganAt", "endedAt", manifest, error)
      values ($1, $2, $3, $4, $5, $6)`,
    [...run],
  )
}

/** Makes a backup and notes what came of it. Errors: those of `writeBackup`, noted too. */
export async function runBackup(
  client: Querying,
  source: BackupSource,
  place: BackupPlace,
  {
    isScheduled,
    now,
    keep,
    isTakenOver = false,
  }: { isScheduled: boolean; now: () => Date; keep?: Keep; isTakenOver?: boolean },
): Promise<WrittenBackup> {
  const beganAt = now()
  const end = (manifest: string | null, error: string | null) =>
    note(client, [isScheduled, place.label, beganAt.toISOString(), now().toISOString(), manifest, error])
  try {
    const written = await writeBackup(source, place, { now: beganAt, isTakenOver, ...(keep && { keep }) })
    await end(written.id, null)
    return written
  } catch (error) {
    if (error instanceof BusyError) throw error
    // Where the database does not answer, the reason is the one that counts.
    await end(null, (error as Error).message.slice(0, 1000)).catch(() => undefined)
    throw error
  }
}

/** What is known of backups. */
export interface BackupState {
  /** when the last good one was begun */
  lastAt: Date | null
  /** the error of the last one, if it failed */
  failure: { at: Date; error: string } | null
}

/** The state of backups; `isScheduled` looks at those alone that the server made by itself. */
export async function backupState(
  client: Querying,
  { isScheduled = false }: { isScheduled?: boolean } = {},
): Promise<BackupState> {
  const { rows } = await client.query<{ beganAt: string; error: string | null }>(
    `(select "beganAt", error from backup_run where error is null and ("isScheduled" or not $1)
        order by "beganAt" desc limit 1)
      union all (select "beganAt", error from backup_run where ("isScheduled" or not $1)
        order by "beganAt" desc limit 1)`,
    [isScheduled],
  )
  const good = rows.find(({ error }) => error === null)
  const last = rows.at(-1)
  return {
    lastAt: good === undefined ? null : new Date(good.beganAt),
    failure: last?.error ? { at: new Date(last.beganAt), error: last.error } : null,
  }
}
