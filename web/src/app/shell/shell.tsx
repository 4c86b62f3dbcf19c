import { Notifications } from '@mantine/notifications'
import { Outlet, useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listenForShortcuts, useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { useSession } from '../../kit/session/session.ts'
import { NavBar } from './nav-bar.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import { Queries } from './queries.tsx'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'

const ShortcutList = lazy(() => import('./shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })))

const FOLDED = 'nav_folded'

/** The frame of every screen behind the sign-in: navigation, top bar, content. */
export function Shell() {
  const { t } = useTranslation('shell')
  const session = useSession()
  const isWide = useMatches({ select: (matches) => matches.at(-1)?.staticData.isWide === true })
  const [isFolded, toggleFolded] = useFolded(isWide)
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(listenForShortcuts, [])
  useShortcut({ key: '[', label: t('nav.collapse'), run: toggleFolded })
  useShortcut({ key: '?', label: t('shortcuts.title'), run: () => setHelpOpen(true) })
  // Between the sign-out and the login page there is a moment without a person.
  if (session === null) return null
  return (
    <div className={classes.shell} data-folded={isFolded || undefined}>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      <NavBar isFolded={isFolded} onToggle={toggleFolded} />
      <div className={classes.main}>
        <TopBar person={session.profile} onHelp={() => setHelpOpen(true)} />
        <main className={classes.content} id="content" tabIndex={-1}>
          <Queries key={session.profile.id}>
            <Outlet />
          </Queries>
        </main>
      </div>
      <PhoneTabs />
      {isHelpOpen ? (
        <Suspense>
          <ShortcutList isOpen onClose={() => setHelpOpen(false)} />
        </Suspense>
      ) : null}
      <Notifications position="top-right" containerWidth={360} autoClose={8_000} limit={4} className={classes.messages} />
    </div>
  )
}

// Screens that need the width start folded; each kind keeps its own choice on this device.
function useFolded(isWide: boolean): [boolean, () => void] {
  const stored = isWide ? `${FOLDED}_wide` : FOLDED
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const kept = localStorage.getItem(stored)
  const isFolded = chosen[stored] ?? (kept === null ? isWide : kept === '1')
  const toggle = () => {
    localStorage.setItem(stored, isFolded ? '0' : '1')
    setChosen({ ...chosen, [stored]: !isFolded })
  }
  return [isFolded, toggle]
}
