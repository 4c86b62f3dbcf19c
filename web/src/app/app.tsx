import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { setUpApi } from '../kit/api/call-api.ts'
import { currentLanguage } from '../kit/i18n/i18n.ts'
import { followOtherTabs, forgetSession } from '../kit/session/session.ts'
import { cssVariables, theme } from '../ui/theme/theme.ts'
import type { createAppRouter } from './router.tsx'

type AppRouter = ReturnType<typeof createAppRouter>

const SystemUpdate = lazy(() => import('./system-update.tsx').then((module) => ({ default: module.SystemUpdate })))

/** Tells the calls their language, and leads to the login page where a session ends. */
export function connectSession(router: AppRouter): void {
  // The login page asks, and afterwards the person is back where they were (spec §8).
  const toLogin = (reason: 'expired' | 'elsewhere') => {
    const { pathname, href } = router.state.location
    if (pathname.startsWith('/auth/')) return forgetSession()
    // The session is forgotten only behind the step: a form under way must be there to keep its draft.
    void router
      .navigate({ to: '/auth/login', search: { redirect: href, reason }, ignoreBlocker: true })
      .finally(forgetSession)
  }
  setUpApi({
    language: currentLanguage,
    onSessionLost: () => toLogin('expired'),
  })
  followOtherTabs(() => toLogin('elsewhere'))
}

/** The whole interface. `isUpdated`: this device starts a new version for the first time. */
export function App({ router, isUpdated }: { router: AppRouter; isUpdated: boolean }) {
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <RouterProvider router={router} />
        <Suspense>{isUpdated ? <SystemUpdate /> : null}</Suspense>
      </MantineProvider>
    </StrictMode>
  )
}
