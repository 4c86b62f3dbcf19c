import type { Tokens } from '@waybill/contract/session'
import { newRandomKey } from '../api/random-key.ts'

/** The names under which the browser keeps things (spec §3). */
export const STORED = {
  authData: 'authData',
  token: 'id_token',
  language: 'language',
  appVersion: 'appVersion',
  reloadModalShown: 'reload_modal_shown',
  groupFilter: 'group_filter',
} as const

/** What is stored: the pair, and the key under which its renewal can be asked for again (token/refresh). */
export type StoredTokens = Tokens & { renewalKey?: string }

/** The stored pair of tokens, or null where nobody is signed in. Anything unreadable counts as nobody. */
export function readTokens(): StoredTokens | null {
  const stored = localStorage.getItem(STORED.authData)
  if (stored === null) return null
  try {
    const value = JSON.parse(stored) as Partial<StoredTokens> | null
    return typeof value?.token === 'string' && typeof value.refreshToken === 'string' ? (value as StoredTokens) : null
  } catch {
    return null
  }
}

/**
 * Keeps a new pair. All tabs find one key beside it: whichever renews last, the answer is the
 * one that the first may have lost.
 */
export function writeTokens(tokens: Tokens): void {
  localStorage.setItem(
    STORED.authData,
    JSON.stringify({ ...tokens, renewalKey: newRandomKey() } satisfies StoredTokens),
  )
  localStorage.setItem(STORED.token, tokens.token)
}

export function clearTokens(): void {
  localStorage.removeItem(STORED.authData)
  localStorage.removeItem(STORED.token)
}

/** The company that an administrator narrowed everything to, or 0 (spec §7, header `group-filter`). */
export function readGroupFilter(): number {
  const value = Number(localStorage.getItem(STORED.groupFilter))
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** Calls back when another tab signed in, signed out or renewed the tokens; answers how to stop listening. */
export function onTokensChangedElsewhere(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    // `key` is null when another tab cleared the whole storage.
    if (event.key === STORED.authData || event.key === null) listener()
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
