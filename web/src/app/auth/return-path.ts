import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { hasAccess, verifySession } from '../../kit/session/session.ts'
import { ownProfile } from '../guards.ts'

/**
 * Where a person goes after signing in: where they wanted to, if that is a screen of ours; else to the dashboard where
 * they may, else to their profile.
 */
export async function pathAfterSignIn(wanted: unknown): Promise<string> {
  const path = returnPath(wanted)
  if (path !== null) return path
  // Without an answer the start says so and tries again.
  if ((await verifySession().catch(() => null)) === null) return '/'
  return hasAccess(ORDER_ACCESS) ? '/dashboard' : ownProfile()
}

/** The screen of ours that an address names; null where it names another place, none, or only the start. */
export function returnPath(wanted: unknown): string | null {
  if (typeof wanted !== 'string') return null
  try {
    // A second slash or a backslash at the start would lead to another host.
    const target = new URL(wanted, 'https://here.invalid')
    if (!wanted.startsWith('/') || target.origin !== 'https://here.invalid' || target.pathname.startsWith('//'))
      return null
    if (target.pathname === '/' || target.pathname === '/login' || target.pathname.startsWith('/auth/')) return null
    return `${target.pathname}${target.search}${target.hash}`
  } catch {
    return null
  }
}
