import { mayAccess, PERMISSIONS, type Access, type Permission, type Rights } from '@waybill/contract/permissions'
import {
  getProfile,
  patchProfile,
  signOut as signOutEndpoint,
  type Profile,
  type Tokens,
} from '@waybill/contract/session'
import type { Language } from '@waybill/contract/errors'
import { useSyncExternalStore } from 'react'
import { callApi } from '../api/call-api.ts'
import { changeLanguage } from '../i18n/i18n.ts'
import { forgetNewRecoveryCodes } from './sign-in-step.ts'
import { clearTokens, onTokensChangedElsewhere, readTokens, writeTokens } from './token-store.ts'

/** Who is signed in, and what that person may do. */
export interface Session {
  readonly profile: Profile
  readonly rights: Rights
}

let session: Session | null = null
const listeners = new Set<() => void>()

function setSession(next: Session | null): void {
  session = next
  for (const listener of listeners) listener()
}

/** Hears every change of who is signed in; answers how to stop. */
function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session known so far, without asking the server. */
export const currentSession = (): Session | null => session

/** The session for a component that follows it; null while nobody is signed in. */
export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, currentSession)

/**
 * True where the signed-in person may use what carries this access: the value of the
 * endpoint, the screen or the button.
 */
export const hasAccess = (access: Access): boolean => mayAccess(access, session?.rights ?? null)

/**
 * Makes sure of the session before a screen opens (spec §2, rule 1): null without tokens,
 * else the profile, loaded once.
 * Throws where the server cannot be asked: that is no sign-out.
 */
export async function verifySession(): Promise<Session | null> {
  if (readTokens() === null) {
    if (session !== null) setSession(null)
    return null
  }
  if (session !== null) return session
  await showProfile(await callApi(getProfile))
  return session
}

/** Begins the session of these tokens, which a sign-in has answered. */
export async function beginSession(tokens: Tokens): Promise<void> {
  writeTokens(tokens)
  setSession(null)
  await verifySession()
}

/** Ends the session on the server and here. Here also when the server does not answer: who leaves has left. */
export async function signOut(): Promise<void> {
  const tokens = readTokens()
  forgetNewRecoveryCodes()
  clearTokens()
  setSession(null)
  if (tokens !== null)
    await callApi(signOutEndpoint, { body: { refreshToken: tokens.refreshToken } }).catch(() => undefined)
}

/** Forgets the session without telling the server, which has ended it already. */
export function forgetSession(): void {
  clearTokens()
  setSession(null)
}

/**
 * Changes the language here and, where somebody is signed in, in the profile, which
 * decides at the next start (spec §4).
 */
export async function chooseLanguage(language: Language): Promise<void> {
  const profile = session?.profile
  if (profile === undefined || profile.defaultLanguage === language) {
    await changeLanguage(language)
    return
  }
  try {
    // First the profile: once the words have changed, a form that holds it has its new version, too.
    await showProfile(await callApi(patchProfile, { body: { defaultLanguage: language }, version: profile.version }))
  } catch (error) {
    await changeLanguage(language)
    throw error
  }
}

/**
 * Follows what other tabs do: signing out there ends the session here, too, which `onSignedOut` sees to, and another
 * person there must not be mixed with this one.
 */
export function followOtherTabs(onSignedOut: () => void): void {
  onTokensChangedElsewhere(() => {
    if (session === null) return
    if (readTokens() === null) {
      onSignedOut()
      return
    }
    const before = session.profile.id
    callApi(getProfile).then(
      (profile) => {
        if (profile.id !== before) location.reload()
      },
      () => undefined,
    )
  })
}

/** Takes over one's own data as the server has it now: the name in the account's menu, the language. */
export async function showProfile(profile: Profile): Promise<void> {
  await changeLanguage(profile.defaultLanguage)
  setSession({ profile, rights: rightsOf(profile) })
}

/** Permissions travel as a JSON text and count only where a position exists (spec §3, Profile). */
function rightsOf(profile: Pick<Profile, 'position' | 'permissions'>): Rights {
  if (profile.position === null) return { isAdmin: false, permissions: [] }
  return { isAdmin: profile.position.isAdmin, permissions: permissionsIn(profile.permissions) }
}

function permissionsIn(text: string): Permission[] {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? PERMISSIONS.filter((permission) => names.includes(permission)) : []
  } catch {
    return []
  }
}
