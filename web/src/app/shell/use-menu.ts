import { useRouter, useRouterState } from '@tanstack/react-router'
import { menuOf, type MenuLink } from '../guards.ts'

/** The person's navigation, and which of it is open. */
export function useMenu(): { links: MenuLink[]; current: MenuLink | null } {
  const router = useRouter()
  const links = menuOf(router.routeTree)
  const { pathname, search } = useRouterState({ select: (state) => state.location })
  const open = links.filter((link) => pathname === link.to || pathname.startsWith(`${link.to}/`))
  const narrowed = open.find((link) => link.search !== undefined && Object.entries(link.search).every(([name, value]) => (search as Record<string, unknown>)[name] === value))
  return { links, current: narrowed ?? open.find((link) => link.search === undefined) ?? null }
}
