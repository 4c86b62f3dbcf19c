import { sql } from 'kysely'
import { MOST_SECONDS_AGO } from '@waybill/contract/event'
import type { Ctx } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import type { Change } from '../../kit/database/changes.ts'
import './event.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    sweep_changes: Record<string, never>
  }
}

/** A change bears the time at which its transaction began to commit, and is heard so much later at most. */
const COMMIT_SECONDS = 5
/** Who has missed more reads anew, which costs less than asking for each who may see it. */
const MOST_MISSED = 500

/** The changes of the last seconds; `missed` where they are too many, or no longer known. */
export async function changesSince(ctx: Pick<Ctx, 'db'>, secondsAgo: number): Promise<readonly Change[] | 'missed'> {
  if (secondsAgo > MOST_SECONDS_AGO) return 'missed'
  // By the database's clock, which is one for all nodes.
  const { rows } = await sql<{ told: Change }>`
    select told from told_change where at > clock_timestamp() - ${secondsAgo + COMMIT_SECONDS} * interval '1 second'
      order by id limit ${MOST_MISSED + 1}`.execute(ctx.db)
  return rows.length > MOST_MISSED ? 'missed' : rows.map(({ told }) => told)
}

/** Forgets what nobody asks for any more. */
export const sweepChanges: JobDefinition<'sweep_changes'> = {
  async handle(ctx) {
    await sql`delete from told_change
      where at < clock_timestamp() - ${2 * (MOST_SECONDS_AGO + COMMIT_SECONDS)} * interval '1 second'`.execute(ctx.db)
  },
  timetable: { cron: '*/5 * * * *', data: {} },
}
