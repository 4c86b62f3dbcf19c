import type { Page } from '@playwright/test'
import { PERMISSIONS, mayAccess, type Access, type Permission } from '@waybill/contract/permissions'
import { addPerson, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { ADMIN, type Waybill } from './support/waybill.ts'

const can = (...anyOf: Permission[]): Access => ({ anyOf })
const settings = can('SETTINGS_ACCESS')
const orders = can('ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS')
const users = can('USERS_MANAGEMENT')
const customers = can('CUSTOMER_MANAGEMENT')
const carriers = can('CARRIER_MANAGEMENT')
const invoices = can('INVOICES_PROCESSING')

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

/** What the specification leaves open or asks for in words: the second address of the login, where a user is made, the imports, and the pages of the type lists. */
const BESIDE: readonly [path: string, access: Access][] = [
  ['/login', 'public'],
  ['/users/create', users],
  ['/orders/import', orders],
  ['/customer/import', customers],
  ['/carrier-companies/import', carriers],
  ...['/unit-types', '/vehicle-types', '/cargo-types', '/special-handling-types'].flatMap((path): [string, Access][] => [
    [path, settings],
    [`${path}/create`, settings],
    [`${path}/$id/edit`, settings],
  ]),
]

/** Screens whose data need more than the screen (domain, People and rights: the invoice mail preview). */
const DATA_NEEDS: Readonly<Record<string, Access>> = { '/invoices/$id/edit/$type': invoices }

interface Route {
  path: string
  name: string | null
  access: Access | null
  titleKey: string | null
  isWithoutReturn: boolean
}

interface AppRouter {
  routesByPath: Record<string, { fullPath: string; options: { staticData?: Partial<Route> } }>
  history: { push: (path: string) => void }
  state: { status: string }
}

/** The running router, which leaves itself where its own tools find it. */
const routerOf = (page: Page) => page.evaluateHandle(() => Reflect.get(globalThis, '__TSR_ROUTER__') as AppRouter)

/** The table of screens as the running application holds it. */
async function tableOf(page: Page): Promise<Route[]> {
  const router = await routerOf(page)
  return router.evaluate(({ routesByPath }) =>
    Object.values(routesByPath).map(({ fullPath, options: { staticData = {} } }) => ({
      path: fullPath,
      name: staticData.name ?? null,
      access: staticData.access ?? null,
      titleKey: staticData.titleKey ?? null,
      isWithoutReturn: staticData.isWithoutReturn ?? false,
    })),
  )
}

/** A step inside the application, as a link makes it, until nothing is on its way any more. */
async function stepTo(page: Page, path: string, isQuiet: () => boolean): Promise<string> {
  const router = await routerOf(page)
  await router.evaluate(({ history }, to) => history.push(to), path)
  const isIdle = () => router.evaluate(({ state }) => state.status === 'idle')
  await expect.poll(async () => (await isIdle()) && isQuiet() && (await isIdle()), { intervals: [20, 40, 80] }).toBe(true)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  return new URL(page.url()).pathname
}

/** Counts the calls on their way: a screen may be refused by its data as well. */
function watchCalls(page: Page): () => boolean {
  const open = new Set<unknown>()
  page.on('request', (request) => {
    // Events last as long as the page does.
    if (request.url().includes('/api/') && !request.url().endsWith('/api/events')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return () => open.size === 0
}

interface Records {
  order: number
  invoice: number
}

let records: Promise<Records> | null = null

/** One order that everybody may see who sees orders at all, with an invoice. */
async function addRecords({ api, idOf }: Waybill, customer: number, managerIds: number[]): Promise<Records> {
  const { body: order } = await api('POST', 'orders', { customerIds: [customer], departmentId: await idOf('departments', 'FTL West'), customerPriceCents: 90_000, managerIds })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  return { order: order.id as number, invoice: invoice.id as number }
}

const filled = (path: string, { order, invoice }: Records, ownId: number): string => {
  const id = path.startsWith('/orders') || path.startsWith('/dashboard') ? order : path.startsWith('/invoices') ? invoice : path.startsWith('/profile') ? ownId : 1
  return path.replace('$id', String(id)).replace('$type', 'invoice').replace('$token', 'some-token').replace('$emailId', '1')
}

const people = [...PERMISSIONS.map((permission) => ({ who: permission as string, permissions: [permission] as Permission[] })), { who: 'no permission', permissions: [] }]
let everybody: Promise<Map<string, { id: number; email: string; password: string }>> | null = null

async function addEverybody(waybill: Waybill) {
  const made = new Map<string, { id: number; email: string; password: string }>()
  for (const { who, permissions } of people) made.set(who, await addPerson(waybill, { permissions }))
  const { body: admin } = await waybill.api('GET', 'profile')
  made.set('administrator', { ...ADMIN, id: admin.id as number })
  return made
}

test('holds every route of the specification in one table, with its name, right and title', async ({ page }) => {
  await page.goto('/auth/login')
  const table = await tableOf(page)
  const specified = new Map([...SPECIFIED, ...BESIDE].map(([path, access, name]) => [path, { access, name: name ?? null }]))
  for (const { path, name, access, titleKey, isWithoutReturn } of table) {
    if (path === '/$') continue
    expect(specified.has(path), `${path} is a route of the specification`).toBe(true)
    expect({ path, name, access }).toEqual({ path, ...specified.get(path)! })
    if (path !== '/' && path !== '/login') expect(titleKey, `${path} has a title`).not.toBeNull()
    expect(isWithoutReturn, `${path} is brought back to after the sign-in`).toBe(path === '/403' || path === '/404')
  }
  expect(table.map(({ path }) => path)).toEqual(expect.arrayContaining(['/auth/login', '/auth/restore', '/auth/qr', '/auth/qr-code', '/orders', '/profile/$id/edit']))
})

for (const who of [...people.map((one) => one.who), 'administrator']) {
  test(`opens to ${who} what the rights say, and nothing else`, async ({ page, waybill, partners }) => {
    test.setTimeout(120_000)
    const made = await (everybody ??= addEverybody(waybill))
    const there = await (records ??= addRecords(waybill, partners.nordlicht, [...made.values()].map(({ id }) => id)))
    const person = made.get(who)!
    const permissions = people.find((one) => one.who === who)?.permissions ?? []
    const rights = { isAdmin: who === 'administrator', permissions }
    const tokens = await tokensOf(waybill, person)
    await page.addInitScript((kept) => {
      // A mail's preview is a frame without storage.
      if (window.top !== window) return
      localStorage.setItem('authData', JSON.stringify(kept))
      localStorage.setItem('id_token', kept.token)
    }, tokens)
    const isQuiet = watchCalls(page)
    await page.goto('/404')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const built = new Set((await tableOf(page)).map(({ path }) => path))
    for (const [path, access] of [...SPECIFIED, ...BESIDE.filter(([one]) => !one.includes('$'))]) {
      if (access === 'public') continue
      const wanted = filled(path, there, person.id)
      await test.step(`${who}: ${wanted}`, async () => {
        const mayOpen = mayAccess(access, rights) && mayAccess(DATA_NEEDS[path] ?? 'signedIn', rights)
        // An address that leads on ends at its target; a screen that is not built yet is not there.
        const expected = !built.has(path) ? '/404' : !mayOpen ? '/403' : path === '/' ? `/profile/${person.id}/edit` : wanted
        expect(await stepTo(page, wanted, isQuiet), `${who} at ${wanted}`).toBe(expected)
        await expect(page).toHaveTitle(/.+ · Waybill$/)
      })
    }
    const menu = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link')
    const targets = await menu.evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
    for (const target of targets.filter((one) => one !== '/')) {
      const access = [...SPECIFIED, ...BESIDE].find(([path]) => path === target)?.[1]
      expect(access !== undefined && mayAccess(access, rights), `the menu of ${who} offers ${target}`).toBe(true)
    }
  })
}

test('sends whoever is not signed in to the login page, which keeps where they wanted to go', async ({ page, waybill, partners }) => {
  const made = await (everybody ??= addEverybody(waybill))
  const there = await (records ??= addRecords(waybill, partners.nordlicht, [...made.values()].map(({ id }) => id)))
  await page.goto('/auth/login')
  const built = new Set((await tableOf(page)).map(({ path }) => path))
  for (const [path, access] of SPECIFIED.filter(([one]) => built.has(one))) {
    const wanted = `${filled(path, there, 1)}${path === '/' ? '' : '?page=2'}`
    await stepTo(page, wanted, () => true)
    const now = new URL(page.url())
    if (path === '/auth/qr' || path === '/auth/qr-code') expect(now.pathname, `${path} is of no use without a password`).toBe('/auth/login')
    else if (access === 'public') expect(now.pathname).toBe(wanted.split('?')[0])
    else expect([now.pathname, now.searchParams.get('redirect')], wanted).toEqual(['/auth/login', path === '/403' || path === '/404' ? null : wanted])
  }
})

test('goes on, after the sign-in, to the wanted screen with its query', async ({ page }) => {
  await page.goto('/orders?status[]=new&status[]=scheduled&q=Kr%C3%B6ger')
  await expect(page).toHaveURL(/\/auth\/login\?redirect=/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((url) => url.pathname === '/orders' && url.searchParams.get('q') === 'Kröger' && url.searchParams.getAll('status[]').length === 2)
})

test('never leaves the house after the sign-in', async ({ page }) => {
  await page.goto(`/login?redirect=${encodeURIComponent('//elsewhere.example/orders')}`)
  await expect(page).toHaveURL(/\/auth\/login\?redirect=/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/127\.0\.0\.1.*\/profile\/\d+\/edit$/)
})

test('shows 403 and 404 as worded, with a way back that is no circle', async ({ page, waybill, signIn, expectAccessible }) => {
  const nobody = (await (everybody ??= addEverybody(waybill))).get('no permission')!
  await signIn(nobody)
  await expect(page).toHaveURL(`/profile/${nobody.id}/edit`)
  await page.goto('/orders')
  await expect(page).toHaveURL('/403')
  await expect(page).toHaveTitle('Access denied · Waybill')
  await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
  await expect(page.getByText('The page does not exist or you do not have access')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the main page' }).click()
  await expect(page).toHaveURL(`/profile/${nobody.id}/edit`)

  await page.goto('/no/such/page')
  await expect(page).toHaveURL('/404')
  await expect(page).toHaveTitle("Something's missing · Waybill")
  await expect(page.getByRole('heading', { name: "Something's missing" })).toBeVisible()
  await expect(page.getByText('The page you requested does not exist. It might be outdated or deleted.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the main page' }).click()
  await expect(page).toHaveURL(`/profile/${nobody.id}/edit`)
})

test('has no profile of another person, not even for an administrator', async ({ page, waybill, signIn }) => {
  const other = (await (everybody ??= addEverybody(waybill))).get('no permission')!
  await signIn()
  for (const id of [String(other.id), '0', 'me', '1e0']) {
    await page.goto(`/profile/${id}/edit`)
    await expect(page).toHaveURL('/404')
  }
})
