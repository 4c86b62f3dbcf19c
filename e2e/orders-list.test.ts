import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('refreshes itself where its rows stand: scroll, choice and peek stay, and new orders are announced', {
  tag: '@long',
}, async ({ page, browser, waybill, signIn }) => {
  const { api, idOf } = waybill
  const { body: customer } = await api('POST', 'customers', {
    title: 'Selbstauffrischung GmbH',
    countryId: await idOf('countries', 'Germany'),
  })
  const departmentId = await idOf('departments', 'FTL West')
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
