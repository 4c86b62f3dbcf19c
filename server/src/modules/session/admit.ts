import type { SecondFactor, Tokens, TwoFactorChallenge } from '@waybill/contract/session'
import type { Ctx } from '../../kit/context/context.ts'
import { openChallenge } from './challenge.ts'
import { rememberDevice, type Device } from './known-device.ts'
import { openSession, type Visitor } from './tokens.ts'
import { secondFactorsOf } from './two-factor.ts'

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
  const { hasCode, hasPasskey, isTwoFactorRequired } = await secondFactorsOf(ctx, userId)
  const factors: SecondFactor[] = [...(hasCode ? ['code' as const] : []), ...(hasPasskey ? ['passkey' as const] : [])]
  if (factors.length > 0) return openChallenge(ctx, userId, 'required', factors)
  if (isTwoFactorRequired) return openChallenge(ctx, userId, 'setup', ['code'])
  await rememberDevice(ctx, device, userId)
  return openSession(ctx, userId, visitor)
}
