import { useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { Count } from '../marks/marks.tsx'
import classes from './tab-bar.module.css'

export interface Tab<Key extends string> {
  key: Key
  label: ReactNode
  count?: ReactNode
  countTone?: 'plain' | 'warn' | 'danger'
  /** A view with an address of its own is a link. */
  href?: string
}

interface TabBarProps<Key extends string> {
  label: string
  tabs: readonly Tab<Key>[]
  current: Key
  onSelect: (key: Key) => void
  /** After the last tab */
  children?: ReactNode
}

/** Views or parts of a record side by side. A link opened with a modifier key goes its own way. */
export function TabBar<Key extends string>({ label, tabs, current, onSelect, children }: TabBarProps<Key>) {
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen: the one that is open is seen. By hand, because `scrollIntoView`
  // would move the page, too.
  useLayoutEffect(() => {
    const tab = bar.current?.querySelector('[aria-current]')
    if (!bar.current || !tab) return
    const [seen, wanted] = [bar.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    bar.current.scrollLeft += Math.max(0, wanted.right - seen.right) + Math.min(0, wanted.left - seen.left)
  }, [current])
  return (
    <nav ref={bar} className={classes.bar} aria-label={label}>
      {tabs.map((tab) => {
        const inside = (
          <>
            {tab.label}
            {tab.count === undefined ? null : <Count tone={tab.countTone}>{tab.count}</Count>}
          </>
        )
        const shared = { className: classes.tab, 'aria-current': tab.key === current ? ('page' as const) : undefined }
        return tab.href === undefined ? (
          <button key={tab.key} type="button" {...shared} onClick={() => onSelect(tab.key)}>
            {inside}
          </button>
        ) : (
          <a key={tab.key} href={tab.href} {...shared} onClick={(event) => goHere(event, () => onSelect(tab.key))}>
            {inside}
          </a>
        )
      })}
      {children}
    </nav>
  )
}

function goHere(event: MouseEvent, go: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  go()
}
