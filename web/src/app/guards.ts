import { redirect, type AnyRoute, type ParsedLocation, type StaticDataRouteOption } from '@tanstack/react-router'
import { currentSession, hasAccess, verifySession } from '../kit/session/session.ts'
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

/** A menu entry with the address that it leads to. */
export interface MenuLink extends MenuEntry {
  to: string
}

/** The navigation of the signed-in person: the screens of the table that they may open. */
export function menuOf(tree: AnyRoute): MenuLink[] {
  const links: MenuLink[] = []
  const visit = (route: AnyRoute) => {
    const { menu, access } = route.options.staticData ?? {}
    if (menu !== undefined && access !== undefined && hasAccess(access)) links.push(...menu.map((entry) => ({ ...entry, to: route.fullPath as string })))
    for (const child of childrenOf(route)) visit(child)
  }
  visit(tree)
  return links.sort((a, b) => a.order - b.order)
}

/** The list that the top bar's search asks, where the person may open it. */
export function searchedScreen(tree: AnyRoute): string | null {
  if (tree.options.staticData?.isSearched && hasAccess(tree.options.staticData.access ?? { anyOf: [] })) return tree.fullPath as string
  for (const child of childrenOf(tree)) {
    const found = searchedScreen(child)
    if (found !== null) return found
  }
  return null
}

/** Where `/` leads while the profile's screen is not built yet: the first screen of the person's navigation. */
export function firstScreen(tree: AnyRoute): string {
  if (currentSession() === null) return '/auth/login'
  return menuOf(tree)[0]?.to ?? '/403'
}

const childrenOf = (route: AnyRoute): AnyRoute[] => (route.children === undefined ? [] : (Object.values(route.children) as AnyRoute[]))
