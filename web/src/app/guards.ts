import { redirect, type AnyRoute, type ParsedLocation, type StaticDataRouteOption } from '@tanstack/react-router'
import { currentSession, hasAccess, verifySession } from '../kit/session/session.ts'
import { readNewRecoveryCodes, readStep, type SignInStep } from '../kit/session/sign-in-step.ts'
import { loadTexts } from '../kit/i18n/i18n.ts'
import type { MenuEntry } from './screen.ts'

/** What a step to a screen brings along. */
export interface Navigation {
  location: ParsedLocation
  matches: { staticData: StaticDataRouteOption }[]
}

/** The navigation rules 1 to 4 of spec §2, for every screen and every step to it. */
export async function guard({ location, matches }: Navigation): Promise<void> {
  const { access, isWithoutReturn = false, titleKey } = matches.at(-1)?.staticData ?? {}
  if (titleKey !== undefined) await loadTexts(titleKey.split(':')[0]!)
  if (access === 'public') return
  const session = await verifySession()
  if (session === null) {
    throw redirect({ to: '/auth/login', search: isWithoutReturn ? {} : { redirect: location.href } })
  }
  // A screen that names no access is closed, like an endpoint.
  if (access === undefined || !hasAccess(access)) throw redirect({ to: '/403', replace: true })
}

/** The pages between password and session need the step that leads to them; a reload finds it, a bookmark does not. */
export function assertStep(next: SignInStep['next']): (step: { search: unknown }) => void {
  return ({ search }) => {
    const isThere = readStep()?.next === next || (next === 'setUp' && readNewRecoveryCodes() !== null)
    if (!isThere) throw redirect({ to: '/auth/login', search: search as object, replace: true })
  }
}

/** A menu entry with the address that it leads to. */
export interface MenuLink extends MenuEntry {
  to: string
}

/** The navigation of the signed-in person: the screens of the table that they may open. */
export function menuOf(tree: AnyRoute): MenuLink[] {
  const links: MenuLink[] = []
  const visit = (route: AnyRoute) => {
    const { menu, access } = route.options.staticData ?? {}
    if (menu !== undefined && access !== undefined && hasAccess(access))
      links.push(...menu.map((entry) => ({ ...entry, to: route.fullPath as string })))
    for (const child of childrenOf(route)) visit(child)
  }
  visit(tree)
  return links.sort((a, b) => a.order - b.order)
}

/** The screens on which the signed-in person may create something. */
export function createScreens(tree: AnyRoute): { to: string; titleKey: string }[] {
  const { titleKey, access } = tree.options.staticData ?? {}
  const own =
    tree.fullPath.endsWith('/create') && titleKey !== undefined && access !== undefined && hasAccess(access)
      ? [{ to: tree.fullPath as string, titleKey }]
      : []
  return [...own, ...childrenOf(tree).flatMap(createScreens)]
}

/** One's own profile: where `/` leads (spec §2, Other routes). */
export function ownProfile(): string {
  const session = currentSession()
  return session === null ? '/auth/login' : `/profile/${session.profile.id}/edit`
}

/** Another person's profile does not exist, not even for an administrator (domain, People and rights). */
export function assertOwnProfile({ params }: { params: { id: string } }): void {
  if (params.id !== String(currentSession()?.profile.id)) throw redirect({ to: '/404', replace: true })
}

const childrenOf = (route: AnyRoute): AnyRoute[] =>
  route.children === undefined ? [] : (Object.values(route.children) as AnyRoute[])
