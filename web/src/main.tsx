import './ui/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { reloadOnMissingChunk } from './app/chunk-reload.ts'
import { createAppRouter } from './app/router.tsx'
import { setUpApi } from './kit/api/call-api.ts'
import { createQueryClient } from './kit/api/query-client.ts'
import { currentLanguage, startI18n } from './kit/i18n/i18n.ts'
import { noteAppVersion } from './kit/session/app-version.ts'
import { followOtherTabs, forgetSession, onSessionChange, currentSession } from './kit/session/session.ts'
import { startDensity } from './ui/density.ts'
import { cssVariables, theme } from './ui/theme.ts'

reloadOnMissingChunk()
const isUpdated = noteAppVersion(__APP_VERSION__)
startDensity()

const router = createAppRouter()
const queryClient = createQueryClient({
  onForbidden: () => void router.navigate({ to: '/403', replace: true, ignoreBlocker: true }),
  onMissing: () => void router.navigate({ to: '/404', replace: true, ignoreBlocker: true }),
})

// The login page asks, and afterwards the person is back where they were (spec §8).
const toLogin = (reason: 'expired' | 'elsewhere') => {
  const { pathname, href } = router.state.location
  if (pathname.startsWith('/auth/')) return
  void router.navigate({ to: '/auth/login', search: { redirect: href, reason }, ignoreBlocker: true })
}
setUpApi({
  language: currentLanguage,
  onSessionLost: () => {
    forgetSession()
    toLogin('expired')
  },
})
followOtherTabs(() => toLogin('elsewhere'))

// What one person has read must not be there for the next.
let lastPerson: number | null = null
onSessionChange(() => {
  const person = currentSession()?.profile.id ?? null
  if (person !== lastPerson) queryClient.clear()
  lastPerson = person
})

const SystemUpdate = lazy(() => import('./app/system-update.tsx').then((module) => ({ default: module.SystemUpdate })))

await startI18n()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense>{isUpdated ? <SystemUpdate /> : null}</Suspense>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
