import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { hashSecret } from './secrets.ts'

/** A secret key of the installation: each that follows has the next number (decision 137). */
export interface NumberedKey {
  number: number
  key: string
}

/** The newest key seals and signs; those before it open and prove, the newest of them first. */
export interface SecretKeys {
  newest: NumberedKey
  former: readonly NumberedKey[]
}

/** An installation whose key was never changed, or whose former keys are not known here. */
export const oneKey = (key: string): SecretKeys => ({ newest: { number: 1, key }, former: [] })

/**
 * Keeps what must be read again but lies in the database: sealed with a key from SECRET_KEY, it is worth nothing in a
 * stolen copy.
 */
export interface Vault {
  /** `context` says what it is and whose: what was sealed for one is not opened for another. */
  seal(text: string, context: string): Buffer
  /** null: sealed for something else, with none of the keys, or damaged. */
  open(sealed: Buffer, context: string): string | null
  /** 32 bytes that only who holds the key can work out, the same again for the same text and context. */
  sign(text: string, context: string): Buffer
  /** how the keys before this one sign, the newest first */
  former: readonly Pick<Vault, 'sign'>[]
}

declare module './context.ts' {
  interface Ports {
    vault: Vault
  }
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM: nonce, tag and text one after another. */
function createLock(secretKey: string): Omit<Vault, 'former'> {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'waybill vault', 32))
  const signingKey = new Uint8Array(hkdfSync('sha256', secretKey, '', 'waybill links', 32))
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, context) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        )
      } catch {
        return null
      }
    },
    sign: (text, context) => createHmac('sha256', signingKey).update(`${context}\n${text}`).digest(),
  }
}

/** What was sealed by any of the keys is opened: which one it was the seal itself tells. */
export function createVault({ newest, former }: SecretKeys): Vault {
  const lock = createLock(newest.key)
  const others = former.map(({ key }) => createLock(key))
  return {
    ...lock,
    open(sealed, context) {
      for (const one of [lock, ...others]) {
        const opened = one.open(sealed, context)
        if (opened !== null) return opened
      }
      return null
    },
    former: others,
  }
}

const keyContext = (number: number): string => `secret key ${number}`

/** The keys before the newest, sealed with it. */
export function sealFormerKeys({ newest, former }: SecretKeys): { number: number; sealed: Buffer }[] {
  const lock = createLock(newest.key)
  return former.map(({ number, key }) => ({ number, sealed: lock.seal(key, keyContext(number)) }))
}

/** The keys before this one that it opens, the newest first. */
export function openFormerKeys(newest: string, sealed: readonly { number: number; sealed: Buffer }[]): NumberedKey[] {
  const lock = createLock(newest)
  return sealed
    .flatMap((one) => {
      const key = lock.open(one.sealed, keyContext(one.number))
      return key === null ? [] : [{ number: one.number, key }]
    })
    .sort((one, other) => other.number - one.number)
}

/** What a link's token is worked out of; the digest of one that was made already, null of a new one. */
interface Made {
  nonce: Buffer
  tokenHash: Buffer | null
}

/**
 * Worked out of what the link is about and the installation's key, kept nowhere. One that was made with a key from
 * before is worked out with that: its digest tells which. All keys are tried each time, so that it takes as long.
 */
function linkToken(vault: Vault, { nonce, tokenHash }: Made, about: readonly unknown[], context: string): string {
  const [token = '', ...others] = [vault, ...vault.former].map((key) =>
    key.sign(`${about.join(' ')} ${nonce.toString('hex')}`, context).toString('base64url'),
  )
  return others.find((one) => tokenHash !== null && hashSecret(one).equals(tokenHash)) ?? token
}

/** The token of the upload link of an assignment. */
export const uploadToken = (vault: Vault, { assignmentId, ...made }: Made & { assignmentId: number }): string =>
  linkToken(vault, made, [assignmentId], 'upload link')

/** The token of a tracking link, of the two records that it is about. */
export const trackingToken = (vault: Vault, about: readonly [number, number], made: Made): string =>
  linkToken(vault, made, about, 'tracking link')

/** The token of a driver's link, of the route and its assignment. */
export const driverToken = (vault: Vault, about: readonly [number, number], made: Made): string =>
  linkToken(vault, made, about, 'driver link')

/** The token of a truck's link, of the vehicle and its first day. */
export const truckToken = (vault: Vault, about: readonly [number, string], made: Made): string =>
  linkToken(vault, made, about, 'truck link')

/** The token of a link for a carrier's new paper, of the carrier and the kind of paper. */
export const paperToken = (vault: Vault, about: readonly [number, string], made: Made): string =>
  linkToken(vault, made, about, 'paper link')
