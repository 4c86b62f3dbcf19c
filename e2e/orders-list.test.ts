import type { Page } from '@playwright/test'
import { addPerson } from './support/people.ts'
import { withoutEvents } from './support/events.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const CUSTOMER = 'Listenprüfer & Söhne KG'
const ORDERS = 30

/** Orders of one customer, every third in a department of its own, loaded on thirty days in a row. */
async function addOrders({ api, idOf }: Waybill): Promise<void> {
  const countryId = await idOf('countries', 'Germany')
  const first = await idOf('departments', 'FTL West')
  const { companyId } = (await api('GET', `departments/${first}`)).body as { companyId: number }
  const { body: department } = await api('POST', 'departments', { abbreviation: 'Liste', companyId, countryId })
  const { body: customer } = await api('POST', 'customers', { title: CUSTOMER, countryId })
  for (let place = 1; place <= ORDERS; place += 1) {
    const day = `2026-11-${String(place).padStart(2, '0')}`
    const { status, body } = await api('POST', 'orders', {
      customerIds: [customer.id],
      departmentId: place % 3 === 0 ? department.id : first,
      customerOrderNumber: `"<LISTE>" ${place}`,
      customerPriceCents: 100_000 + place,
      cargo: [{ key: 'cargo', title: 'Pumpen' }],
      locations: [
        {
          kind: 'loading',
          countryId,
          city: 'Łęczyca',
          termin: { kind: 'fix', dateFrom: day, timeFrom: '06:00' },
          cargoActions: [{ cargoKey: 'cargo', action: 'PICK_UP' }],
        },
        {
          kind: 'unloading',
          countryId,
          city: 'Görlitz',
          termin: { kind: 'before', dateFrom: day, timeFrom: '23:00' },
          cargoActions: [{ cargoKey: 'cargo', action: 'DROP_OFF' }],
        },
      ],
    })
    expect(status, JSON.stringify(body)).toBe(201)
  }
}

let areThere: Promise<void> | null = null
test.beforeEach(async ({ waybill, signIn }) => {
  await (areThere ??= addOrders(waybill))
  await signIn()
})

const range = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const address = (page: Page) => decodeURIComponent(new URL(page.url()).search)
const filterMenu = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

test('keeps search, filters, sort and page in the address, through back, forward and reload', async ({ page }) => {
  await page.goto('/orders')
  await page.getByRole('textbox', { name: 'Find in this list' }).fill('listenpruefer')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('textbox', { name: 'Find in this list' }).fill('listenprufer leczyca')
  await expect(range(page)).toContainText('1–25 of 30')

  await filterMenu(page, 'Department')
  await page.getByRole('dialog').getByLabel('Liste', { exact: true }).check()
  await page.keyboard.press('Enter')
  await expect(range(page)).toContainText('1–10 of 10')
  await filterMenu(page, 'First loading')
  await page.getByRole('dialog').getByLabel('From').fill('2026-11-03')
  await page.getByRole('dialog').getByLabel('To', { exact: true }).fill('2026-11-12')
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await expect(range(page)).toContainText('1–4 of 4')
  await filterMenu(page, 'Status')
  await page.getByRole('dialog').getByLabel('Scheduled').check()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()
  const filters = [
    /q=listenprufer leczyca/,
    /status\[\]=scheduled/,
    /departmentId\[\]=\d+/,
    /firstLoading\[from\]=2026-11-03/,
    /firstLoading\[to\]=2026-11-12/,
  ]
  expect(address(page)).toMatch(new RegExp(`^\\?${filters.map(({ source }) => source).join('&')}$`))

  await page.goBack()
  await expect(range(page)).toContainText('1–4 of 4')
  await page.goBack()
  await expect(range(page)).toContainText('1–10 of 10')
  await page.goForward()
  await page.reload()
  await expect(range(page)).toContainText('1–4 of 4')
  await expect(page.getByRole('button', { name: 'Department Liste' })).toBeVisible()
  await page.goto('/orders?q=listenprufer&sort=-customerPriceCents&page=2')
  await expect(range(page)).toContainText('26–30 of 30')
  await expect(page.getByRole('row').last()).toContainText('1,000.01')
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByRole('row').filter({ hasText: CUSTOMER }).first()).toContainText('1,000.30')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(range(page)).toContainText('26–30 of 30')
  await expect(page.getByText('The entire list is loaded')).toBeVisible()
})

test('leaves out what an address asks wrongly, and turns back from a page past the end', async ({ page }) => {
  await page.goto('/orders?q=listenprufer&status[]=stolen&sort=secret&perPage=7&createdAt[from]=2026-02-30&page=77')
  await expect(range(page)).toContainText('26–30 of 30')
  expect(address(page)).toBe('?page=2&q=listenprufer')
})

test('drops a draft on Escape and takes it on a click beside it', async ({ page }) => {
  await page.goto('/orders?q=listenprufer')
  await filterMenu(page, 'Department')
  await page.getByRole('dialog').getByLabel('Liste', { exact: true }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(address(page)).toBe('?q=listenprufer')
  await filterMenu(page, 'Department')
  await page.getByRole('dialog').getByLabel('Liste', { exact: true }).check()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(range(page)).toContainText('1–10 of 10')
  await page.getByRole('button', { name: 'Remove filter: Department' }).click()
  await expect(range(page)).toContainText('1–25 of 30')
})

test('is walked by keyboard, and an order is looked into without leaving the list', async ({ page }) => {
  await page.goto('/orders?q=listenprufer&sort=firstLoadingAt')
  const rows = page.getByRole('row').filter({ hasText: CUSTOMER })
  await expect(rows.first()).toBeVisible()
  const numbers = await rows.getByRole('link', { name: /^\d{2}-\d+$/ }).allTextContents()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(rows.first().getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: `Order ${numbers[0]!}` })).toContainText('"<LISTE>" 1')
  await page.keyboard.press('j')
  await expect(page.getByRole('complementary', { name: `Order ${numbers[1]!}` })).toContainText('Mon 2 Nov fix 06:00')
  await page.reload()
  await expect(page.getByRole('complementary', { name: `Order ${numbers[1]!}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\/\d+\/edit$/)
})

test('keeps what is chosen by mouse and key, over pages and while rows are fetched again', async ({
  page,
  expectAccessible,
  shoot,
}) => {
  await page.goto('/orders?q=listenprufer&perPage=10&sort=firstLoadingAt')
  const rows = page.getByRole('row').filter({ hasText: CUSTOMER })
  const bar = (count: number) => page.getByRole('region', { name: `${count} selected` })
  await rows.nth(1).getByRole('checkbox').check()
  await expect(bar(1)).toBeVisible()
  await rows
    .nth(4)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(bar(4)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'orders-list-selection')
  await page.keyboard.press('j')
  await expect(rows.first().getByRole('link').first()).toBeFocused()
  await page.keyboard.press('x')
  await expect(bar(5)).toBeVisible()
  await page.keyboard.press('j')
  await expect(rows.nth(1).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('x')
  await expect(bar(4)).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(range(page)).toContainText('11–20 of 30')
  // A phone's cards have no heads, and are chosen one by one.
  const whole = page.getByRole('checkbox', { name: 'Select this page' })
  if (await whole.isVisible()) await whole.check()
  else for (const card of await rows.all()) await card.getByRole('checkbox').check()
  await expect(bar(14)).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(rows.first().getByRole('checkbox')).toBeChecked()
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByRole('region', { name: 'selected' })).toHaveCount(0)
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
})

test('says why rows do not come, and tries again', async ({ page }) => {
  // A change that is told would read them again, and the button be gone before it is pressed.
  await withoutEvents(page)
  await page.goto('/orders?q=listenprufer&perPage=10')
  await expect(range(page)).toContainText('1–10 of 30')
  const problem = {
    type: 'about:blank',
    title: 'Too many',
    status: 429,
    code: 'rate_limited',
    detail: 'Too many requests, wait a little',
    requestId: 'list-1',
  }
  await page.route('**/api/orders?*', (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByRole('alert')).toContainText('Too many requests, wait a little')
  await expect(page.getByRole('alert')).toContainText('list-1')
  // The rows that were there stay, and the pager says which they are.
  await expect(page.getByRole('region', { name: 'All orders' }).getByRole('link')).not.toHaveCount(0)
  await expect(range(page)).toContainText('1–10 of 30')
  await page.unroute('**/api/orders?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(range(page)).toContainText('11–20 of 30')
})

test('is accessible with rows, with filters, with a look beside it, and empty', async ({
  page,
  expectAccessible,
  shoot,
}) => {
  await page.goto('/orders?q=listenprufer')
  await expect(range(page)).toContainText('of 30')
  await expectAccessible(page)
  await shoot(page, 'orders-list')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('j')
  // The focus goes over to the row; until it is there, Space belongs to the button.
  await expect(page.getByRole('row').filter({ hasText: CUSTOMER }).first().getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary')).toContainText('Łęczyca')
  await expectAccessible(page)
  await page.goto('/orders?q=nothing-is-called-so')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/invoices')
  await expect(range(page)).toContainText('of')
  await expectAccessible(page)
})

test('filters by country and town of either end, by manager and by the day of a status', async ({ page }) => {
  await page.goto('/orders?q=listenprufer')
  await expect(range(page)).toContainText('1–25 of 30')
  await filterMenu(page, 'From city')
  await page.getByRole('dialog').getByRole('textbox').fill('LECZ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'From city LECZ' })).toBeVisible()
  await expect(range(page)).toContainText('1–25 of 30')
  await filterMenu(page, 'To country')
  await page.getByRole('dialog').getByRole('textbox').fill('pol')
  await page.getByRole('dialog').getByLabel('Poland').check()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter: To country' }).click()
  await filterMenu(page, 'Manager')
  await page.getByRole('dialog').getByRole('checkbox').first().check()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Manager / })).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter: Manager' }).click()
  await filterMenu(page, 'Scheduled on')
  await page.getByRole('dialog').getByRole('button', { name: 'Today' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  expect(address(page)).toMatch(
    /&fromTown=LECZ&statusDate\.scheduled\[from\]=[\d-]+&statusDate\.scheduled\[to\]=[\d-]+$/,
  )
  await page.reload()
  await page.getByRole('button', { name: 'Remove filter: Scheduled on' }).click()
  await expect(range(page)).toContainText('1–25 of 30')
})

test('refreshes itself where its rows stand: scroll, choice and peek stay, and new orders are announced', async ({
  page,
  browser,
  waybill,
  signIn,
}) => {
  // On the phone what one looks into lies over the rows.
  await page.setViewportSize({ width: 1280, height: 800 })
  const { api, idOf } = waybill
  const { body: customer } = await api('POST', 'customers', {
    title: 'Selbstauffrischung GmbH',
    countryId: await idOf('countries', 'Germany'),
  })
  const departmentId = await idOf('departments', 'Liste')
  const add = async (customerOrderNumber: string, more: object = {}) =>
    (await api('POST', 'orders', { customerIds: [customer.id], departmentId, customerOrderNumber, ...more })).body as {
      id: number
      number: string
      version: number
    }
  const first = await add('LIVE 1')
  const second = await add('LIVE 2')
  await signIn()
  await page.goto('/orders?q=selbstauffrischung')
  const row = (order: { number: string }) => page.getByRole('row').filter({ hasText: order.number })
  await expect(row(first)).toBeVisible()
  await row(first).getByRole('checkbox').check()
  await page.goto(`/orders?q=selbstauffrischung&peek=${second.id}`)
  await expect(page.getByRole('complementary')).toContainText('LIVE 2')
  await row(first).getByRole('checkbox').check()

  // Somebody else, who may see one of them only, looks at the same list.
  const person = await addPerson(waybill, { permissions: ['ASSIGNED_ORDERS'] })
  const other = await browser.newContext()
  const theirs = await other.newPage()
  await theirs.goto(`${waybill.url}/auth/login`)
  await theirs.getByLabel('Email').fill(person.email)
  await theirs.getByLabel('Password', { exact: true }).fill(person.password)
  await theirs.keyboard.press('Enter')
  await theirs.waitForURL((url) => !url.pathname.startsWith('/auth/'))
  await theirs.goto(`${waybill.url}/orders?q=selbstauffrischung`)
  await expect(theirs.getByText('Nothing found')).toBeVisible()

  const third = await add('LIVE 3')
  await api(
    'PATCH',
    `orders/${second.id}`,
    { customerPriceCents: 765_432, customerOrderNumber: 'LIVE 2b' },
    { 'if-match': '"1"' },
  )
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
  await expect(row(second)).toContainText('7,654.32')
  await expect(page.getByRole('complementary')).toContainText('LIVE 2b')
  await expect(row(third)).toHaveCount(0)
  await expect(row(first).getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: '1 new' }).click()
  await expect(row(third)).toBeVisible()
  await expect(page.getByRole('button', { name: /new$/ })).toHaveCount(0)
  await expect(row(first).getByRole('checkbox')).toBeChecked()
  await expect(page.getByRole('complementary')).toContainText('LIVE 2b')

  // What may be seen now comes by itself; what may be seen no longer stays pale until it is asked away.
  await api('PATCH', `orders/${third.id}`, { managerIds: [person.id] }, { 'if-match': '"1"' })
  await expect(theirs.getByRole('row').filter({ hasText: third.number })).toBeVisible()
  await expect(theirs.getByText(first.number)).toHaveCount(0)
  const { body: now } = await api('GET', `orders/${third.id}`)
  const left = now.managerIds.filter((id: number) => id !== person.id)
  await api('PATCH', `orders/${third.id}`, { managerIds: left }, { 'if-match': `"${now.version}"` })
  await theirs.getByRole('button', { name: '1 left this list' }).click()
  await expect(theirs.getByText('Nothing found')).toBeVisible()
  await other.close()
})

test('marks trouble and disposition in the list, in words beside it, and in the head of the order', async ({
  page,
  waybill,
}) => {
  const { api, idOf } = waybill
  const { body: customer } = await api('POST', 'customers', {
    title: 'Merkerprobe GmbH',
    countryId: await idOf('countries', 'Germany'),
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'Liste'),
    disposition: 'FOR_SALE',
    deviations: ['CUSTOMER_LEVEL_1', 'CARRIER_LEVEL_3'],
  })
  await page.goto(`/orders?q=merkerprobe&peek=${order.id as number}`)
  await expect(page.getByRole('row').filter({ hasText: order.number })).toContainText('Ca 3+2')
  const peek = page.getByRole('complementary')
  for (const words of ['Deviation: carrier, level 3', 'Deviation: customer, level 1', 'For sale'])
    await expect(peek.getByText(words, { exact: true })).toBeVisible()
  // It stands in the browser's title, leads to its customer, and its status is changed from here.
  await expect(peek.getByRole('link', { name: 'Merkerprobe GmbH' })).toHaveAttribute(
    'href',
    `/customer/${customer.id as number}/edit`,
  )
  await peek.getByRole('button', { name: 'Change status' }).click()
  await expect(page.getByRole('menuitem', { name: 'Canceled' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveTitle('All orders · Waybill')
  await peek.getByRole('link', { name: 'Open' }).click()
  await expect(page).toHaveTitle(`${order.number as string} · Waybill`)
  await expect(page.getByRole('banner').or(page.locator('header')).getByText('Ca 3', { exact: true })).toBeVisible()
})
