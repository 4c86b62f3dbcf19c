import type { MadePasskey, SignedByPasskey } from '@waybill/contract/session/passkey'
import type { Ctx } from '../../../kit/context/context.ts'
import type { RelyingParty } from './relying-party.ts'

/** ES256, RS256 and Ed25519, by their numbers of COSE: what devices have. */
export const ALGORITHMS = [-7, -257, -8]

/** A new key as it is kept. */
interface NewKey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  isSynced: boolean
}

// A new Buffer: the library takes no view of another's memory.
const bytesOf = (kept: Buffer) => new Uint8Array(kept)

/** The library throws for whatever it refuses; why stands in the log, and is nobody's business outside. */
async function orNull<T>(ctx: Ctx, asked: () => Promise<T | null>): Promise<T | null> {
  try {
    return await asked()
  } catch (error) {
    ctx.log.info({ reason: error instanceof Error ? error.message : String(error) }, 'a passkey was refused')
    return null
  }
}

/**
 * The attestation object without what vouches for the device. Nobody asked for that, and to prove it the server would
 * call addresses that stand in certificates (design §9, rule 8).
 */
async function unattested(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  return isoBase64URL.fromBuffer(
    isoCBOR.encode(
      new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', authData],
      ]),
    ),
  )
}

/** The key of a new passkey that was made here, for this challenge, by somebody whom the device has verified. */
export const readMadePasskey = (
  ctx: Ctx,
  { id: rpId, origin }: RelyingParty,
  { id, clientDataJSON, attestationObject }: MadePasskey,
  challenge: string,
): Promise<NewKey | null> =>
  orNull(ctx, async () => {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: await unattested(attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified || registrationInfo.credential.id !== id) return null
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(registrationInfo.credential.publicKey),
      counter: registrationInfo.credential.counter,
      isSynced: registrationInfo.credentialBackedUp,
    }
  })

/**
 * What a right signature by this key says; null for one that is not right, of another site or challenge, or where the
 * device has not verified the person although it must.
 */
export const readSignature = (
  ctx: Ctx,
  { id: rpId, origin }: RelyingParty,
  { publicKey }: { publicKey: Buffer },
  { id, clientDataJSON, authenticatorData, signature }: SignedByPasskey,
  { challenge, mustVerify }: { challenge: string; mustVerify: boolean },
): Promise<{ counter: number; isSynced: boolean } | null> =>
  orNull(ctx, async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // Below any counter: it is compared where it is kept, so that a copied key can be told from a wrong one.
      credential: { id, publicKey: bytesOf(publicKey), counter: -1 },
      requireUserVerification: mustVerify,
    })
    return verified ? { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp } : null
  })
