import type { Page } from '@playwright/test'
import { addPerson, signInAs } from './support/people.ts'
import { withoutEvents } from './support/events.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const ORDERS = 12

async function addOrders({ api, idOf }: Waybill, customerId: number): Promise<void> {
  const countryId = await idOf('countries', 'Germany')
  const departmentId = await idOf('departments', 'FTL West')
  for (let place = 1; place <= ORDERS; place += 1) {
    const day = `2026-11-${String(place).padStart(2, '0')}`
    const { status, body } = await api('POST', 'orders', {
      customerIds: [customerId],
      departmentId,
      customerOrderNumber: `KIT ${place}`,
      locations: [
        { kind: 'loading', countryId, city: 'Łęczyca', termin: { kind: 'fix', dateFrom: day, timeFrom: '06:00' } },
      ],
    })
    expect(status, JSON.stringify(body)).toBe(201)
  }
}

let areThere: Promise<void> | null = null
test.beforeEach(async ({ waybill, partners, signIn }) => {
  await (areThere ??= addOrders(waybill, partners.nordlicht))
  await signIn()
})

const range = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const heads = (page: Page) => page.getByRole('columnheader')
const address = (page: Page) => decodeURIComponent(new URL(page.url()).search)
const chooseFilter = async (page: Page, button: string, name: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

test('reads a span of days as it is typed, refuses what is no day, and offers a month to click', async ({
  page,
  expectAccessible,
}) => {
  await page.goto('/orders?q=KIT')
  await chooseFilter(page, 'Filter', 'First loading')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('From')).toBeFocused()
  await page.keyboard.type('31.11.2026')
  await page.keyboard.press('Tab')
  await expect(dialog.getByText('This date does not exist')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await dialog.getByLabel('From').fill('10.11.2026')
  await dialog.getByLabel('To', { exact: true }).fill('031126')
  await expect(dialog.getByText('The end is before the beginning')).toBeVisible()
  await dialog.getByLabel('To', { exact: true }).fill('12/11/26')
  await expect(dialog.getByRole('button', { name: '11 November 2026' })).toHaveAttribute('data-in-range', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(range(page)).toContainText('1–3 of 3')
  expect(address(page)).toContain('firstLoading[from]=2026-11-10&firstLoading[to]=2026-11-12')

  await page.getByRole('button', { name: 'First loading 10 Nov – 12 Nov' }).click()
  await expect(dialog.getByLabel('From')).toHaveValue('10/11/2026')
  await dialog.getByRole('button', { name: '5 November 2026', exact: true }).click()
  await dialog.getByRole('button', { name: '6 November 2026', exact: true }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(range(page)).toContainText('1–2 of 2')
})

for (const { language, filter, name, from, shown, month } of [
  {
    language: 'de',
    filter: 'Filter',
    name: 'Erste Beladung',
    from: 'Von',
    shown: '05.11.2026',
    month: 'November 2026',
  },
  {
    language: 'pl',
    filter: 'Filtr',
    name: 'Pierwszy załadunek',
    from: 'Od',
    shown: '05.11.2026',
    month: 'Listopad 2026',
  },
]) {
  test(`writes days in the person's language: ${language}`, async ({ page, waybill }) => {
    const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'], language })
    await signInAs(page, waybill, person)
    await page.goto('/orders')
    await chooseFilter(page, filter, name)
    await page.keyboard.type('5.11.26')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('dialog').getByLabel(from, { exact: true })).toHaveValue(shown)
    await expect(
      page
        .getByRole('dialog')
        .getByRole('button', { name: new RegExp(month, 'i') })
        .first(),
    ).toBeVisible()
  })
}

test('shows the columns that one chose, here and on another device, and the standard again', async ({
  page,
  waybill,
  browser,
  expectAccessible,
}) => {
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  await signInAs(page, waybill, person)
  await page.goto('/orders')
  await expect(heads(page).nth(2)).toHaveText('Customer')
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'Customer' }).press('Space')
  await expect(heads(page).filter({ hasText: 'Customer' })).toHaveCount(0)
  const kept = page.waitForResponse(
    (response) => response.url().endsWith('/profile/preferences') && response.request().method() === 'PATCH',
  )
  await dialog.getByRole('button', { name: 'Move Loading forward' }).press('Enter')
  await kept
  await expect(heads(page).nth(2)).toHaveText('Loading')
  await expectAccessible(page)

  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await signInAs(elsewhere, waybill, person)
  await elsewhere.goto(`${waybill.url}/orders`)
  await expect(heads(elsewhere).nth(2)).toHaveText('Loading')
  await expect(heads(elsewhere).filter({ hasText: 'Customer' })).toHaveCount(0)
  await other.close()

  await dialog.getByRole('button', { name: 'Standard columns' }).click()
  await expect(heads(page).nth(2)).toHaveText('Customer')
})

test('keeps a view under a name, refuses the name twice, shares it, and lets it go', async ({
  page,
  waybill,
  browser,
}) => {
  await page.goto('/orders?q=KIT&perPage=10&page=2')
  const views = page.getByRole('button', { name: 'Views' })
  const dialog = page.getByRole('dialog')
  const save = async (name: string) => {
    await views.click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await dialog.getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
  }
  await views.click()
  await expect(page.getByText('No view saved yet')).toBeVisible()
  await page.keyboard.press('Escape')
  await save(' ')
  await expect(dialog.getByText('The field is required')).toBeVisible()
  await dialog.getByLabel('Name').fill('Kit orders')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await page.goto('/orders?delayed=1')
  await save('Kit orders')
  await expect(dialog.getByText('This value is already in use')).toBeVisible()
  await page.keyboard.press('Escape')

  await views.click()
  await page.getByRole('menuitem', { name: 'Kit orders' }).click()
  await expect(range(page)).toContainText(`1–10 of ${ORDERS}`)
  expect(address(page)).toBe('?perPage=10&q=KIT')
  await views.click()
  await page.getByRole('menuitem', { name: 'Change “Kit orders”' }).click()
  await dialog.getByRole('combobox', { name: 'Who sees it' }).click()
  await page.getByRole('option', { name: 'Everybody' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)

  const colleague = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await signInAs(elsewhere, waybill, colleague)
  await elsewhere.goto(`${waybill.url}/orders`)
  await elsewhere.getByRole('button', { name: 'Views' }).click()
  await elsewhere.getByRole('menuitem', { name: 'Kit orders' }).click()
  await expect(range(elsewhere)).toContainText(`of ${ORDERS}`)
  await elsewhere.getByRole('button', { name: 'Views' }).click()
  await expect(elsewhere.getByRole('menuitem', { name: /Change/ })).toHaveCount(0)
  await other.close()

  await views.click()
  await page.getByRole('menuitem', { name: 'Change “Kit orders”' }).click()
  await dialog.getByRole('button', { name: 'Delete view' }).click()
  await expect(dialog).toHaveCount(0)
  await views.click()
  await expect(page.getByText('No view saved yet')).toBeVisible()
})

test('says why there is nothing, and what helps: filters, state, the end of the list', async ({ page }) => {
  await page.goto('/orders?q=nothing-is-called-so')
  await expect(page.getByText('Nothing in this list fits “nothing-is-called-so”.')).toBeVisible()
  await page.getByRole('region', { name: 'All orders' }).getByRole('button', { name: 'Clear filters' }).click()
  await expect(range(page)).toContainText('1–')
  await page.goto('/orders?q=KIT')
  await expect(page.getByText('The entire list is loaded')).toBeVisible()
  await page.goto('/orders')
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Inactive' }).click()
  await expect(page.getByText('List is empty')).toBeVisible()
  await expect(page.getByText('Nothing has been deactivated.')).toBeVisible()
  expect(address(page)).toBe('?state=inactive')
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Active', exact: true }).click()
  await page.getByRole('combobox', { name: 'Rows' }).selectOption('10')
  await expect(range(page)).toContainText('1–10 of')
  await expect(page.getByText('The entire list is loaded')).toHaveCount(0)
})

test('shows skeletons shaped like the rows while they come, and nothing jumps', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput)
          shifts.sum += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/orders?*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/orders')
  const table = page.getByRole('region', { name: 'All orders' })
  await expect(table).toHaveAttribute('aria-busy', 'true')
  await expect(table.locator('tbody tr[aria-hidden]')).toHaveCount(20)
  const height = await table
    .locator('tbody tr')
    .first()
    .evaluate((row) => row.getBoundingClientRect().height)
  letGo()
  await expect(table.getByRole('link').first()).toBeVisible()
  expect(
    await table
      .locator('tbody tr')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height),
  ).toBe(height)
  expect(await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)).toBeLessThanOrEqual(
    0.02,
  )
})

test('keeps the old rows while others come, and says when they do not', async ({ page }) => {
  // A change that is told would read them again, and the button be gone before it is pressed.
  await withoutEvents(page)
  await page.goto('/orders?q=KIT&perPage=10')
  await expect(range(page)).toContainText('1–10 of')
  const table = page.getByRole('region', { name: 'All orders' })
  const problem = {
    type: 'about:blank',
    title: 'Too many',
    status: 429,
    code: 'rate_limited',
    detail: 'Too many requests, wait a little',
    requestId: 'list-2',
  }
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/orders?*', async (route) => {
    await held
    await route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) })
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(table).toHaveAttribute('aria-busy', 'true')
  await expect(table.getByRole('link')).not.toHaveCount(0)
  letGo()
  await expect(page.getByRole('alert')).toContainText('Too many requests, wait a little')
  // The rows that were there stay, and the pager says which they are.
  await expect(page.getByRole('region', { name: 'All orders' }).getByRole('link')).not.toHaveCount(0)
  await expect(range(page)).toContainText('1–10 of')
  await page.unroute('**/api/orders?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(range(page)).toContainText(`11–12 of ${ORDERS}`)
})

test('narrows a list on the phone', async ({ page, expectAccessible, shoot }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/orders?q=KIT')
  await chooseFilter(page, 'Filter', 'First loading')
  await page.keyboard.type('1.11.26')
  await expect(page.getByRole('dialog').getByRole('button', { name: '1 November 2026', exact: true })).toBeVisible()
  const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply' })
  await expect(apply).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await shoot(page, 'phone-days')
  await apply.click()
  await expect(range(page)).toContainText(`of ${ORDERS}`)
  const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(width).toBeLessThanOrEqual(0)
})
