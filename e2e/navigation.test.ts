import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { ADMIN } from './support/waybill.ts'

// Who may open which screen is a table of its own, in web/src/app/guards.test.ts; here stands that the screens obey it.
test('opens to a dispatcher what the rights say, in the menu and by address, and nothing else', async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  const { api, idOf } = waybill
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 90_000,
  })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  await signIn(person)
  const ends = {
    '/': `/profile/${person.id}/edit`,
    '/orders': '/orders',
    [`/orders/${order.id as number}/edit`]: `/orders/${order.id as number}/edit`,
    '/invoices': '/403',
    // The screen is theirs, its data are not (domain, People and rights: the invoice mail preview).
    [`/invoices/${invoice.id as number}/edit/invoice`]: '/403',
    '/customer/create': '/403',
    '/users': '/403',
    '/departments': '/403',
  }
  for (const [wanted, end] of Object.entries(ends)) {
    await page.goto(wanted)
    await expect(page).toHaveURL(end)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(page).toHaveTitle(/.+ · Waybill$/)
  }
  const menu = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link')
  const targets = await menu.evaluateAll((links) =>
    links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  )
  expect(new Set(targets)).toEqual(
    new Set(['/', '/dashboard', '/intake', '/orders', '/planning', '/mails', '/quotes', '/reports', '/vehicles']),
  )
})

test('goes on, after the sign-in, to the wanted screen with its query', async ({ page }) => {
  await page.goto('/orders?status[]=new&status[]=scheduled&q=Kr%C3%B6ger')
  await expect(page).toHaveURL(/\/auth\/login\?redirect=/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(
    (url) =>
      url.pathname === '/orders' &&
      url.searchParams.get('q') === 'Kröger' &&
      url.searchParams.getAll('status[]').length === 2,
  )
})

test('never leaves the house after the sign-in', async ({ page }) => {
  await page.goto(`/login?redirect=${encodeURIComponent('//elsewhere.example/orders')}`)
  await expect(page).toHaveURL(/\/auth\/login\?redirect=/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/127\.0\.0\.1.*\/dashboard$/)
})

test('shows 403 and 404 as worded, with a way back that is no circle', async ({
  page,
  waybill,
  signInByForm,
  expectAccessible,
}) => {
  const nobody = await addPerson(waybill)
  await signInByForm(nobody)
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
