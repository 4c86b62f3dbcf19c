import type pg from 'pg'
import type { Ctx } from '../kit/context/context.ts'
import type { JobDefinition } from '../kit/context/jobs.ts'
import { BusyError, openBackupPlace, type BackupPlaceSettings } from './backup-place.ts'
import { backupState, runBackup } from './backup-runs.ts'
import type { Keep } from './thin-backups.ts'
import type { BackupSource } from './write-backup.ts'

export interface BackupSchedule {
  place: BackupPlaceSettings
  /** by the clock of the machine */
  at: { hour: number; minute: number }
  keep: Keep
}

export interface ScheduledBackups {
  schedule: BackupSchedule
  source: Omit<BackupSource, 'files'>
  pool: pg.Pool
}

declare module '../kit/context/context.ts' {
  interface Ports {
    /** null: the server makes no backups by itself */
    backups: ScheduledBackups | null
  }
}

declare module '../kit/context/jobs.ts' {
  interface JobData {
    make_backup: Record<string, never>
  }
}

const AGAIN_AFTER_MS = 30 * 60_000
/** What is not done by then counts as lost, and another one is begun. */
const LONGEST_SECONDS = 12 * 3600

/** The last time that the clock of this machine said the hour of backups. */
export function lastTurn(now: Date, { hour, minute }: BackupSchedule['at']): Date {
  const turn = new Date(now)
  turn.setHours(hour, minute, 0, 0)
  if (turn > now) turn.setDate(turn.getDate() - 1)
  return turn
}

async function isDue({ schedule, pool }: ScheduledBackups, now: Date): Promise<boolean> {
  const { lastAt, failure } = await backupState(pool, { isScheduled: true, now })
  if (lastAt !== null && lastAt >= lastTurn(now, schedule.at)) return false
  return failure === null || now.getTime() - failure.at.getTime() >= AGAIN_AFTER_MS
}

async function makeBackup(ctx: Ctx, backups: ScheduledBackups): Promise<void> {
  const { schedule, source, pool } = backups
  if (!(await isDue(backups, ctx.clock.now()))) return
  try {
    const { faults, id, rows, files, newFiles, removed, thinFault } = await runBackup(
      pool,
      { ...source, files: ctx.ports.files },
      openBackupPlace(schedule.place),
      { isScheduled: true, now: () => ctx.clock.now(), keep: schedule.keep },
    )
    ctx.log.info({ backup: id, rows, files, newFiles, removed }, 'backed up')
    if (faults.length > 0) ctx.log.error({ files: faults.length }, 'files are missing or damaged in the store')
    if (thinFault !== null) ctx.log.error({ reason: thinFault }, 'older backups were not removed')
  } catch (error) {
    if (!(error instanceof BusyError)) ctx.log.error({ err: error }, 'the backup failed')
  }
}

/** Makes the backup of the day once it is time, on one of the nodes; what was missed is made up for. */
export const makeBackupJob: JobDefinition<'make_backup'> = {
  async handle(ctx) {
    if (ctx.ports.backups !== null) await makeBackup(ctx, ctx.ports.backups)
  },
  timetable: { cron: '*/5 * * * *', data: {} },
  longestSeconds: LONGEST_SECONDS,
}
