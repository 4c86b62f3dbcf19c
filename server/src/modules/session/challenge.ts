import type { SecondFactor, TwoFactorChallenge, TwoFactorSetup, Tokens } from '@waybill/contract/session'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret, newSecret } from '../../kit/context/secrets.ts'
import { tryCode } from './guessing.ts'
import { rememberDevice, type Device } from './known-device.ts'
import { openSession, type Visitor } from './tokens.ts'
import { confirmTwoFactor, describeSetup, newTwoFactorSecret, spendCode } from './two-factor.ts'

type Kind = TwoFactorChallenge['twoFactor']

/** Time to find the phone, or to install an app first. */
const LIFE_SECONDS: Readonly<Record<Kind, number>> = { required: 5 * 60, setup: 15 * 60 }
const MAX_TRIES = 5

/** For a person whose password was right: the way to a session goes through a second factor (decision 014). */
export async function openChallenge(
  ctx: Ctx,
  userId: number,
  kind: Kind,
  factors: SecondFactor[],
): Promise<TwoFactorChallenge> {
  const challenge = newSecret()
  const expiresIn = LIFE_SECONDS[kind]
  const expiresAt = new Date(ctx.clock.now().getTime() + expiresIn * 1000).toISOString()
  await ctx.db
    .insertInto('sign_in_challenge')
    .values({ hash: hashSecret(challenge), userId, kind, expiresAt, pendingSecret: null })
    .execute()
  return { twoFactor: kind, factors, challenge, expiresIn }
}

type Caller = Visitor & { device: Device }

interface Found {
  userId: number
  kind: Kind
  pendingSecret: Buffer | null
}

/** What a challenge that is still good stands for. Errors: `challenge_expired`, for all others alike. */
async function findChallenge(ctx: Ctx, hash: Buffer): Promise<Found> {
  const found = await ctx.db
    .selectFrom('sign_in_challenge as challenge')
    .innerJoin('user', 'user.id', 'challenge.userId')
    .select(['challenge.userId', 'challenge.kind', 'challenge.pendingSecret'])
    .where('challenge.hash', '=', hash)
    .where('challenge.expiresAt', '>', nowOf(ctx))
    .where('challenge.tries', '<', MAX_TRIES)
    .where('user.state', '=', 'active')
    .executeTakeFirst()
  if (!found) throw new AppError('challenge_expired')
  return found
}

/** The secret to be set up; asked again, e.g. after a reload, the same. Errors: `challenge_expired`. */
export async function setUpAtSignIn(ctx: Ctx, challenge: string): Promise<TwoFactorSetup> {
  const hash = hashSecret(challenge)
  const { userId, kind } = await findChallenge(ctx, hash)
  if (kind !== 'setup') throw new AppError('challenge_expired')
  await ctx.db
    .updateTable('sign_in_challenge')
    .set({ pendingSecret: await newTwoFactorSecret(ctx, userId) })
    .where('hash', '=', hash)
    .where('pendingSecret', 'is', null)
    .execute()
  const { pendingSecret } = await findChallenge(ctx, hash)
  if (pendingSecret === null) throw new AppError('challenge_expired')
  return describeSetup(ctx, userId, pendingSecret)
}

/** Of a person who is asked for a second factor, not for a set-up. Errors: `challenge_expired`. */
export async function personAsked(ctx: Ctx, challenge: string): Promise<{ userId: number; hash: Buffer }> {
  const hash = hashSecret(challenge)
  const { userId, kind } = await findChallenge(ctx, hash)
  if (kind !== 'required') throw new AppError('challenge_expired')
  return { userId, hash }
}

/** The last step of a sign-in. Errors: `invalid_code`, `challenge_expired`, `rate_limited`. */
export const enterCode = (
  ctx: Ctx,
  { challenge, code }: { challenge: string; code: string },
  caller: Caller,
): Promise<Tokens & { recoveryCodes?: string[] }> =>
  answerChallenge(ctx, challenge, caller, 'invalid_code', async (inner, { userId, kind, pendingSecret }) => {
    if (kind === 'required') return (await spendCode(inner, userId, code)) ? {} : null
    const recoveryCodes = pendingSecret && (await confirmTwoFactor(inner, userId, pendingSecret, code))
    return recoveryCodes && { recoveryCodes }
  })

/**
 * Opens the session where `attempt` finds the answer to a challenge right; null from it counts as a wrong try. Errors:
 * the refusal, `challenge_expired`, `rate_limited`.
 */
export async function answerChallenge<Told extends object>(
  ctx: Ctx,
  challenge: string,
  { device, ...visitor }: Caller,
  refusal: 'invalid_code' | 'passkey_refused',
  attempt: (ctx: Ctx, found: Found & { hash: Buffer }) => Promise<Told | null>,
): Promise<Tokens & Told> {
  const hash = hashSecret(challenge)
  const { userId } = await findChallenge(ctx, hash)
  return tryCode(
    ctx,
    userId,
    async (inner) => {
      // Read again: it may have been used up while this call waited for another.
      const found = await findChallenge(inner, hash)
      await inner.db
        .updateTable('sign_in_challenge')
        .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('hash', '=', hash)
        .execute()
      const told = await attempt(inner, { ...found, hash })
      if (told === null) return null
      await inner.db.deleteFrom('sign_in_challenge').where('hash', '=', hash).execute()
      await rememberDevice(inner, device, userId)
      return { ...(await openSession(inner, userId, visitor)), ...told }
    },
    refusal,
  )
}
