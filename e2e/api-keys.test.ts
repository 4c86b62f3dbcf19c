import { addPerson } from './support/people.ts'
import { settled } from './support/settled.ts'
import { expect, test } from './support/test.ts'

test('a key is made with the keyboard, shown once, opens what it may, and is revoked', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const owner = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT'] })
  const { body: person } = await waybill.api('GET', `users/${owner.id}`)
  await signIn()
  await page.goto('/api-keys')
  await expect(page.getByText('There are no keys yet')).toBeVisible()
  await settled(page)
  await expectAccessible(page)
  await shoot(page, 'api-keys empty')

  await page.getByRole('button', { name: 'New key' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'New key' })
  const make = form.getByRole('button', { name: 'Make key' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Warehouse Hamburg')
  await expect(make).toBeDisabled()
  await form.getByRole('combobox', { name: 'Owner' }).fill(person.fullName as string)
  await page.getByRole('option', { name: person.fullName as string }).click()
  await expect(form.getByRole('checkbox', { name: 'Invoices' })).toBeDisabled()
  await form.getByRole('checkbox', { name: 'Customers' }).press('Space')
  await expectAccessible(page)
  await shoot(page, 'api-keys new')
  await make.press('Enter')

  const made = page.getByRole('dialog', { name: 'Key for Warehouse Hamburg' })
  const token = (await made.getByRole('group', { name: 'The key' }).textContent())!
  expect(token).toMatch(/^wbk_/)
  await expectAccessible(page)
  await shoot(page, 'api-keys made')
  await made.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /Warehouse Hamburg/ })
  await expect(row).toContainText('In use')
  await expect(page.locator('body')).not.toContainText(token)

  const ask = (path: string) =>
    fetch(`${waybill.url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)
  expect([await ask('customers'), await ask('orders'), await ask('profile')]).toEqual([200, 403, 403])

  await page.reload()
  await expect(row).not.toContainText('Not yet')
  await settled(page)
  await shoot(page, 'api-keys list')
  await row.getByRole('button', { name: 'Revoke Warehouse Hamburg' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(row).toContainText('Revoked')
  expect(await ask('customers')).toBe(401)
})
