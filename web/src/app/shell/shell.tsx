import { useMediaQuery } from '@mantine/hooks'
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import type { Profile } from '@waybill/contract/session'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeOldNotices, Notices } from '../../ui/notices/notify.tsx'
import { listenForShortcuts, useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { useSession } from '../../kit/session/session.ts'
import { LateFailure } from '../../ui/windows/late-window.tsx'
import { EarlyTyping, type Typed } from './early-typing.tsx'
import { PartFailed } from './late-failure.tsx'
import { NavBar } from './nav-bar.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import { Queries } from './queries.tsx'
import { useNoteRecords } from './recent-records.ts'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'
import { useKeptLook } from './use-kept-look.ts'

const loadPalette = () => import('./palette.tsx').then((module) => ({ default: module.Palette }))
const Palette = lazy(loadPalette)
const ShortcutList = lazy(() => import('./shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })))

const FOLDED = 'nav_folded'
// Up to here a list of orders beside the open navigation has no room for the customers' names.
const SMALL_SCREEN = '(max-width: 1365px)'
const NOTHING_TYPED: Typed = { text: '', isEntered: false }

/** The frame of every screen behind the sign-in: navigation, top bar, content. */
export function Shell() {
  const session = useSession()
  // Between the sign-out and the login page there is a moment without a person.
  if (session === null) return null
  return (
    <Queries key={session.profile.id}>
      <LateFailure value={PartFailed}>
        <Frame person={session.profile} />
      </LateFailure>
    </Queries>
  )
}

function Frame({ person }: { person: Profile }) {
  const { t } = useTranslation('shell')
  const isSmall = useMediaQuery(SMALL_SCREEN, false, { getInitialValueInEffect: false })
  const isWide = useMatches({
    select: (matches) => {
      const { isWide, isWideList } = matches.at(-1)?.staticData ?? {}
      return isWide === true || (isWideList === true && isSmall)
    },
  })
  const [isFolded, toggleFolded] = useFolded(isWide)
  const palette = useOpened()
  const help = useOpened()
  const typed = useRef<Typed>(NOTHING_TYPED)
  const keepTyped = (now: Typed) => {
    typed.current = now
  }
  // Once: the next time the code is there at once.
  const readTyped = () => {
    const before = typed.current
    typed.current = NOTHING_TYPED
    return before
  }
  useEffect(listenForShortcuts, [])
  useEffect(prepareForPalette, [])
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(closeOldNotices, [pathname])
  useNoteRecords(person.id)
  useKeptLook()
  useShortcut({ key: 'k', mod: true, label: t('palette.title'), run: palette.open, isOfFrame: true })
  useShortcut({ key: '/', label: t('palette.find'), run: palette.open, isOfFrame: true })
  useShortcut({ key: '[', label: t('nav.collapse'), run: toggleFolded, isOfFrame: true })
  useShortcut({ key: '?', label: t('shortcuts.title'), run: help.open, isOfFrame: true })
  return (
    <div className={classes.shell} data-folded={isFolded || undefined}>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      <NavBar isFolded={isFolded} onToggle={toggleFolded} />
      <div className={classes.main}>
        <TopBar person={person} onPalette={palette.open} onHelp={help.open} />
        <main className={classes.content} id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <PhoneTabs />
      <Suspense fallback={<EarlyTyping onType={keepTyped} />}>
        {palette.wasOpened ? (
          <Palette
            isOpen={palette.isOpen}
            onClose={palette.close}
            person={person}
            onHelp={help.open}
            readTyped={readTyped}
            giveFocusBack={palette.giveFocusBack}
          />
        ) : null}
      </Suspense>
      <Suspense>{help.wasOpened ? <ShortcutList isOpen={help.isOpen} onClose={help.close} /> : null}</Suspense>
      <Notices className={classes.messages} />
    </div>
  )
}

/** After Ctrl the K follows at once: the palette is on its way before it. */
function prepareForPalette(): () => void {
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Control' || key === 'Meta') void loadPalette()
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}

/**
 * What floats over the screen. Once opened it stays, closed, so that the focus finds back;
 * nothing floats over what floats.
 */
function useOpened() {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const before = useRef<Element | null>(null)
  const open = () => {
    if (document.querySelector('[role=dialog][aria-modal=true]') !== null) return
    before.current = document.activeElement
    setWasOpened(true)
    setOpen(true)
  }
  const giveFocusBack = () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  return { isOpen, wasOpened, open, close: () => setOpen(false), giveFocusBack }
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
