import { useLinkProps } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { MenuLink } from '../guards.ts'

interface MenuAnchorProps extends ComponentProps<'a'> {
  link: MenuLink
  isCurrent: boolean
}

/** A link of the navigation. Which one is current is decided here: the router would mark every entry of one screen. */
export function MenuAnchor({ link, isCurrent, ...anchor }: MenuAnchorProps) {
  const props = useLinkProps({ to: link.to, search: (link.search ?? {}) as never }) as ComponentProps<'a'>
  return (
    <a {...props} {...anchor} aria-current={isCurrent ? 'page' : undefined} data-current={isCurrent || undefined} />
  )
}
