import { sql } from 'kysely'
import type { Tokens } from '@waybill/contract/session'
import { nowOf, type Ctx } from '../../kit/context.ts'
import { AppError } from '../../kit/errors.ts'
import { isPassword } from './password.ts'
import { openSession } from './tokens.ts'

/** Ten wrong passwords, then a pause; counted per account and per network address, in the database. */
const MAX_FAILURES = 10
const WINDOW_MS = 15 * 60_000

interface Credentials {
  email: string
  password: string
}

interface Caller {
  ip: string
  userAgent: string | null
}

async function refuseGuessing(ctx: Ctx, subjects: string[]): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - WINDOW_MS).toISOString()
  const counted = await ctx.db
    .selectFrom('sign_in_failure')
    .select(['subject', sql<number>`count(*)::int`.as('failures'), sql<string>`min(at)`.as('first')])
    .where('subject', 'in', subjects)
    .where('at', '>', since)
    .groupBy('subject')
    .execute()
  const blocked = counted.filter((row) => row.failures >= MAX_FAILURES)
  if (blocked.length === 0) return
  const until = Math.max(...blocked.map((row) => Date.parse(row.first) + WINDOW_MS))
  throw new AppError('rate_limited', { retryAfter: Math.max(1, (until - ctx.clock.now().getTime()) / 1000) })
}

/** Wrong password, unknown address, no password yet and inactive user answer alike, in the same time (api.md, Sign-in). */
export async function signIn(ctx: Ctx, { email, password }: Credentials, { ip, userAgent }: Caller): Promise<Tokens> {
  const address = email.trim().toLowerCase()
  // An attacker behind one address must not lock the owner out elsewhere: the pair is what is blocked.
  const subject = `${address} ${ip}`
  await refuseGuessing(ctx, [subject])
  const user = await ctx.db
    .selectFrom('user')
    .select(['id', 'passwordHash', 'state'])
    .where(sql<boolean>`lower(email) = ${address}`)
    .executeTakeFirst()
  const isKnown = await isPassword(user?.state === 'active' ? user.passwordHash : null, password)
  if (!user || !isKnown) {
    await ctx.db.insertInto('sign_in_failure').values({ subject, at: nowOf(ctx) }).execute()
    throw new AppError('bad_credentials')
  }
  await ctx.db.deleteFrom('sign_in_failure').where('subject', '=', subject).execute()
  return openSession(ctx, user.id, userAgent)
}
