import type { Tokens } from '@waybill/contract/session'
import { newRandomKey } from '../api/random-key.ts'

/** The names under which the browser keeps things (spec §3). */
export const STORED = {
  authData: 'authData',
  token: 'id_token',
  renewalKey: 'renewal_key',
  language: 'language',
  appVersion: 'appVersion',
  reloadModalShown: 'reload_modal_shown',
  groupFilter: 'group_filter',
} as const

/** The stored pair of tokens, or null where nobody is signed in. Anything unreadable counts as nobody. */
export function readTokens(): Tokens | null {
  const stored = localStorage.getItem(STORED.authData)
  if (stored === null) return null
  try {
    const value = JSON.parse(stored) as Partial<Tokens> | null
    return typeof value?.token === 'string' && typeof value.refreshToken === 'string' ? (value as Tokens) : null
  } catch {
    return null
  }
}

/** Keeps a new pair; the key of the renewal that brought it has done its work. */
export function writeTokens(tokens: Tokens): void {
  localStorage.setItem(STORED.authData, JSON.stringify(tokens))
  localStorage.setItem(STORED.token, tokens.token)
  localStorage.removeItem(STORED.renewalKey)
}

/**
 * The key under which the answer to this renewal can be asked for again (token/refresh): made and kept when the
 * renewal begins, so that a copy of the storage taken before does not hold it. A page that is loaded after the answer
 * was lost finds it.
 */
export function renewalKey(): string {
  const kept = localStorage.getItem(STORED.renewalKey)
  if (kept !== null) return kept
  const key = newRandomKey()
  localStorage.setItem(STORED.renewalKey, key)
  return key
}

export function clearTokens(): void {
  localStorage.removeItem(STORED.authData)
  localStorage.removeItem(STORED.token)
  localStorage.removeItem(STORED.renewalKey)
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
