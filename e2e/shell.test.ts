import type { Page } from '@playwright/test'
import { addPerson, signInAs, type Person } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => palette(page).getByRole('combobox')
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

test('keeps the hand in the palette when a slow screen comes behind it', { tag: '@long' }, async ({ page, signIn }) => {
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

test('keeps the look on the server, so that another device shows it too', { tag: '@long' }, async ({
  page,
  waybill,
  browser,
}) => {
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

test('narrows everything to one company for an administrator, visibly, in every tab, until it is taken back', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn, context }) => {
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
