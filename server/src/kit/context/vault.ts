import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Keeps what must be read again but lies in the database: sealed with a key from SECRET_KEY, it is worth nothing in a
 * stolen copy.
 */
export interface Vault {
  /** `context` says what it is and whose: what was sealed for one is not opened for another. */
  seal(text: string, context: string): Buffer
  /** null: sealed for something else, with another key, or damaged. */
  open(sealed: Buffer, context: string): string | null
  /** 32 bytes that only who holds the key can work out, the same again for the same text and context. */
  sign(text: string, context: string): Buffer
}

declare module './context.ts' {
  interface Ports {
    vault: Vault
  }
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM: nonce, tag and text one after another. */
export function createVault(secretKey: string): Vault {
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

/** The token of the upload link of an assignment: worked out from its row and the installation's key, kept nowhere. */
export const uploadToken = (vault: Vault, { assignmentId, nonce }: { assignmentId: number; nonce: Buffer }): string =>
  vault.sign(`${assignmentId} ${nonce.toString('hex')}`, 'upload link').toString('base64url')

/** The token of a tracking link: worked out in the same way, of the two records that it is about. */
export const trackingToken = (vault: Vault, about: readonly [number, number], nonce: Buffer): string =>
  vault.sign(`${about.join(' ')} ${nonce.toString('hex')}`, 'tracking link').toString('base64url')

/** The token of a driver's link: worked out in the same way, of the route and its assignment. */
export const driverToken = (vault: Vault, about: readonly [number, number], nonce: Buffer): string =>
  vault.sign(`${about.join(' ')} ${nonce.toString('hex')}`, 'driver link').toString('base64url')

/** The token of a link for a carrier's new paper: worked out in the same way, of the carrier and the kind of paper. */
export const paperToken = (vault: Vault, about: readonly [number, string], nonce: Buffer): string =>
  vault.sign(`${about.join(' ')} ${nonce.toString('hex')}`, 'paper link').toString('base64url')
