import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, line } from '../kit/fields.ts'
import { Tokens } from '../session.ts'

/** Bytes as browsers write them in JSON (WebAuthn 3, 5.1.8). */
const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/)

/** What a browser is asked for is written as it reads it: `PublicKeyCredential.parseCreationOptionsFromJSON`. */
const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

export const PasskeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  /** milliseconds */
  timeout: z.number().int(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.output<typeof PasskeyCreation>

/** The same for `parseRequestOptionsFromJSON`. Without `allowCredentials` the device offers what it holds. */
export const PasskeyRequest = z.object({
  rpId: z.string(),
  challenge: z.string(),
  /** milliseconds */
  timeout: z.number().int(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.enum(['required', 'preferred']),
})
export type PasskeyRequest = z.output<typeof PasskeyRequest>

/** What the browser made; of its answer the parts that are looked at. */
export const MadePasskey = z.strictObject({
  id: bytes(1400),
  clientDataJSON: bytes(4000),
  attestationObject: bytes(40_000),
  transports: z
    .array(
      z
        .string()
        .max(20)
        .regex(/^[a-z-]+$/),
    )
    .max(10),
})
export type MadePasskey = z.output<typeof MadePasskey>

/** A signature by a passkey. `userHandle` says whose it is; it comes where the device was not told which to use. */
export const SignedByPasskey = z.strictObject({
  id: bytes(1400),
  clientDataJSON: bytes(4000),
  authenticatorData: bytes(4000),
  signature: bytes(4000),
  userHandle: bytes(100).nullable(),
})
export type SignedByPasskey = z.output<typeof SignedByPasskey>

/**
 * Begins a sign-in by a passkey alone; good once, for five minutes. Errors: `passkeys_not_here`, `rate_limited`.
 */
export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/token/passkey',
  access: 'public',
  summary: 'Begin a sign-in by a passkey alone',
  reply: PasskeyRequest,
})

/**
 * Ends it: the device has asked for its PIN, a finger or a face, which makes it both factors. Errors:
 * `passkey_refused`, for every reason alike; `rate_limited`, `passkeys_not_here`.
 */
export const endPasskeySignIn = endpoint({
  method: 'POST',
  path: '/token/passkey/answer',
  access: 'public',
  summary: 'Sign in by a passkey alone',
  body: SignedByPasskey,
  reply: Tokens,
})

const challenge = z.string().min(1).max(200)

/** Instead of the code: for a challenge whose `factors` name it. Errors: `challenge_expired`, `passkeys_not_here`. */
export const beginPasskeyFactor = endpoint({
  method: 'POST',
  path: '/token/two-factor/passkey',
  access: 'public',
  summary: 'Begin to answer the challenge of a sign-in with a passkey',
  body: z.strictObject({ challenge }),
  reply: PasskeyRequest,
})

/**
 * Errors: `passkey_refused` (it may be tried again from the beginning, five times in all), `challenge_expired`,
 * `rate_limited`.
 */
export const endPasskeyFactor = endpoint({
  method: 'POST',
  path: '/token/two-factor/passkey/answer',
  access: 'public',
  summary: 'Answer the challenge of a sign-in with a passkey',
  body: z.strictObject({ challenge, passkey: SignedByPasskey }),
  reply: Tokens,
})

/** What its owner calls it. */
const name = line(60)

export const Passkey = z.object({
  id,
  name: z.string(),
  addedAt: z.string(),
  /** null: never yet */
  lastUsedAt: z.string().nullable(),
  /** its provider keeps a copy, so that it is on other devices of the person too */
  isSynced: z.boolean(),
})
export type Passkey = z.output<typeof Passkey>

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/profile/passkeys',
  access: 'signedIn',
  inPerson: true,
  summary: 'One’s own passkeys, the first added first',
  reply: z.object({
    items: z.array(Passkey),
    /** false where the public address is none for which browsers make passkeys: none can be added */
    isOffered: z.boolean(),
  }),
})

/** The proof that it is the owner: the password, or for people without one a sign-in of the last ten minutes. */
const proof = { currentPassword: z.string().max(200).optional() }

/**
 * Begins a new one, with proof. Errors: fields, among them `wrong_password`; `fresh_sign_in_needed`, `conflict` with
 * twenty, `rate_limited`, `passkeys_not_here`.
 */
export const beginPasskey = endpoint({
  method: 'POST',
  path: '/profile/passkeys/options',
  access: 'signedIn',
  inPerson: true,
  summary: 'Begin one’s own new passkey',
  body: z.strictObject(proof),
  reply: PasskeyCreation,
})

/** A mail tells the person. Errors: `passkey_refused`, `conflict`, `passkeys_not_here`. */
export const addPasskey = endpoint({
  method: 'POST',
  path: '/profile/passkeys',
  access: 'signedIn',
  inPerson: true,
  summary: 'Keep the passkey that the browser made',
  body: z.strictObject({ name, passkey: MadePasskey }),
  reply: Passkey,
  status: 201,
  location: null,
})

const onePasskey = z.strictObject({ id: idText })

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/profile/passkeys/:id',
  access: 'signedIn',
  inPerson: true,
  summary: 'Call one of one’s own passkeys otherwise',
  params: onePasskey,
  body: z.strictObject({ name }),
  reply: Passkey,
})

/**
 * A mail tells the person. Errors: `passkey_last` where the role requires a second factor and this is the only one;
 * fields, among them `wrong_password`; `fresh_sign_in_needed`, `rate_limited`.
 */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/profile/passkeys/:id',
  access: 'signedIn',
  inPerson: true,
  summary: 'Remove one of one’s own passkeys, with proof',
  params: onePasskey,
  body: z.strictObject(proof),
})
