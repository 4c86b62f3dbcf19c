import { useLinkProps } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { MenuLink } from '../guards.ts'

interface MenuAnchorProps extends ComponentProps<'a'> {
  link: MenuLink
  isCurrent: boolean
}

/** A link of the navigation. Which one is current is decided here: the router would mark every entry of one screen. */
export function MenuAnchor({ link, isCurrent, onClick, ...anchor }: MenuAnchorProps) {
  // Beside the router's own hand: in its place the browser would load the whole page anew.
  const props = useLinkProps({
    to: link.to,
    search: (link.search ?? {}) as never,
    ...(onClick === undefined ? {} : { onClick }),
  }) as ComponentProps<'a'>
  return (
    <a {...props} {...anchor} aria-current={isCurrent ? 'page' : undefined} data-current={isCurrent || undefined} />
  )
}
