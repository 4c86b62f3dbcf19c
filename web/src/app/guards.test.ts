import { createMemoryHistory, type AnyRoute } from '@tanstack/react-router'
import { PERMISSIONS, VEHICLES_READ, mayAccess, type Access, type Permission } from '@waybill/contract/permissions'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { RIGHTS_OF_RECORDS } from '../../../contract/test/rights-of-records.ts'
import { changeLanguage, startI18n } from '../kit/i18n/i18n.ts'
import { forgetSession, showProfile } from '../kit/session/session.ts'
import { writeTokens } from '../kit/session/token-store.ts'
import { pathAfterSignIn } from './auth/return-path.ts'
import { menuOf } from './guards.ts'
import { createAppRouter } from './router.tsx'
import { routeTree } from './routes.tsx'

const can = (...anyOf: Permission[]): Access => ({ anyOf })
const settings = can('SETTINGS_ACCESS')
const orders = can('ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS')
const users = can('USERS_MANAGEMENT')
const customers = can('CUSTOMER_MANAGEMENT')
const carriers = can('CARRIER_MANAGEMENT')
const invoices = can('INVOICES_PROCESSING')
const partnersOfBoth = can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT')

/** Every route of spec §2 with its right, and the name where the specification gives one. */
const SPECIFIED: readonly [path: string, access: Access, name?: string][] = [
  ['/auth/login', 'public', 'loginPage'],
  ['/auth/restore', 'public', 'restorePage'],
  ['/auth/recovery-password/$token', 'public', 'recoveryPassword'],
  ['/auth/reset-password/$token', 'public', 'resetPassword'],
  ['/auth/qr-code', 'public', 'qrCodePage'],
  ['/auth/qr', 'public', 'qrPage'],
  ['/upload-documents/$token', 'public', 'pageUploadDocuments'],
  ['/carrier-companies', carriers],
  ['/carrier-companies/create', carriers],
  ['/carrier-companies/$id/edit', carriers],
  ['/companies', settings],
  ['/companies/create', settings],
  ['/companies/$id/edit', settings],
  ['/countries', settings],
  ['/countries/create', settings],
  ['/countries/$id/edit', settings],
  ['/departments', settings],
  ['/departments/create', settings],
  ['/departments/$id/edit', settings],
  ['/departments/$id/edit/$emailId', settings],
  ['/salutations', settings],
  ['/salutations/create', settings],
  ['/salutations/$id/edit', settings],
  ['/unit-types', settings],
  ['/vehicle-types', settings],
  ['/vehicles', VEHICLES_READ],
  ['/vehicles/create', settings],
  ['/vehicles/$id/edit', VEHICLES_READ],
  ['/customer', customers],
  ['/customer/create', customers],
  ['/customer/$id/edit', customers],
  ['/invoices', invoices],
  ['/invoices/create', invoices],
  ['/invoices/$id/edit', invoices],
  ['/invoices/$id/edit/$type', orders],
  ['/orders', orders],
  ['/orders/create', orders],
  ['/orders/$id/edit', orders],
  ['/orders/$id/edit/$type', orders],
  ['/dashboard', orders],
  ['/planning', orders],
  ['/reports', can('ORDERS_MANAGEMENT')],
  ['/dashboard/create', orders],
  ['/dashboard/$id/edit', orders],
  ['/preview/$id', orders, 'pageEmailPreview'],
  ['/user-roles', users],
  ['/user-roles/create', users],
  ['/user-roles/$id/edit', users],
  ['/users', users],
  ['/users/$id/edit', users],
  ['/profile/$id/edit', 'signedIn', 'pageProfileEdit'],
  ['/', 'signedIn', 'pageMain'],
  ['/403', 'signedIn', 'pageError403'],
  ['/404', 'signedIn', 'pageError404'],
]

/**
 * What the specification leaves open or asks for in words: the second address of the login, where a user is made, the
 * imports, and the pages of the other settings.
 */
const BESIDE: readonly [path: string, access: Access][] = [
  ['/login', 'public'],
  ['/auth/provider', 'public'],
  ['/load-carriers', partnersOfBoth],
  ['/reports/punctuality', can('ORDERS_MANAGEMENT')],
  ['/reports/open-pods', can('ORDERS_MANAGEMENT')],
  ['/reports/losses', can('ORDERS_MANAGEMENT')],
  ['/reports/times', can('ORDERS_MANAGEMENT')],
  ['/reports/emission', can('ORDERS_MANAGEMENT')],
  ['/emission-factors', settings],
  ['/emission-factors/create', settings],
  ['/emission-factors/$id/edit', settings],
  ['/quotes', orders],
  ['/quotes/create', orders],
  ['/quotes/edit/$id', orders],
  ['/rate-cards', partnersOfBoth],
  ['/recurring-orders', orders],
  ['/recurring-orders/create', orders],
  ['/recurring-orders/edit/$id', orders],
  ['/load-carrier-places', partnersOfBoth],
  ['/load-carrier-places/create', partnersOfBoth],
  ['/load-carrier-places/$id/edit', partnersOfBoth],
  ['/track/$token', 'public'],
  ['/drive/$token', 'public'],
  ['/mails', 'signedIn'],
  ['/invoices/check', invoices],
  ['/invoices/payment-runs', invoices],
  ['/invoices/month-end', invoices],
  ['/invoices/ksef', invoices],
  ['/invoices/bookkeeping', invoices],
  ['/invoices/open-items', invoices],
  ['/invoices/bank-statements', invoices],
  ['/api-keys', 'administrator'],
  ['/webhooks', 'administrator'],
  ['/audit', 'administrator'],
  ['/operations', 'administrator'],
  ['/carrier-companies/clearance', carriers],
  ['/intake', orders],
  ['/intake/$id', orders],
  ['/users/create', users],
  ['/orders/import', orders],
  ['/customer/import', customers],
  ['/carrier-companies/import', carriers],
  ...Object.entries(RIGHTS_OF_RECORDS)
    .filter(([, { right }]) => right.includes('SETTINGS_ACCESS'))
    .flatMap(([path]): [string, Access][] => [
      [`/${path}`, settings],
      [`/${path}/create`, settings],
      [`/${path}/$id/edit`, settings],
    ])
    .filter(([path]) => !SPECIFIED.some(([specified]) => specified === path)),
]

const ALL = [...SPECIFIED, ...BESIDE]

const OWN_ID = 7
const ID = 41

const filled = (path: string) =>
  path
    .replace('$id', String(path.startsWith('/profile') ? OWN_ID : ID))
    .replace('$type', 'invoice')
    .replace('$token', 'some-token')
    .replace('$emailId', '1')

// Joins the routes to one tree, which gives each its whole path.
const routerAt = (address: string) =>
  createAppRouter({ history: createMemoryHistory({ initialEntries: [address] }), scrollRestoration: false })
routerAt('/')
const routesOf = (route: AnyRoute): AnyRoute[] => [
  route,
  ...Object.values((route.children ?? []) as AnyRoute[]).flatMap(routesOf),
]
const screens = routesOf(routeTree).filter((route) => 'path' in route.options)
const built = new Set(screens.map(({ fullPath }) => fullPath as string))

/** Opens an address as the application does, and answers where that ends. */
async function open(address: string): Promise<{ path: string; redirect: string | null }> {
  const router = routerAt(address)
  await router.load()
  const { pathname, search } = router.state.location
  return { path: pathname, redirect: (search as { redirect?: string }).redirect ?? null }
}

/** Somebody signs in, with exactly these rights. */
async function signIn({ isAdmin = false, permissions = [] as readonly Permission[] }): Promise<void> {
  writeTokens({ token: 'access', refreshToken: 'refresh', expiresIn: 900 })
  await showProfile({
    id: OWN_ID,
    email: 'person@waybill.example',
    fullName: 'Person',
    phone: '',
    defaultLanguage: 'en',
    position: { title: 'Clerk', isAdmin },
    permissions: JSON.stringify(permissions),
    twoFactorEnabled: false,
  } as Parameters<typeof showProfile>[0])
}

// The few things of a browser that a router and its guard ask for.
beforeAll(async () => {
  const stored = new Map<string, string>()
  const localStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  }
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('self', globalThis)
  vi.stubGlobal('origin', 'http://localhost')
  vi.stubGlobal('document', { documentElement: {} })
  await startI18n()
  await changeLanguage('en')
  // Where a step ends is asked here, not what stands there.
  for (const route of routesOf(routeTree)) route.options.component = undefined
})

// Other files of this process are in no browser.
afterAll(() => {
  vi.unstubAllGlobals()
})

beforeEach(() => forgetSession())

test('every route of the specification that is built stands in one table, with its name, right and title', () => {
  const specified = new Map(ALL.map(([path, access, name]) => [path, { access, name: name ?? null }]))
  for (const { fullPath: path, options } of screens) {
    const { name = null, access = null, titleKey = null, isWithoutReturn = false } = options.staticData ?? {}
    if (path === '/$') continue
    expect({ path, name, access }).toEqual({ path, ...specified.get(path) })
    if (path !== '/' && path !== '/login') expect(titleKey, `${path} has a title`).not.toBeNull()
    expect(isWithoutReturn, `${path} is brought back to after the sign-in`).toBe(path === '/403' || path === '/404')
  }
  expect([...built]).toEqual(
    expect.arrayContaining([
      '/auth/login',
      '/auth/restore',
      '/auth/qr',
      '/auth/qr-code',
      '/orders',
      '/profile/$id/edit',
    ]),
  )
})

const people: { who: string; isAdmin?: boolean; permissions: Permission[] }[] = [
  { who: 'no permission', permissions: [] },
  ...PERMISSIONS.map((permission) => ({ who: permission, permissions: [permission] })),
  { who: 'an administrator', isAdmin: true, permissions: [] },
]

describe.each(people)('to $who', ({ isAdmin = false, permissions }) => {
  const rights = { isAdmin, permissions }

  test('each screen opens as the rights say', async () => {
    await signIn(rights)
    const ends: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const [path, access] of ALL.filter(([, access]) => access !== 'public')) {
      // An address that leads on ends at its target; a screen that is not built yet is not there.
      expected[path] = !built.has(path)
        ? '/404'
        : !mayAccess(access, rights)
          ? '/403'
          : path === '/'
            ? `/profile/${OWN_ID}/edit`
            : filled(path)
      ends[path] = (await open(filled(path))).path
    }
    expect(ends).toEqual(expected)
  })

  test('the sign-in leads where one wanted to, else to the dashboard where it opens, else to the profile', async () => {
    await signIn(rights)
    expect(await pathAfterSignIn('/invoices?page=2')).toBe('/invoices?page=2')
    const start = mayAccess(orders, rights) ? '/dashboard' : `/profile/${OWN_ID}/edit`
    expect(await pathAfterSignIn(undefined)).toBe(start)
    expect(await pathAfterSignIn('/')).toBe(start)
  })

  test('the menu offers what opens, and nothing else', async () => {
    await signIn(rights)
    const inMenu = screens.filter(({ options }) => options.staticData?.menu !== undefined)
    const expected = inMenu
      .filter(({ options }) => mayAccess(options.staticData!.access!, rights))
      .map(({ fullPath }) => fullPath as string)
    expect(new Set(menuOf(routeTree).map(({ to }) => to))).toEqual(new Set(expected))
  })
})

test('each screen asks who is not signed in to sign in, and keeps where they wanted to go', async () => {
  for (const [path, access] of ALL.filter(([path]) => built.has(path))) {
    const wanted = `${filled(path)}${path === '/' ? '' : '?page=2'}`
    const end = await open(wanted)
    // Of no use without a password.
    if (path === '/auth/qr' || path === '/auth/qr-code' || path === '/login') expect(end.path, path).toBe('/auth/login')
    else if (access === 'public') expect(end.path, path).toBe(filled(path))
    else
      expect(end, path).toEqual({ path: '/auth/login', redirect: path === '/403' || path === '/404' ? null : wanted })
  }
})

test.each([String(OWN_ID + 1), '0', 'me', '1e0'])(
  'there is no profile %s, not even for an administrator',
  async (id) => {
    await signIn({ isAdmin: true })
    expect(await open(`/profile/${id}/edit`)).toEqual({ path: '/404', redirect: null })
  },
)
