import type { FastifyReply, FastifyRequest } from 'fastify'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { hashSecret, newSecret, successorOf } from '../../../kit/context/secrets.ts'
import { secretCookieOf } from '../known-device.ts'
import type { AttemptKeys } from './provider-settings.ts'
import '../session.table.ts'

/** Time for a password, a second factor and a forgotten password at the provider. */
const LIFE_SECONDS = 10 * 60

/** The attempt of the browser that calls: its secret, if any, and the ways to give it one and to take it away. */
export interface AttemptCookie {
  secret: string | null
  keep(secret: string): void
  drop(): void
}

/** Out of reach of scripts, and sent to `token/provider` alone. */
export function attemptCookieOf(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): AttemptCookie {
  const cookie = { name: 'waybill_sign_in', path: '/api/token/provider' }
  const { secret, set } = secretCookieOf(ctx, request, reply, cookie)
  return { secret, keep: (kept) => set(kept, LIFE_SECONDS), drop: () => set('', 0) }
}

// Worked out of the secret, so that nothing lies in the database that would help to end a sign-in.
const keysOf = (secret: string): AttemptKeys => ({
  state: successorOf(secret, 'state'),
  nonce: successorOf(secret, 'nonce'),
  verifier: successorOf(secret, 'verifier'),
})

/** Begins an attempt in this browser; one that it began before is over. */
export async function openAttempt(ctx: Ctx, cookie: AttemptCookie): Promise<AttemptKeys> {
  const secret = newSecret()
  const expiresAt = new Date(ctx.clock.now().getTime() + LIFE_SECONDS * 1000).toISOString()
  await ctx.db
    .insertInto('provider_attempt')
    .values({ hash: hashSecret(secret), expiresAt })
    .execute()
  cookie.keep(secret)
  return keysOf(secret)
}

/** Uses the attempt of this browser up; null for one of another browser, one that is over, and a second time. */
export async function spendAttempt(ctx: Ctx, cookie: AttemptCookie, state: string): Promise<AttemptKeys | null> {
  const { secret } = cookie
  if (secret === null || keysOf(secret).state !== state) return null
  cookie.drop()
  const spent = await ctx.db
    .deleteFrom('provider_attempt')
    .where('hash', '=', hashSecret(secret))
    .where('expiresAt', '>', nowOf(ctx))
    .executeTakeFirst()
  return spent.numDeletedRows === 1n ? keysOf(secret) : null
}
