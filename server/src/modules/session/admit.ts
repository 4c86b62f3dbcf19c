import type { Tokens, TwoFactorChallenge } from '@waybill/contract/session'
import type { Ctx } from '../../kit/context/context.ts'
import { openChallenge } from './challenge.ts'
import { rememberDevice, type Device } from './known-device.ts'
import { openSession, type Visitor } from './tokens.ts'

export interface Caller extends Visitor {
  device: Device
}

/**
 * Lets in who has proved who they are, by a password or the identity provider: a session, or a challenge where there
 * is a second factor or the role asks for one (decision 014).
 */
export async function admit(
  ctx: Ctx,
  userId: number,
  { device, ...visitor }: Caller,
): Promise<Tokens | TwoFactorChallenge> {
  const { secondFactorOf, isTwoFactorRequired } = await ctx.db
    .selectFrom('user')
    .leftJoin('user_role as role', 'role.id', 'user.roleId')
    .leftJoin('two_factor', 'two_factor.userId', 'user.id')
    .select(['role.isTwoFactorRequired', 'two_factor.userId as secondFactorOf'])
    .where('user.id', '=', userId)
    .executeTakeFirstOrThrow()
  if (secondFactorOf !== null) return openChallenge(ctx, userId, 'required')
  if (isTwoFactorRequired) return openChallenge(ctx, userId, 'setup')
  await rememberDevice(ctx, device, userId)
  return openSession(ctx, userId, visitor)
}
