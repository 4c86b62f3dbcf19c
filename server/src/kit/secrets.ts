import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 bits as it travels. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret (design §9, rule 7): it has full entropy, so a plain digest is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
