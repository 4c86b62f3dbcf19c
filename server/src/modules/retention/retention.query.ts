import { PERSON_KINDS, type PersonKind, type Retention } from '@waybill/contract/operations/retention'
import type { Ctx } from '../../kit/context/context.ts'
import './retention.table.ts'

/** Everybody is kept, until somebody chooses a period. */
const KEPT = Object.fromEntries(PERSON_KINDS.map((kind) => [kind, null])) as Retention['periods']
/** Of the kinds that a night before an upgrade did not know. */
const NOBODY = Object.fromEntries(PERSON_KINDS.map((kind) => [kind, 0])) as Record<PersonKind, number>

/** The periods that were chosen; version 0 where nobody has chosen one yet. */
export async function readRetention(ctx: Ctx): Promise<Retention> {
  const row = await ctx.db.selectFrom('retention').selectAll().executeTakeFirst()
  if (row === undefined) return { version: 0, periods: KEPT, lastRun: null }
  const { version, periods, lastRunAt, lastCounts } = row
  return {
    version,
    periods: { ...KEPT, ...periods },
    lastRun: lastRunAt === null || lastCounts === null ? null : { at: lastRunAt, counts: { ...NOBODY, ...lastCounts } },
  }
}
