import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { openNewOrder, saved } from './support/typist.ts'

test('an order of a customer that is not there yet, typed on one page', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  shoot,
}) => {
  // Key by key: slower than filling fields at once.
  test.setTimeout(180_000)
  await signIn()
  const typist = await openNewOrder(page)
  await typist.type('Weserguss GmbH')
  await expect(page.getByRole('option', { name: 'Create “Weserguss GmbH”' })).toHaveAttribute(
    'data-combobox-selected',
    'true',
  )
  await typist.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toHaveValue('Weserguss GmbH')
  await typist.press('Tab')
  await typist.fill('DE273186455', 'buchhaltung@weserguss.example', 'Am Speicher 4', '28217', 'Bremen')
  await typist.type('germ')
  await expect(page.locator('[role=option][data-combobox-selected]')).toHaveText('Germany')
  await typist.press('Enter')
  await shoot(page, 'new-customer-in-place')
  await typist.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[name=customerIds]')).toHaveValue('Weserguss GmbH')
  await expect(page.locator('[name=customerOrderNumber]')).toBeFocused()
  await typist.type('4500981')
  await typist.press('Alt+2', 'Tab')
  await typist.when('30.11 8-12')
  await typist.pick('we', 'Weserguss GmbH')
  // Past the contact, whom the mail does not name.
  await typist.press('Enter')
  await typist.when('1.12 7')
  await typist.fill('Dillenberg KG', 'Talstr. 9', 'DE', '35683', 'Dillenburg')
  await typist.press('Alt+3')
  await typist.fill('12', 'Eu', 'Gussteile', '120', '80', '100')
  await typist.type('12*450')
  await typist.press('Control+Enter')
  await typist.fill('4', 'Me', 'Kleinteile', '124', '84', '97')
  await typist.type('4*380')
  await typist.press('Alt+4')
  await typist.fill('640', '', '30')
  await typist.press('Tab')
  await typist.type('Avis 1 h vorher')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customers: [{ title: 'Weserguss GmbH' }],
    customerOrderNumber: '4500981',
    customerPriceCents: 64_000,
    paymentPeriodDays: 30,
    description: 'Avis 1 h vorher',
    locations: [
      { kind: 'loading', companyTitle: 'Weserguss GmbH', city: 'Bremen', postal: '28217' },
      { kind: 'unloading', companyTitle: 'Dillenberg KG', city: 'Dillenburg' },
    ],
    cargo: [
      { quantity: 12, weightKg: 5400 },
      { quantity: 4, weightKg: 1520 },
    ],
  })
  const { body: customer } = await waybill.api('GET', `customers/${order.customers[0].id as number}`)
  expect(customer).toMatchObject({
    vatNumber: 'DE273186455',
    invoiceEmail: 'buchhaltung@weserguss.example',
    address: 'Am Speicher 4',
    postal: '28217',
    city: 'Bremen',
    country: { title: 'Germany' },
  })
  console.log(`order of an unknown customer: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(340)
})

test('offers the one that is there already, and a contact person, and makes none without the right', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn, expectAccessible }) => {
  await signIn()
  await page.goto('/orders/create')
  const customer = page.locator('[name=customerIds]')
  await customer.fill('Nordlicht Maschinenbau Hamburg')
  await page.getByRole('option', { name: /^Create/ }).click()
  const dialog = page.getByRole('dialog')
  const use = dialog.getByRole('button', { name: 'Use Nordlicht Maschinenbau GmbH' })
  await expect(use).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('VAT number').fill('DE123')
  await dialog.getByLabel(/^Country/).fill('germany')
  await page.getByRole('option', { name: 'Germany', exact: true }).click()
  await expect(dialog.getByLabel('VAT number')).toHaveAccessibleDescription(/VAT/)
  await use.click()
  await expect(customer).toHaveValue('Nordlicht Maschinenbau GmbH')
  await customer.fill('nordlicht masch')
  await expect(page.getByRole('option', { name: /^Nordlicht Maschinenbau GmbH/ })).toContainText('Hamburg, DE129273398')
  await page.keyboard.press('Escape')

  const contact = page.getByRole('combobox', { name: 'Contact person' })
  await contact.fill('Frau Petersen')
  await page.getByRole('option', { name: 'Create “Frau Petersen”' }).click()
  await expect(dialog.getByLabel('Full name')).toBeFocused()
  await dialog.getByLabel('Phone').fill('+49 40 5550 1205')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(contact).toHaveValue('Frau Petersen')
  const { body: record } = await waybill.api('GET', `customers/${partners.nordlicht}`)
  expect(record.contactPersons.map(({ fullName }: { fullName: string }) => fullName)).toEqual([
    'Herr Jansen',
    'Frau Petersen',
  ])

  await signIn(await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto('/orders/create')
  await customer.fill('Nobody is called this')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await expect(page.getByRole('option', { name: /^Create/ })).toHaveCount(0)
})

test('makes a carrier and its driver in the route, and says at the contents what the route lacks', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn }) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    locations: [
      { kind: 'loading', countryId: await waybill.idOf('countries', 'Germany'), city: 'Hamburg', cargoActions: [] },
      { kind: 'unloading', countryId: await waybill.idOf('countries', 'Poland'), city: 'Poznań', cargoActions: [] },
    ],
  })
  await signIn()
  await page.goto(`/orders/${order.id as number}/edit`)
  await page.locator('#routes').scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Plan a route' }).click()
  const contents = page.getByRole('navigation', { name: 'Sections' })
  await expect(contents.getByRole('img', { name: 'A route has no carrier' })).toHaveCount(1)
  await expect(page.locator('#routes [data-changed]')).toHaveCount(0)
  await expect(page.getByText('1 unsaved change', { exact: true }).first()).toBeAttached()
  await page.locator('[name=description]').focus()
  await contents.getByRole('link', { name: /Carriers and routes/ }).click()
  const carrier = page.locator('[name="routes.0.assignment.carrierCompanyId"]')
  await expect(carrier).toBeFocused()

  await carrier.fill('Elbspeed Logistik')
  await page.getByRole('option', { name: 'Create “Elbspeed Logistik”' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Country/).fill('germany')
  await page.getByRole('option', { name: 'Germany', exact: true }).click()
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(carrier).toHaveValue('Elbspeed Logistik')
  await expect(contents.getByRole('img', { name: 'A route has no plate number' })).toHaveCount(1)

  const driver = page.locator('[data-path="routes.0.assignment.driverIds"]').getByRole('combobox')
  await driver.fill('Jan Kowalski')
  await page.getByRole('option', { name: 'Create “Jan Kowalski”' }).click()
  await dialog.getByLabel('Plate number').fill('HH EL 204')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[name="routes.0.assignment.plateNumber"]')).toHaveValue('HH EL 204')
  await expect(contents.getByRole('img', { name: 'A route has no plate number' })).toHaveCount(0)
})
