import type { Tokens } from '@waybill/contract/session'
import { ApiError } from './api-error.ts'

/** What renewing tokens needs from outside; handed in, so that several tabs can be played in a test. */
export interface RefreshPorts {
  read(): Tokens | null
  write(tokens: Tokens): void
  /** The key of the renewal that begins now; until a new pair is written the same again. */
  key(): string
  /**
   * Spends the refresh token of a pair (spec §7, token/refresh); the same again for the same pair and key,
   * should the answer have been lost.
   */
  spend(stored: Tokens, key: string): Promise<Tokens>
  /** Runs the work while no other tab does. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once the stored tokens differ from these, or after a while. */
  changed(from: Tokens): Promise<void>
}

/**
 * Renews the access token once for everybody: calls in this tab share one attempt, other tabs wait at the lock and
 * then find the new pair. Answers the token to go on with, or null when the session is over.
 * Throws what is not an answer about the session: no connection, a server in trouble.
 */
export function createRefresher(ports: RefreshPorts): (refusedToken: string) => Promise<string | null> {
  let underway: Promise<string | null> | null = null

  const renew = (refusedToken: string) =>
    ports.alone(async () => {
      const stored = ports.read()
      if (stored === null) return null
      if (stored.token !== refusedToken) return stored.token
      try {
        const renewed = await ports.spend(stored, ports.key())
        ports.write(renewed)
        return renewed.token
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error
        // A tab without Web Locks renewed at the same moment: its pair is about to be stored (api, Sign-in).
        if (error.code === 'token_spent') await ports.changed(stored)
        const now = ports.read()
        return now !== null && now.refreshToken !== stored.refreshToken ? now.token : null
      }
    })

  return (refusedToken) => {
    underway ??= renew(refusedToken).finally(() => {
      underway = null
    })
    return underway
  }
}
