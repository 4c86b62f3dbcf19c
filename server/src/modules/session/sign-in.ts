import { sql } from 'kysely'
import type { Tokens, TwoFactorChallenge } from '@waybill/contract/session'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { openChallenge } from './challenge.ts'
import { countFailure, forgetFailures, pairOf, refuseGuessing } from './guessing.ts'
import { isPassword } from './password.ts'
import { openSession } from './tokens.ts'

interface Credentials {
  email: string
  password: string
}

interface Caller {
  ip: string
  userAgent: string | null
}

/**
 * Wrong password, unknown address, no password yet and inactive user answer alike, in the same time (api, Sign-in).
 * With a second factor, or a role that asks for one, a challenge instead of tokens (decision 014).
 */
export async function signIn(
  ctx: Ctx,
  { email, password }: Credentials,
  { ip, userAgent }: Caller,
): Promise<Tokens | TwoFactorChallenge> {
  const address = email.trim().toLowerCase()
  // An attacker behind one address must not lock the owner out elsewhere: the pair is what is blocked.
  const subject = pairOf(address, ip)
  await refuseGuessing(ctx, subject)
  const user = await ctx.db
    .selectFrom('user')
    .leftJoin('user_role as role', 'role.id', 'user.roleId')
    .leftJoin('two_factor', 'two_factor.userId', 'user.id')
    .select([
      'user.id',
      'user.passwordHash',
      'user.state',
      'role.isTwoFactorRequired',
      'two_factor.userId as secondFactorOf',
    ])
    .where(sql<boolean>`lower("user".email) = ${address}`)
    .executeTakeFirst()
  const isKnown = await isPassword(user?.state === 'active' ? user.passwordHash : null, password)
  // Asked again, for the right password and the wrong one: of many at once, those after the tenth wrong one learn
  // nothing.
  await refuseGuessing(ctx, subject)
  if (!user || !isKnown) {
    await countFailure(ctx, subject)
    throw new AppError('bad_credentials')
  }
  await forgetFailures(ctx, subject)
  if (user.secondFactorOf !== null) return openChallenge(ctx, user.id, 'required')
  if (user.isTwoFactorRequired) return openChallenge(ctx, user.id, 'setup')
  return openSession(ctx, user.id, userAgent)
}
