import { newSecret } from '../../kit/context/secrets.ts'

/** What tells a key from an access token, also for tools that look for secrets in files. */
const KEY = /^wbk_[A-Za-z0-9_-]{43}$/

/** A key as it travels: 256 random bits behind the prefix. */
export const newKey = (): string => `wbk_${newSecret()}`

export const isKey = (token: string): boolean => KEY.test(token)
