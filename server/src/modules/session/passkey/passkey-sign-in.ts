import type { PasskeyRequest, SignedByPasskey } from '@waybill/contract/session/passkey'
import type { Tokens } from '@waybill/contract/session'
import { tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { hashSecret } from '../../../kit/context/secrets.ts'
import { networkOf } from '../../../kit/http/network.ts'
import { audit } from '../../../kit/records/audit.ts'
import type { Caller } from '../admit.ts'
import { answerChallenge, personAsked } from '../challenge.ts'
import { judge, networkSubjects, passkeySubjects, refuseGuessing } from '../guessing.ts'
import { rememberDevice } from '../known-device.ts'
import { mayUsePassword } from '../password.ts'
import { openSession } from '../tokens.ts'
import { readSignature } from './ceremony.ts'
import { descriptorsOf, findKey, noteUse } from './kept-passkeys.ts'
import { LIFE_MS, openPasskeyChallenge, spendPasskeyChallenge } from './passkey-challenge.ts'
import { offeredBy, type RelyingParty } from './relying-party.ts'

type Key = NonNullable<Awaited<ReturnType<typeof findKey>>>

/** Begins a sign-in by a passkey alone. Errors: `passkeys_not_here`, `rate_limited`. */
export async function beginPasskeySignIn(ctx: Ctx, { ip }: Caller): Promise<PasskeyRequest> {
  const { id: rpId } = offeredBy(ctx)
  await refuseGuessing(ctx, networkSubjects(networkOf(ip)))
  const challenge = await openPasskeyChallenge(ctx, {})
  return { rpId, challenge, timeout: LIFE_MS, allowCredentials: [], userVerification: 'required' }
}

/**
 * Ends it: the device has verified the person, so it is both factors. Who may not use a password may not get in by a
 * passkey alone either (decision 116). Errors: `passkey_refused`, for all reasons alike, `rate_limited`.
 */
export async function endPasskeySignIn(
  ctx: Ctx,
  signed: SignedByPasskey,
  { device, ...visitor }: Caller,
): Promise<Tokens> {
  const party = offeredBy(ctx)
  const subjects = passkeySubjects(hashSecret(signed.id).toString('hex'), networkOf(visitor.ip))
  const key = await findKey(ctx, Buffer.from(signed.id, 'base64url'))
  const tokens = await judge(ctx, subjects, async (inner) => {
    const spent = await spendPasskeyChallenge(inner, signed.clientDataJSON, {})
    if (!spent || !key || !mayUsePassword(inner, key) || !isHandleOf(key, signed.userHandle)) return null
    const asked = { challenge: spent.challenge, mustVerify: true }
    if (!(await hasSigned(inner, party, key, signed, asked))) return null
    await audit(inner, { ownerKind: 'user', ownerId: key.userId, action: 'passkeyUsedAlone', actorId: key.userId })
    await rememberDevice(inner, device, key.userId)
    return openSession(inner, key.userId, visitor)
  })
  if (tokens === null) {
    await audit(ctx, { ownerKind: 'user', ownerId: key?.userId ?? 0, action: 'signInRefused' })
    throw new AppError('passkey_refused')
  }
  return tokens
}

/** The second factor after the password or the identity provider. Errors: `challenge_expired`, `passkeys_not_here`. */
export async function beginPasskeyFactor(ctx: Ctx, signIn: string): Promise<PasskeyRequest> {
  const { id: rpId } = offeredBy(ctx)
  const { userId, hash } = await personAsked(ctx, signIn)
  const allowCredentials = await descriptorsOf(ctx, userId)
  // Without any the browser would offer the passkeys of everybody on this device.
  if (allowCredentials.length === 0) throw new AppError('challenge_expired')
  const challenge = await openPasskeyChallenge(ctx, { signInHash: hash })
  return { rpId, challenge, timeout: LIFE_MS, allowCredentials, userVerification: 'preferred' }
}

/** Errors: `passkey_refused`, `challenge_expired`, `rate_limited`. */
export async function endPasskeyFactor(
  ctx: Ctx,
  { challenge: signIn, passkey: signed }: { challenge: string; passkey: SignedByPasskey },
  caller: Caller,
): Promise<Tokens> {
  const party = offeredBy(ctx)
  return answerChallenge(ctx, signIn, caller, 'passkey_refused', async (inner, { userId, kind, hash }) => {
    const spent = await spendPasskeyChallenge(inner, signed.clientDataJSON, { signInHash: hash })
    const key = await findKey(inner, Buffer.from(signed.id, 'base64url'))
    if (kind !== 'required' || !spent || key?.userId !== userId) return null
    if (signed.userHandle !== null && !isHandleOf(key, signed.userHandle)) return null
    const asked = { challenge: spent.challenge, mustVerify: false }
    if (!(await hasSigned(inner, party, key, signed, asked))) return null
    await audit(inner, { ownerKind: 'user', ownerId: userId, action: 'passkeyUsed', actorId: userId })
    return {}
  })
}

const isHandleOf = ({ userHandle }: Key, given: string | null): boolean =>
  given !== null && userHandle.equals(Buffer.from(given, 'base64url'))

/** Notes its use; a key whose counter went back is refused, and its owner is told: somebody has a copy. */
async function hasSigned(
  ctx: Ctx,
  party: RelyingParty,
  key: Key,
  signed: SignedByPasskey,
  asked: { challenge: string; mustVerify: boolean },
): Promise<boolean> {
  const use = await readSignature(ctx, party, key, signed, asked)
  if (use === null) return false
  if (await noteUse(ctx, key.id, use)) return true
  await audit(ctx, { ownerKind: 'user', ownerId: key.userId, action: 'passkeyCopied' })
  await tell(ctx, { type: 'passkey.told', userId: key.userId, what: 'copied', name: key.name })
  return false
}
