import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { menuOf, type MenuLink } from '../guards.ts'

/** The person's navigation, and which of it is open. */
export function useMenu(): { links: MenuLink[]; current: MenuLink | null } {
  const router = useRouter()
  const links = menuOf(router.routeTree)
  const { pathname, search } = useRouterState({ select: (state) => state.location })
  const open = links.filter((link) => !link.isWithin && (pathname === link.to || pathname.startsWith(`${link.to}/`)))
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
    links: links.filter((link) => link.group === name && !link.isWithin),
    isFolded: folded.includes(name),
    toggle: () => toggle(name),
  })).filter((group) => group.links.length > 0)
  return { groups, current }
}
