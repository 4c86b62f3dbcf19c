import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../context/errors.ts'
import { nowOf, type Ctx } from '../context/context.ts'
import type { JobDefinition } from '../context/jobs.ts'

declare module '../database/db.ts' {
  interface Tables {
    idempotency_key: {
      scope: string
      bodyHash: string
      status: number
      location: string | null
      reply: string | null
      createdAt: string
    }
  }
}

declare module '../context/jobs.ts' {
  interface JobData {
    sweep_answers: Record<string, never>
  }
}

export interface Answer {
  status: number
  location: string | null
  body: unknown
}

/** Kept for 24 h (api, One record). */
const IDEMPOTENCY_HOURS = 24
const oldestKept = (ctx: Ctx): string =>
  new Date(ctx.clock.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString()

/** Forgets answers that no repeat gets any more: they hold whole records, people's data among them. */
export const sweepAnswers: JobDefinition<'sweep_answers'> = {
  async handle(ctx) {
    const { numDeletedRows } = await ctx.db
      .deleteFrom('idempotency_key')
      .where('createdAt', '<=', oldestKept(ctx))
      .executeTakeFirst()
    if (numDeletedRows > 0n) ctx.log.info({ rows: Number(numDeletedRows) }, 'forgot answers for repeats')
  },
  timetable: { cron: '23 * * * *', data: {} },
}

export const bodyHash = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex')

/** The answer that this scope has had; null where it has had none. Error: `idempotency_key_reused` for another body. */
export async function answered(ctx: Ctx, scope: string, hash: string): Promise<Answer | null> {
  const known = await ctx.db
    .selectFrom('idempotency_key')
    .selectAll()
    .where('scope', '=', scope)
    .where('createdAt', '>', oldestKept(ctx))
    .executeTakeFirst()
  if (!known) return null
  if (known.bodyHash !== hash) throw new AppError('idempotency_key_reused')
  return {
    status: known.status,
    location: known.location,
    body: known.reply === null ? undefined : JSON.parse(known.reply),
  }
}

/**
 * Runs `work` once per scope and stores its answer in the same transaction; a repeat gets the first answer.
 * Must run inside a transaction. Errors: `conflict` while the first still runs, `idempotency_key_reused` for another
 * body.
 */
export async function once(ctx: Ctx, scope: string, hash: string, work: () => Promise<Answer>): Promise<Answer> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${scope}, 0)) as locked`.execute(ctx.db)
  if (!rows[0]?.locked) throw new AppError('conflict')
  const known = await answered(ctx, scope, hash)
  if (known) return known
  const answer = await work()
  const row = {
    bodyHash: hash,
    status: answer.status,
    location: answer.location,
    reply: answer.body === undefined ? null : JSON.stringify(answer.body),
    createdAt: nowOf(ctx),
  }
  await ctx.db
    .insertInto('idempotency_key')
    .values({ scope, ...row })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet(row))
    .execute()
  return answer
}
