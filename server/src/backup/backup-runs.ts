import { BusyError, type BackupPlace } from './backup-place.ts'
import type { Querying } from './restored-outbox.ts'
import type { Keep } from './thin-backups.ts'
import { writeBackup, type BackupSource, type WrittenBackup } from './write-backup.ts'

/** Of the words of an error, which may name every file of a place. */
const MOST_LETTERS = 1000

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
      faultyFiles: number | null
      thinFault: string | null
    }
  }
}

interface Run {
  isScheduled: boolean
  place: string
  beganAt: Date
  endedAt: Date
  outcome: WrittenBackup | Error
}

/** A database that a newer Waybill has not brought up to date yet has no place for it; it is backed up all the same. */
async function note(client: Querying, { isScheduled, place, beganAt, endedAt, outcome }: Run): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select exists (select 1 from pg_attribute where attrelid = to_regclass('public.backup_run')
      and attname = 'thinFault') as "isThere"`,
  )
  if (!rows[0]!.isThere) return
  const ended =
    outcome instanceof Error
      ? [null, outcome.message.slice(0, MOST_LETTERS), null, null]
      : [outcome.id, null, outcome.faults.length, outcome.thinFault?.slice(0, MOST_LETTERS) ?? null]
  await client.query(
    `insert into backup_run ("isScheduled", place, "beganAt", "endedAt", manifest, error, "faultyFiles", "thinFault")
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [isScheduled, place, beganAt.toISOString(), endedAt.toISOString(), ...ended],
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
  const end = (outcome: Run['outcome']) =>
    note(client, { isScheduled, place: place.label, beganAt, endedAt: now(), outcome })
  try {
    const written = await writeBackup(source, place, { now: beganAt, isTakenOver, ...(keep && { keep }) })
    await end(written)
    return written
  } catch (error) {
    if (error instanceof BusyError) throw error
    // Where the database does not answer, the reason is the one that counts.
    await end(error as Error).catch(() => undefined)
    throw error
  }
}

/** What is known of backups. */
export interface BackupState {
  /** when the last good one was begun */
  lastAt: Date | null
  /** the error of the last one, if it failed */
  failure: { at: Date; error: string } | null
  /** how many files were missing or damaged in the store when the last good one was made */
  faultyFiles: number
  /** why the last good one removed no older ones, if it was to */
  thinFault: string | null
}

/** Clocks of machines differ; what is further ahead was written by one that was wrong, and says nothing. */
const AHEAD_MS = 3_600_000

/** The state of backups; `isScheduled` looks at those alone that the server made by itself. */
export async function backupState(
  client: Querying,
  { isScheduled = false, now = new Date() }: { isScheduled?: boolean; now?: Date } = {},
): Promise<BackupState> {
  const { rows } = await client.query<{
    beganAt: string
    error: string | null
    faultyFiles: number | null
    thinFault: string | null
  }>(
    `with run as not materialized (
        select * from backup_run where ("isScheduled" or not $1) and "beganAt" <= $2
      )
      (select "beganAt", error, "faultyFiles", "thinFault" from run where error is null order by "beganAt" desc limit 1)
      union all (select "beganAt", error, null, null from run order by "beganAt" desc limit 1)`,
    [isScheduled, new Date(now.getTime() + AHEAD_MS).toISOString()],
  )
  const good = rows.find(({ error }) => error === null)
  const last = rows.at(-1)
  return {
    lastAt: good === undefined ? null : new Date(good.beganAt),
    failure: last?.error ? { at: new Date(last.beganAt), error: last.error } : null,
    faultyFiles: good?.faultyFiles ?? 0,
    thinFault: good?.thinFault ?? null,
  }
}
