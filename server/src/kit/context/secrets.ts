import { createHash, createHmac, randomBytes } from 'node:crypto'

/** A secret of 256 bits as it travels. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret (design §9, rule 7): it has full entropy, so a plain digest is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * The secret that follows this one for anybody who holds both it and the key: the same again for the same two, and no
 * guess without either.
 */
export const successorOf = (secret: string, key: string): string =>
  createHmac('sha256', secret).update(key).digest('base64url')
