import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOwnTitle } from '../kit/record/screen-title.ts'
import { Icon } from '../ui/marks/icon.tsx'
import classes from './root.module.css'

/** What lies around every screen: the browser's title, the focus after a step, a line while one is under way. */
export function Root() {
  useTitle()
  useFocusAfterStep()
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  return (
    <>
      <div className={classes.progress} data-on={isLoading || undefined} aria-hidden />
      <Outlet />
    </>
  )
}

/** In place of a screen that takes a while to come. */
export function Waiting() {
  const { t } = useTranslation()
  return (
    <div className={classes.waiting} role="status" aria-label={t('loading')}>
      <Icon name="spinner" size={22} className={classes.spinner} />
    </div>
  )
}

function useTitle(): void {
  const { t, i18n } = useTranslation()
  const titleKey = useMatches({ select: (matches) => matches.at(-1)?.staticData.titleKey })
  const own = useOwnTitle()
  useEffect(() => {
    const title = own ?? (titleKey === undefined ? '' : t(titleKey))
    document.title = title === '' ? 'Waybill' : `${title} · Waybill`
  }, [own, titleKey, t, i18n.language])
}

// What somebody opened or types in while a slow screen is still on its way.
const IN_HAND = '[role=dialog], [role=menu], [role=listbox], input, textarea, select'

/**
 * A screen reader must hear that the screen changed: the focus goes to the new content, unless the screen took it
 * itself or somebody is at something else by now.
 */
function useFocusAfterStep(): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== undefined && before.current !== pathname) {
      const active = document.activeElement
      const content = document.getElementById('content')
      if (content !== null && !content.contains(active) && (active?.closest(IN_HAND) ?? null) === null)
        content.focus({ preventScroll: true })
    }
    before.current = pathname
  }, [pathname])
}
