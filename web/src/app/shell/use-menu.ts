import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { menuOf, type MenuLink } from '../guards.ts'

/** A tab stands in the navigation only for who may not open the screen that it is a tab of. */
const isShown = ({ within }: MenuLink, links: readonly MenuLink[]): boolean => !links.some(({ to }) => to === within)

/** The person's navigation, and which of it is open. */
export function useMenu(): { links: MenuLink[]; current: MenuLink | null } {
  const router = useRouter()
  const links = menuOf(router.routeTree)
  const { pathname, search } = useRouterState({ select: (state) => state.location })
  const isOpen = ({ to }: MenuLink) => pathname === to || pathname.startsWith(`${to}/`)
  const within = links.find((link) => link.within && isOpen(link))?.within
  const open = links.filter((link) => isShown(link, links) && (isOpen(link) || link.to === within))
  const narrowed = open.find(
    (link) =>
      link.search !== undefined &&
      Object.entries(link.search).every(([name, value]) => (search as Record<string, unknown>)[name] === value),
  )
  return { links, current: narrowed ?? open.find((link) => link.search === undefined) ?? null }
}

const GROUPS = ['work', 'settings', 'people'] as const
const FOLDED = 'nav_groups_folded'

export interface MenuGroup {
  name: (typeof GROUPS)[number]
  links: MenuLink[]
  /** Only its heading is shown, and the screen that is open */
  isFolded: boolean
  toggle: () => void
}

/** The navigation in groups; which of them are folded is kept on this device. */
export function useMenuGroups(): { groups: MenuGroup[]; current: MenuLink | null } {
  const { links, current } = useMenu()
  const [folded, setFolded] = useState(() => (localStorage.getItem(FOLDED) ?? '').split(' '))
  const toggle = (name: string) => {
    const next = folded.includes(name) ? folded.filter((one) => one !== name) : [...folded, name]
    localStorage.setItem(FOLDED, next.join(' '))
    setFolded(next)
  }
  const groups = GROUPS.map((name) => ({
    name,
    links: links.filter((link) => link.group === name && isShown(link, links)),
    isFolded: folded.includes(name),
    toggle: () => toggle(name),
  })).filter((group) => group.links.length > 0)
  return { groups, current }
}
