import { PAPER_KINDS, type PaperKind } from '@waybill/contract/operations/paper-periods'
import { nowOf } from '../../../kit/context/context.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { deleteNextPapers } from './delete-papers.ts'
import { SOURCES_OF } from './due-papers.query.ts'
import { readPaperPeriods } from './paper-periods.query.ts'

declare module '../../../kit/context/jobs.ts' {
  interface JobData {
    delete_papers: Record<string, never>
  }
}

/** Of one source in one night: the first after a period was chosen may have many. 50,000 mails. */
const MOST_ROUNDS = 100

/** Deletes mails and papers whose period is over; none where none was chosen. */
export const deletePapers: JobDefinition<'delete_papers'> = {
  async handle(ctx) {
    const { countries, version } = await readPaperPeriods(ctx)
    if (version === 0) return
    const counts = Object.fromEntries(PAPER_KINDS.map((kind) => [kind, 0])) as Record<PaperKind, number>
    // Mails first: what they carry goes after them.
    for (const kind of PAPER_KINDS)
      for (const { id: countryId, years } of countries)
        for (const source of years[kind] === null ? [] : SOURCES_OF[kind])
          for (let round = 0; round < MOST_ROUNDS; round += 1) {
            const deleted = await deleteNextPapers(ctx, source, { countryId, years: years[kind]! })
            if (deleted === 0) break
            counts[kind] += deleted
          }
    ctx.log.info({ counts }, 'deleted mails and papers')
    await ctx.db
      .updateTable('paper_period')
      .set({ lastRunAt: nowOf(ctx), lastCounts: JSON.stringify(counts) })
      .execute()
  },
  timetable: { cron: '40 3 * * *', data: {} },
  longestSeconds: 3600,
}
