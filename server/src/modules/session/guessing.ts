import { sql } from 'kysely'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './session.table.ts'

/**
 * Ten wrong tries, then a pause that doubles with each further one: a minute at first, an hour at most. Counted in
 * the database, so that several nodes agree.
 */
const FREE_TRIES = 10
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000
/** A wrong try is forgotten after a day. */
const MEMORY_MS = 86_400_000

/** Errors: `rate_limited` with Retry-After while the subject pauses. */
export async function refuseGuessing(ctx: Ctx, subject: string): Promise<void> {
  const now = ctx.clock.now().getTime()
  const { failures, last } = await ctx.db
    .selectFrom('sign_in_failure')
    .select([sql<number>`count(*)::int`.as('failures'), sql<string | null>`max(at)`.as('last')])
    .where('subject', '=', subject)
    .where('at', '>', new Date(now - MEMORY_MS).toISOString())
    .executeTakeFirstOrThrow()
  if (failures < FREE_TRIES || last === null) return
  const until = Date.parse(last) + Math.min(FIRST_PAUSE_MS * 2 ** (failures - FREE_TRIES), LONGEST_PAUSE_MS)
  if (until > now) throw new AppError('rate_limited', { retryAfter: Math.max(1, (until - now) / 1000) })
}

export const countFailure = async (ctx: Ctx, subject: string): Promise<void> =>
  void (await ctx.db
    .insertInto('sign_in_failure')
    .values({ subject, at: nowOf(ctx) })
    .execute())

export const forgetFailures = async (ctx: Ctx, subject: string): Promise<void> =>
  void (await ctx.db.deleteFrom('sign_in_failure').where('subject', '=', subject).execute())

/** A right password ends the pauses of its account at every network address; the pair is what is counted at sign-in. */
export const pairOf = (address: string, ip: string): string => `${address} ${ip}`
export const forgetPairs = async (ctx: Ctx, address: string): Promise<void> =>
  void (await ctx.db
    .deleteFrom('sign_in_failure')
    .where(sql<boolean>`starts_with(subject, ${pairOf(address, '')})`)
    .execute())

/**
 * One try at a code of a person, in a transaction. Tries of one person wait for each other, so that a hundred at once
 * count as a hundred. `attempt` answers null for a wrong code; that is counted although the call is refused. Errors:
 * `invalid_code`, `rate_limited`.
 */
export async function tryCode<T>(ctx: Ctx, userId: number, attempt: (ctx: Ctx) => Promise<T | null>): Promise<T> {
  // The password is known to anybody who gets here: the account is counted, from wherever the tries come.
  const subject = `code of ${userId}`
  const result = await inTransaction(ctx, async (inner) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(inner.db)
    await refuseGuessing(inner, subject)
    const found = await attempt(inner)
    if (found === null) await countFailure(inner, subject)
    else await forgetFailures(inner, subject)
    return found
  })
  if (result === null) throw new AppError('invalid_code')
  return result
}
