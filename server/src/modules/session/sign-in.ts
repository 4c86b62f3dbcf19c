import { sql } from 'kysely'
import type { Tokens, TwoFactorChallenge } from '@waybill/contract/session'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { networkOf } from '../../kit/http/network.ts'
import { admit, type Caller } from './admit.ts'
import { judge, refuseGuessing, signInSubjects } from './guessing.ts'
import { knownDeviceOf } from './known-device.ts'
import { isPassword, knownTurns, mayUsePassword, strangersTurns } from './password.ts'

interface Credentials {
  email: string
  password: string
}

/**
 * Wrong password, unknown address, no password yet and inactive user answer alike, in the same time (api, Sign-in).
 * With a second factor, or a role that asks for one, a challenge instead of tokens (decision 014).
 */
export async function signIn(
  ctx: Ctx,
  { email, password }: Credentials,
  caller: Caller,
): Promise<Tokens | TwoFactorChallenge> {
  const address = email.trim().toLowerCase()
  const user = await ctx.db
    .selectFrom('user')
    .select(['id', 'email', 'passwordHash', 'state', 'isAdmin'])
    .where(sql<boolean>`lower(email) = ${address}`)
    .executeTakeFirst()
  const knownDevice = await knownDeviceOf(ctx, caller.device, user?.id ?? null)
  const subjects = signInSubjects(address, networkOf(caller.ip), knownDevice)
  await refuseGuessing(ctx, subjects)
  const isKnown = await (knownDevice === null ? strangersTurns : knownTurns).take(async () => {
    // Asked again: those who waited behind the last free try cost no hash.
    await refuseGuessing(ctx, subjects)
    return isPassword(user?.state === 'active' && mayUsePassword(ctx, user) ? user.passwordHash : null, password)
  })
  const admitted = await judge(ctx, subjects, async () => (user && isKnown ? user : null))
  if (admitted === null) {
    // Of an unknown address too, as that of nobody: who watches the time must not learn which addresses there are.
    await audit(ctx, { ownerKind: 'user', ownerId: user?.id ?? 0, action: 'signInRefused' })
    throw new AppError('bad_credentials')
  }
  return admit(ctx, admitted.id, caller)
}
