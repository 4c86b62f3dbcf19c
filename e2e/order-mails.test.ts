import { expect, test } from './support/test.ts'

test('an order tells its customer by itself, and its form shows what is to come, what left and what did not', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf, mails } = waybill
  const customer = await api('POST', 'customers', {
    title: 'Möbelwerk Übach GmbH',
    language: 'de',
    countryId: await idOf('countries', 'Germany'),
    city: 'Übach-Palenberg',
    contactPersons: [{ fullName: 'Dr. Aylin Öztürk', email: 'oeztuerk@moebelwerk.example' }],
  })
  const order = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: 'MU-1 "dringend"',
  })
  const left = await mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'oeztuerk@moebelwerk.example') ?? false,
  )
  expect(left.subject).toContain('MU-1 "dringend"')

  // The second one is taken back while it waits, and sent all the same.
  await signIn()
  const other = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: 'MU-2',
  })
  const { items } = (await api('GET', `emails?orderId=${other.body.id}`)).body
  expect((await api('POST', `emails/${items[0].id}/cancel`, {})).status).toBe(200)
  await page.goto(`/orders/${other.body.id}/edit`)
  const section = page.getByRole('region', { name: 'Emails' })
  await section.scrollIntoViewIfNeeded()
  const row = section.getByRole('listitem').filter({ hasText: 'Order created' })
  await expect(row).toContainText('not sent')
  await expect(row).toContainText('canceled by hand')
  await shoot(page, 'order-mails')
  await row.getByRole('button', { name: 'Preview' }).click()
  const window = page.getByRole('dialog')
  await expect(window).toContainText('MU-2')
  await expect(window.getByLabel('Receiver')).toHaveValue('oeztuerk@moebelwerk.example')
  await expect(window.frameLocator('iframe').getByText('Sehr geehrte Damen und Herren')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'order-mail-preview')
  await window.getByLabel('Receiver').fill('dispo@moebelwerk.example')
  await window.getByRole('button', { name: 'Send anyway' }).click()
  await expect(window).toBeHidden()
  const sent = await mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'dispo@moebelwerk.example') ?? false,
  )
  expect(sent.subject).toContain('MU-2')
  await expect(row).toContainText('sent')
  await expect(row).not.toContainText('not sent')
  expect((await api('GET', `orders/${order.body.id}`)).status).toBe(200)
})
