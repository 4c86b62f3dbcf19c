import { PERSON_KINDS, type PersonKind } from '@waybill/contract/operations/retention'
import { nowOf } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { makeNextAnonymous } from './make-anonymous.ts'
import { readRetention } from './retention.query.ts'
import './retention.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    make_anonymous: Record<string, never>
  }
}

/** Of one kind in one night: the first after a period was chosen may have many. 2,000 records, or 50,000 typed ones. */
const MOST_ROUNDS = 100

/** Makes records of persons anonymous whose period is over; none where none was chosen. */
export const makeAnonymous: JobDefinition<'make_anonymous'> = {
  async handle(ctx) {
    const { periods, version } = await readRetention(ctx)
    if (version === 0) return
    const counts = Object.fromEntries(PERSON_KINDS.map((kind) => [kind, 0])) as Record<PersonKind, number>
    for (const kind of PERSON_KINDS) {
      const months = periods[kind]
      if (months === null) continue
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const made = await makeNextAnonymous(ctx, { kind, months })
        if (made === 0) break
        counts[kind] += made
      }
    }
    ctx.log.info({ counts }, 'made persons anonymous')
    await ctx.db
      .updateTable('retention')
      .set({ lastRunAt: nowOf(ctx), lastCounts: JSON.stringify(counts) })
      .execute()
  },
  timetable: { cron: '25 3 * * *', data: {} },
  longestSeconds: 3600,
}
