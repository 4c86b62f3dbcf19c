import type { MadePasskey, PasskeyCreation, PasskeyRequest, SignedByPasskey } from '@waybill/contract/session/passkey'

/**
 * Why a browser gave no passkey. `canceled`: the person turned back, or took too long. `known`: this device has one of
 * theirs already. `address`: Waybill is open at another address than its public one.
 */
type PasskeyReason = 'canceled' | 'known' | 'address' | 'failed'

export class PasskeyError extends Error {
  readonly reason: PasskeyReason

  constructor(reason: PasskeyReason, options?: ErrorOptions) {
    super(`passkey: ${reason}`, options)
    this.name = 'PasskeyError'
    this.reason = reason
  }
}

const REASONS: Readonly<Record<string, PasskeyReason>> = {
  NotAllowedError: 'canceled',
  AbortError: 'canceled',
  InvalidStateError: 'known',
  SecurityError: 'address',
}

/** This browser can make and use passkeys on this page. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext &&
  'PublicKeyCredential' in window &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

const text = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function ask<Response>(asked: () => Promise<Credential | null>): Promise<{ id: string; response: Response }> {
  try {
    const credential = (await asked()) as PublicKeyCredential | null
    if (credential === null) throw new PasskeyError('canceled')
    return { id: text(credential.rawId), response: credential.response as Response }
  } catch (error) {
    if (error instanceof PasskeyError) throw error
    throw new PasskeyError(REASONS[(error as Error).name] ?? 'failed', { cause: error })
  }
}

/** Lets the browser make a passkey. Throws PasskeyError. */
export async function makePasskey(options: PasskeyCreation): Promise<MadePasskey> {
  const { id, response } = await ask<AuthenticatorAttestationResponse>(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  return {
    id,
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
    transports: response.getTransports(),
  }
}

/** Lets the browser sign with a passkey. Throws PasskeyError. */
export async function signWithPasskey(options: PasskeyRequest): Promise<SignedByPasskey> {
  const { id, response } = await ask<AuthenticatorAssertionResponse>(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  return {
    id,
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    userHandle: response.userHandle === null ? null : text(response.userHandle),
  }
}
