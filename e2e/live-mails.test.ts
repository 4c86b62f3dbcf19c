import { expect, test } from './support/test.ts'

test('what happened while a tab could not listen stands there once it can, and in the tab that takes over', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  const { api, idOf, mails } = waybill
  const customer = await api('POST', 'customers', {
    title: 'Kühlkontor Wismar GmbH',
    language: 'en',
    countryId: await idOf('countries', 'Germany'),
    city: 'Wismar',
    contactPersons: [{ fullName: 'Ole Brandt', email: 'brandt@kuehlkontor.example' }],
  })
  // Nothing is heard from the beginning, as in a tunnel.
  await page.route(/\/api\/events/, (route) => route.abort('internetdisconnected'))
  await signIn()
  const order = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
  })
  await page.goto(`/orders/${order.body.id}/edit`)
  const rowOf = (tab: typeof page) =>
    tab.getByRole('region', { name: 'Emails' }).getByRole('listitem').filter({ hasText: 'Order created' })
  await page.getByRole('region', { name: 'Emails' }).scrollIntoViewIfNeeded()
  await expect(rowOf(page)).toContainText('planned')
  await mails.waitFor(({ to }) => to?.some(({ address }) => address === 'brandt@kuehlkontor.example') ?? false)
  const statusOf = async (): Promise<string> =>
    (await api('GET', `emails?orderId=${order.body.id}`)).body.items[0].status
  await expect.poll(statusOf).toBe('sent')
  await expect(rowOf(page)).toContainText('planned')
  await page.unroute(/\/api\/events/)
  await expect(rowOf(page).first()).not.toContainText('planned', { timeout: 40_000 })
  await expect(rowOf(page)).toContainText('sent')

  // A second tab listens through the first, and goes on alone when that is closed.
  const other = await page.context().newPage()
  await other.goto(`/orders/${order.body.id}/edit`)
  await other.getByRole('region', { name: 'Emails' }).scrollIntoViewIfNeeded()
  await expect(rowOf(other)).toContainText('sent')
  const { items } = (await api('GET', `emails?orderId=${order.body.id}`)).body
  await api('POST', `emails/${items[0].id}/resend`, { to: ['eins@kuehlkontor.example'] })
  await expect(rowOf(page)).toHaveCount(2)
  await expect(rowOf(other)).toHaveCount(2)
  await page.close()
  await api('POST', `emails/${items[0].id}/resend`, { to: ['zwei@kuehlkontor.example'] })
  await expect(rowOf(other)).toHaveCount(3)
  await expect(rowOf(other).filter({ hasText: 'zwei@kuehlkontor.example' })).toContainText('sent')
})
