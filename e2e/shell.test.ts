import type { Page } from '@playwright/test'
import { addPerson, signInAs, type Person } from './support/people.ts'
import { settled } from './support/settled.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const PHONE = { width: 390, height: 844 }

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const scheme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')

/** Opens a page as somebody who signed in before. */
async function enterAs(
  page: Page,
  waybill: Waybill,
  person: Pick<Person, 'email' | 'password'>,
  path: string,
): Promise<void> {
  await signInAs(page, waybill, person)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
}

async function addOrder(
  { api, idOf }: Waybill,
  customerId: number,
  departmentId: number,
  customerOrderNumber: string,
): Promise<string> {
  const countryId = await idOf('countries', 'Germany')
  const { status, body } = await api('POST', 'orders', {
    customerIds: [customerId],
    departmentId,
    customerOrderNumber,
    locations: [
      {
        kind: 'loading',
        countryId,
        city: 'Hamburg',
        termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' },
      },
    ],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.number as string
}

const anyDepartment = ({ idOf }: Waybill) => idOf('departments', 'FTL West')

test('leads by keyboard alone: to a screen, to all hits, to a record, and back to those opened last', async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  const number = await addOrder(waybill, partners.nordlicht, await anyDepartment(waybill), 'PALETTE-1')
  await signIn()
  await page.goto('/orders')
  await expect(page.getByRole('link', { name: number })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('invoic')
  await expect(field(page)).toHaveValue('invoic')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/invoices$/)
  await expect(palette(page)).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('palette-1')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\?q=palette-1$/)
  await expect(page.getByRole('link', { name: number })).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('palette-1')
  await expect(option(page, number)).toContainText('Nordlicht Maschinenbau GmbH · Hamburg')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(number)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('my orders')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/mine=1/)
  await expect(page).toHaveTitle('My orders · Waybill')
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('group', { name: 'Opened last' })).toContainText(number)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(number)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('new order')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\/create$/)
})

test('keeps the hand in the palette when a slow screen comes behind it', async ({ page, signIn }) => {
  const { promise: isWanted, resolve: letCome } = Promise.withResolvers<void>()
  await signIn()
  await page.goto('/orders')
  await expect(page.getByRole('heading', { name: 'All orders' })).toBeVisible()
  await page.route('**/assets/customer-list-page*.js', async (route) => {
    await isWanted
    await route.continue()
  })
  await page.getByRole('link', { name: 'Customers' }).first().click()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('unit ty')
  letCome()
  await expect(page.locator('h1', { hasText: 'Customers' })).toBeAttached()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('pes')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/unit-types$/)
  await expect(page.locator('#content')).toBeFocused()
})

test('says that nothing was found, closes on Escape and gives the focus back', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/invoices')
  const button = page.getByRole('button', { name: 'Search or go to' })
  await button.click()
  await page.keyboard.type('zz')
  await expect(option(page, 'All hits for “zz”').first()).toBeVisible()
  await field(page).fill('~')
  await expect(palette(page).getByRole('status')).toHaveText('Nothing found for “~”. Try a number, a name or a town.')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect(button).toBeFocused()
  // The list's own field has the key where there is one; elsewhere it opens the palette.
  await page.keyboard.press('/')
  await expect(page.getByRole('textbox', { name: 'Find in this list' })).toBeFocused()
  await page.goto('/orders/create')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await expect(palette(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('In a grid: copy the cell above')
  await page.keyboard.press('Control+k')
  await expect(palette(page), 'nothing opens over what is open').toHaveCount(0)
})

test('finds and offers only what one may see', async ({ page, waybill, partners }) => {
  const number = await addOrder(waybill, partners.fabryka, await anyDepartment(waybill), 'FOREIGN-7')
  const person = await addPerson(waybill, { permissions: ['INVOICES_PROCESSING'] })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await enterAs(page, waybill, person, '/invoices')
  await expect(
    page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /orders|Users|Roles/ }),
  ).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Company/ })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(option(page, /^Invoices/)).toBeVisible()
  await expect(option(page, /order|Users|Roles/i)).toHaveCount(0)
  await page.keyboard.type(number)
  await expect(option(page, `All hits for “${number}”`)).toHaveCount(1)
  await settled(page)
  await expect(option(page, new RegExp(`^${number}`))).toHaveCount(0)
  expect(asked).not.toContain('/api/orders')
})

test('keeps the look on the server, so that another device shows it too', async ({ page, waybill, browser }) => {
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  await enterAs(page, waybill, person, '/orders')
  await page.getByRole('button', { name: /^Your account/ }).click()
  const kept = page.waitForResponse(
    (response) => response.url().endsWith('/profile/preferences') && response.request().method() === 'PATCH',
  )
  await page.getByRole('group', { name: 'Appearance' }).getByRole('button', { name: 'Dark' }).click()
  expect((await kept).ok()).toBe(true)
  await page.keyboard.press('Escape')
  const keptToo = page.waitForResponse(
    (response) => response.url().endsWith('/profile/preferences') && response.request().method() === 'PATCH',
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('normal rows')
  await page.keyboard.press('Enter')
  await keptToo

  const other = await browser.newContext({ colorScheme: 'light' })
  const elsewhere = await other.newPage()
  await elsewhere.goto(waybill.url)
  await enterAs(elsewhere, waybill, person, `${waybill.url}/orders`)
  await expect.poll(() => scheme(elsewhere)).toBe('dark')
  await expect(elsewhere.locator('html')).toHaveAttribute('data-density', 'normal')
  await other.close()

  // What the server does not take is said, and stays here.
  await page.route('**/api/profile/preferences', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          body: '{"code":"rate_limited","detail":"Too many requests"}',
        })
      : route.continue(),
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('light')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Your choice could not be kept')
  await expect.poll(() => scheme(page)).toBe('light')
})

test('changes the language from the palette, whatever the language was', async ({ page, waybill }) => {
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  await enterAs(page, waybill, person, '/orders')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('polski')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wszystkie zlecenia')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('language deutsch')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alle Aufträge')
})

test('narrows everything to one company for an administrator, visibly, in every tab, until it is taken back', async ({
  page,
  waybill,
  partners,
  signIn,
  context,
}) => {
  const countryId = await waybill.idOf('countries', 'Poland')
  const { body: company } = await waybill.api('POST', 'companies', {
    title: 'Waybill Filter S.A.',
    code: 'FILTER',
    timeZone: 'Europe/Warsaw',
    invoiceNumberPattern: 'F-{YYYY}-{NNNN}',
    countryId,
  })
  const { body: department } = await waybill.api('POST', 'departments', {
    abbreviation: 'Filtr',
    companyId: company.id,
    countryId,
  })
  const mine = await addOrder(waybill, partners.fabryka, department.id as number, 'OF-FILTER')
  const other = await addOrder(waybill, partners.fabryka, await anyDepartment(waybill), 'OF-ANOTHER')
  await signIn()
  await page.goto('/orders')
  const second = await context.newPage()
  await second.goto('/orders')
  await expect(second.getByRole('link', { name: other })).toBeVisible()
  await expect(page.getByRole('link', { name: other })).toBeVisible()

  const asked = page.waitForRequest(
    (request) => request.url().includes('/api/orders?') && request.headers()['group-filter'] === String(company.id),
  )
  await page.getByRole('button', { name: 'Company: All companies' }).click()
  await page.getByRole('menuitemradio', { name: 'Waybill Filter S.A.' }).click()
  await asked
  await expect(page.getByRole('link', { name: mine })).toBeVisible()
  await expect(page.getByRole('link', { name: other })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Company: Waybill Filter S.A.' })).toBeVisible()
  await expect(second.getByRole('button', { name: 'Company: Waybill Filter S.A.' })).toBeVisible()
  await expect(second.getByRole('link', { name: other })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Company: Waybill Filter S.A.' })).toBeVisible()
  await expect(page.getByRole('link', { name: other })).toHaveCount(0)

  await page.getByRole('button', { name: 'Company: Waybill Filter S.A.' }).click()
  await page.getByRole('menuitemradio', { name: 'All companies' }).click()
  await expect(page.getByRole('link', { name: other })).toBeVisible()
  await expect(second.getByRole('link', { name: other })).toBeVisible()
})

test('shows the keys of the screen and those of everywhere, each once', async ({ page, signIn, expectAccessible }) => {
  await signIn()
  await page.goto('/orders')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All orders')
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const here = dialog.getByRole('region', { name: 'On this screen' }).getByRole('listitem')
  for (const key of ['Find in this list', 'Next row', 'Previous row', 'Look into the row', 'New order'])
    await expect(here.filter({ hasText: key })).toHaveCount(1)
  await expect(here).toHaveCount(5)
  await expect(dialog.getByRole('region', { name: 'Everywhere' }).getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
})

test('folds a group of the navigation but never hides where one is', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/users')
  const nav = page.getByRole('navigation', { name: 'Main', exact: true })
  await expect(nav.getByRole('link', { name: 'Roles' })).toBeVisible()
  await nav.getByRole('button', { name: 'People' }).click()
  await expect(nav.getByRole('button', { name: 'People' })).toHaveAttribute('aria-expanded', 'false')
  await expect(nav.getByRole('link', { name: 'Roles' })).toHaveCount(0)
  await expect(nav.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'page')
  await page.reload()
  await expect(nav.getByRole('link', { name: 'Roles' })).toHaveCount(0)
  await nav.getByRole('button', { name: 'People' }).click()
  await expect(nav.getByRole('link', { name: 'Roles' })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`serves a phone by its tabs, a drawer and the palette, ${colorScheme}`, async ({
    page,
    signIn,
    expectAccessible,
    shoot,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(PHONE)
    await signIn()
    await page.goto('/orders')
    await expect.poll(() => scheme(page)).toBe(colorScheme)
    const tabs = page.getByRole('navigation', { name: 'Main, phone' })
    await expect(tabs.getByRole('link', { name: 'All orders' })).toHaveAttribute('aria-current', 'page')
    await tabs.getByRole('button', { name: 'More' }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('link', { name: 'Users' })).toBeVisible()
    await expectAccessible(page)
    await shoot(page, `phone-drawer-${colorScheme}`)
    await drawer.getByRole('link', { name: 'Users' }).click()
    await expect(page).toHaveURL(/\/users$/)
    await expect(drawer).toHaveCount(0)
    await page.getByRole('button', { name: 'Search or go to' }).click()
    await page.keyboard.type('invoices')
    await expect(option(page, 'Invoices').first()).toBeVisible()
    await expectAccessible(page)
    await shoot(page, `phone-palette-${colorScheme}`)
    await option(page, 'Invoices').first().click()
    await expect(page).toHaveURL(/\/invoices$/)
    const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(width).toBeLessThanOrEqual(0)
  })

  test(`is accessible with the palette and the companies open, ${colorScheme}`, async ({
    page,
    signIn,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme })
    await signIn()
    await page.goto('/orders')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All orders')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('or')
    await expect(option(page, /All hits/).first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Company/ }).click()
    await expect(page.getByRole('menuitemradio').first()).toBeVisible()
    await expectAccessible(page)
  })
}
