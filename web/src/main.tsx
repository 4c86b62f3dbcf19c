import './ui/theme/base.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { reloadOnMissingChunk } from './app/chunk-reload.ts'
import { createAppRouter } from './app/router.tsx'
import { setUpApi } from './kit/api/call-api.ts'
import { currentLanguage, startI18n } from './kit/i18n/i18n.ts'
import { noteAppVersion } from './kit/session/app-version.ts'
import { followOtherTabs, forgetSession } from './kit/session/session.ts'
import { startDensity } from './ui/page/density.ts'
import { cssVariables, theme } from './ui/theme/theme.ts'

reloadOnMissingChunk()
const isUpdated = noteAppVersion(__APP_VERSION__)
startDensity()

const router = createAppRouter()
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

const SystemUpdate = lazy(() => import('./app/system-update.tsx').then((module) => ({ default: module.SystemUpdate })))

await startI18n()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <RouterProvider router={router} />
      <Suspense>{isUpdated ? <SystemUpdate /> : null}</Suspense>
    </MantineProvider>
  </StrictMode>,
)
