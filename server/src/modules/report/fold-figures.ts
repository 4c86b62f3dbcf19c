import { sql } from 'kysely'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import './report.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    fold_figures: { isStart?: true }
  }
}

/** Few enough for a second. */
const BATCH = 2000

/** Brings the rollup of the reports up to date, batch by batch, each a transaction of its own. */
export const foldFigures: JobDefinition<'fold_figures'> = {
  async handle(ctx) {
    for (let folded = BATCH; folded === BATCH; ) {
      const { rows } = await sql<{ folded: number }>`select fold_figures(${BATCH}::int) as folded`.execute(ctx.db)
      folded = rows[0]!.folded
    }
  },
  timetable: { cron: '* * * * *', data: {}, atStart: { isStart: true } },
  longestSeconds: 1800,
}
