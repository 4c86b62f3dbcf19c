import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

/** An order of a customer of its own, whose first mail is written and could not go: its customer has no address. */
async function addOrder({ api, idOf }: Waybill, { name, email }: { name: string; email: string | null }) {
  const customer = await api('POST', 'customers', {
    title: name,
    language: 'en',
    countryId: await idOf('countries', 'Germany'),
    city: 'Übach-Palenberg',
    contactPersons: [{ fullName: 'Aylin Öztürk', email }],
  })
  const order = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
  })
  return { customerId: customer.body.id as number, id: order.body.id as number, number: order.body.number as string }
}

test('all mails stand in one list, are narrowed there, opened and sent again together', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { mails } = waybill
  const one = await addOrder(waybill, { name: 'Kordes & Söhne', email: 'one@kordes.example' })
  const silent = await addOrder(waybill, { name: 'Ohne Adresse GmbH', email: null })
  await mails.waitFor(({ to }) => to?.some(({ address }) => address === 'one@kordes.example') ?? false)
  await signIn()
  await page.goto('/mails')
  await expect(page).toHaveTitle(/^Mails · Waybill$/)
  await expect(page.getByRole('link', { name: 'Mails', exact: true })).toHaveAttribute('aria-current', 'page')

  // The first page is through with its address before the next is asked for.
  await expect(page.getByRole('row', { name: /one@kordes\.example/ })).toBeVisible()
  await page.goto('/mails?q=kordes')
  await expect(page).toHaveURL(/q=kordes/)
  const row = page.getByRole('row', { name: /one@kordes\.example/ })
  await expect(row).toContainText('sent')
  await expect(row).toContainText(one.number)
  await expect(row).toContainText('Kordes & Söhne')
  await expect(page.getByRole('row', { name: new RegExp(silent.number) })).toHaveCount(0)
  await expectAccessible(page)
  await shoot(page, 'mails')

  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('One mail goes out again')).toBeVisible()
  await expect(page.getByRole('row', { name: /one@kordes\.example/ })).toHaveCount(2)

  // What was never written stays as it is, and says so.
  await page.goto(`/mails?q=${silent.number}`)
  await page
    .getByRole('row', { name: new RegExp(silent.number) })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Send again' }).click()
  const left = page.getByRole('dialog', { name: 'Not sent again' })
  await expect(left).toContainText('Order created')
  await page.keyboard.press('Enter')
  await expect(left).toHaveCount(0)
})

test('a mail has a page of its own, in every look, from which it is sent to another address', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { mails } = waybill
  const order = await addOrder(waybill, { name: 'Papier Lindner KG', email: 'lindner@papier.example' })
  await mails.waitFor(({ to }) => to?.some(({ address }) => address === 'lindner@papier.example') ?? false)
  await signIn()
  await page.goto(`/mails?q=${order.number}`)
  await page
    .getByRole('row', { name: /lindner@papier\.example/ })
    .getByRole('link', { name: 'Order created' })
    .click()
  await expect(page).toHaveURL(/\/preview\/\d+$/)
  await expect(page).toHaveTitle('Email preview · Waybill')
  await expect(page.getByRole('heading', { level: 1, name: 'Order created' })).toBeVisible()
  const paper = page.getByRole('region', { name: /As it left/ })
  await expect(paper.frameLocator('iframe').getByText(order.number).first()).toBeVisible()
  await expect(page.getByText('Accepted by the mail server')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'mail-page')
  const width = async () => (await paper.locator('iframe').boundingBox())!.width
  const wide = await width()
  await paper.getByText('Phone', { exact: true }).click()
  await expect.poll(width).toBeLessThan(wide)
  await paper.getByText('Text', { exact: true }).click()
  await expect(paper.locator('pre')).toContainText(order.number)

  await page.getByLabel('Send again to').fill('boss@papier.example')
  await page.getByRole('button', { name: 'Send again' }).click()
  await mails.waitFor(({ to }) => to?.some(({ address }) => address === 'boss@papier.example') ?? false)

  await page.getByRole('link', { name: order.number }).click()
  await expect(page).toHaveURL(`/orders/${order.id}/edit`)
})

test('who has no right to orders reads the own mails in a window, and has no page of them', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  const person = await addPerson(waybill, { permissions: ['CUSTOMER_MANAGEMENT'] })
  await signIn(person)
  await page.goto('/mails')
  await expect(page.getByRole('heading', { level: 1, name: 'Mails' })).toBeVisible()
  await page.goto('/preview/1')
  await expect(page).toHaveURL('/403')
})
