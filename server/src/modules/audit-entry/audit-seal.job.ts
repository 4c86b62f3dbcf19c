import { sql } from 'kysely'
import type { SealFault } from '@waybill/contract/operations/overview'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import './audit-seal.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    seal_audit: Record<string, never>
    check_audit: Record<string, never>
  }
}

/** Entries in one seal: what was changed is named by its batch. */
const MOST_SEALED = 1000
/** How long entries are waited for that have a lower number and are not written to their end. */
const LONGEST_MS = 20_000
/** A history from before the seals is sealed within some minutes, not in one. */
const MOST_SEALS = 200
/** Seals that are looked at by one statement. */
const MOST_CHECKED = 500
/** Faults that are kept and shown. */
const MOST_TOLD = 20

/** Seals what was written, behind what is sealed; none where nothing is new, or another node does it. */
async function sealBatch(ctx: Ctx): Promise<{ position: number; count: number; hash: string } | undefined> {
  const { rows } = await sql<{ position: number; count: number; hash: string }>`
    select position, count, encode(hash, 'hex') as hash from seal_audit(${LONGEST_MS}, ${MOST_SEALED})
  `.execute(ctx.db)
  return rows[0]
}

/**
 * Seals the history in batches. The newest seal stands in the log: who keeps that elsewhere sees, too, that the last
 * seals were taken away together with their entries.
 */
export const sealAudit: JobDefinition<'seal_audit'> = {
  async handle(ctx) {
    for (let seals = 0; seals < MOST_SEALS; seals += 1) {
      const sealed = await sealBatch(ctx)
      if (sealed === undefined) return
      ctx.log.info({ seal: sealed.position, entries: sealed.count, hash: sealed.hash }, 'the audit was sealed')
      if (sealed.count < MOST_SEALED) return
    }
  },
  timetable: { cron: '* * * * *', data: {} },
}

/** Looks at all seals, piece by piece, and notes what does not fit. */
export const checkAudit: JobDefinition<'check_audit'> = {
  async handle(ctx) {
    const { last } = await ctx.db
      .selectFrom('audit_seal')
      .select((eb) => eb.fn.max('position').as('last'))
      .executeTakeFirstOrThrow()
    const faults: SealFault[] = []
    let faultCount = 0
    for (let behind = 0; behind < (last ?? 0); behind += MOST_CHECKED) {
      const { rows } = await sql<SealFault>`
        select "firstId", "lastId", at, fault from audit_seal_faults(${behind}, ${MOST_CHECKED})`.execute(ctx.db)
      faultCount += rows.length
      faults.push(...rows.slice(0, MOST_TOLD - faults.length))
    }
    const found = { checkedAt: nowOf(ctx), faultCount, faults: JSON.stringify(faults) }
    await ctx.db
      .insertInto('audit_check')
      .values({ isOnly: true, ...found })
      .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(found))
      .execute()
    if (faultCount > 0) ctx.log.error({ faultCount, faults }, 'entries of the audit are not as they were sealed')
  },
  timetable: { cron: '40 3 * * *', data: {} },
  longestSeconds: 3600,
}
