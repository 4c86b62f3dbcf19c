import { createBrowserHistory } from '@tanstack/react-router'
import { listAuditEntries, type AuditEntry } from '@waybill/contract/audit/audit-entry'
import type { Permission } from '@waybill/contract/permissions'
import { getChanges } from '@waybill/contract/operations/changes'
import { getPreferences, listViews, patchPreferences, type Preferences } from '@waybill/contract/preferences'
import { getProfile, type Profile } from '@waybill/contract/session'
import { clear, createStore } from 'idb-keyval'
import { createRoot, type Root } from 'react-dom/client'
import { App, connectSession } from '../../src/app/app.tsx'
import { createAppRouter } from '../../src/app/router.tsx'
import { changeLanguage, startI18n } from '../../src/kit/i18n/i18n.ts'
import { noteAppVersion } from '../../src/kit/session/app-version.ts'
import { forgetSession } from '../../src/kit/session/session.ts'
import { STORED } from '../../src/kit/session/token-store.ts'
import { startDensity } from '../../src/ui/page/density.ts'
import { FTL_WEST } from '../records/master-data.ts'
import { pageOf, server } from './fake-server.ts'

type Person = Partial<Omit<Profile, 'permissions'>> & { permissions?: readonly Permission[] }

/** Somebody who may do everything, unless `person` says otherwise. */
export function profileOf({ permissions = [], ...person }: Person = {}): Profile {
  return {
    id: 1,
    version: 1,
    email: 'anna@waybill.example',
    fullName: 'Anna Petersen',
    phone: null,
    defaultLanguage: 'en',
    position: { title: 'Clerk', isAdmin: permissions.length === 0 },
    permissions: JSON.stringify(permissions),
    twoFactorEnabled: false,
    passkeys: 0,
    isTwoFactorRequired: false,
    recoveryCodesLeft: 0,
    departmentId: FTL_WEST.id,
    hasPassword: true,
    ...person,
  }
}

const standardLook: Preferences = {
  theme: 'system',
  density: 'compact',
  columns: {},
  pinned: {},
  widths: {},
  defaultViews: {},
}

/**
 * Signs somebody in, as after the login page, and answers what the frame of every screen asks. A test may answer any
 * of it otherwise, behind this call.
 */
export function signIn(person: Person = {}): Profile {
  const profile = profileOf(person)
  const token = 'test-access'
  localStorage.setItem(STORED.authData, JSON.stringify({ token, refreshToken: 'test-refresh', expiresIn: 900 }))
  localStorage.setItem(STORED.token, token)
  server.answer(getProfile, profile)
  let look = standardLook
  const withoutNull = <Value,>(values: Record<string, Value | null>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Record<string, Value>
  server.answer(getPreferences, () => look)
  server.answer(getChanges, { version: '0.1.0', releases: [] })
  server.answer(patchPreferences, ({ body }) => {
    look = {
      ...look,
      ...body,
      columns: withoutNull({ ...look.columns, ...body.columns }),
      pinned: withoutNull({ ...look.pinned, ...body.pinned }),
      widths: withoutNull({ ...look.widths, ...body.widths }),
      defaultViews: withoutNull({ ...look.defaultViews, ...body.defaultViews }),
    }
    return look
  })
  server.answer(listViews, { items: [] })
  server.answer(listAuditEntries, pageOf<AuditEntry>([]))
  return profile
}

/** The window as an app sees it that may be closed: from then on it writes no address, whatever its answers ask for. */
function newTab() {
  let isOpen = true
  const writing =
    (write: 'pushState' | 'replaceState') =>
    (...given: Parameters<History['pushState']>): void => {
      if (isOpen) window.history[write](...given)
    }
  const history = {
    get length() {
      return window.history.length
    },
    get state() {
      return window.history.state
    },
    back: () => window.history.back(),
    forward: () => window.history.forward(),
    go: (by: number) => window.history.go(by),
    pushState: writing('pushState'),
    replaceState: writing('replaceState'),
  }
  return {
    window: {
      history,
      location: window.location,
      document,
      addEventListener: window.addEventListener.bind(window),
      removeEventListener: window.removeEventListener.bind(window),
    },
    close: () => {
      isOpen = false
    },
  }
}

interface Opened {
  root: Root
  place: HTMLElement
  tab: ReturnType<typeof newTab>
  history: ReturnType<typeof createBrowserHistory>
}

let open: Opened | null = null
let isStarted = false

/** Opens an address of the app in this page, as a visit does: the whole app starts, with what the storage holds. */
export async function visit(address: string): Promise<void> {
  await leave()
  window.history.replaceState(null, '', address)
  const isUpdated = noteAppVersion(__APP_VERSION__)
  if (!isStarted) {
    startDensity()
    await startI18n()
  }
  isStarted = true
  const tab = newTab()
  const history = createBrowserHistory({ window: tab.window })
  const router = createAppRouter({ history, scrollRestoration: false })
  connectSession(router)
  const place = document.createElement('div')
  place.id = 'root'
  document.body.append(place)
  const root = createRoot(place)
  open = { root, place, tab, history }
  // Before the first click of a file the keys would go to the page around this one.
  window.focus()
  root.render(<App router={router} isUpdated={isUpdated} />)
}

/** Closes the app as closing a tab does: what a form keeps on its way out is kept. */
async function leave(): Promise<void> {
  if (open !== null) {
    window.dispatchEvent(new PageTransitionEvent('pagehide'))
    // First out of the page: what has the focus there is let go while the styles still stand, which takes no second.
    open.place.remove()
    open.root.unmount()
    open.tab.close()
    open.history.destroy()
    open = null
  }
  // Also where none is open: what the one before had begun to ask may have come since.
  const kept = [STORED.authData, STORED.token, STORED.renewalKey].map((name) => [name, localStorage.getItem(name)])
  forgetSession()
  for (const [name, value] of kept) if (value !== null) localStorage.setItem(name!, value!)
}

/** Nobody signed in, nothing kept, English: as on a device that was never used. */
export async function forgetDevice(): Promise<void> {
  await leave()
  sessionStorage.clear()
  await clear(createStore('waybill-drafts', 'drafts'))
  if (isStarted) await changeLanguage('en')
  localStorage.clear()
}
