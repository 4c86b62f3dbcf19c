import { holdBack, holdBackAt } from './support/hold-back.ts'
import { expect, test } from './support/test.ts'

test('takes what fits first when Tab or Enter comes before the options, and sends nothing off', async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  expect(partners.nordlicht).toBeGreaterThan(0)
  expect(
    (
      await waybill.api('POST', 'users', {
        fullName: 'Zacharias Eilig',
        email: 'eilig@waybill.example',
        defaultLanguage: 'en',
      })
    ).status,
  ).toBe(201)
  await signIn()
  await page.goto('/orders/create')
  const customer = page.locator('[name="customerIds"]')
  const departments = page.getByRole('combobox', { name: 'Department' })
  const managers = page.locator('[data-path="managerIds"]')
  await expect(customer).toBeFocused()
  await page.getByRole('button', { name: 'More: customers, managers' }).click()
  await expect(managers).toBeVisible()
  await customer.focus()
  const saved: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/orders')) saved.push(request.url())
  })
  const [letCustomers, letDepartments, letUsers] = [
    await holdBack(page, 'customers'),
    await holdBack(page, 'departments'),
    await holdBack(page, 'users'),
  ]

  await page.keyboard.type('nordlicht masch')
  await page.keyboard.press('Tab')
  await expect(customer).not.toBeFocused()
  await expect(customer).toHaveValue('nordlicht masch')
  await departments.focus()
  await page.keyboard.type('ftl we')
  await page.keyboard.press('Enter')
  await managers.getByRole('combobox').focus()
  await page.keyboard.type('zacharias')
  await page.keyboard.press('Tab')
  await expect(managers).toContainText('zacharias')

  letDepartments()
  await expect(departments).toHaveValue('FTL West')
  letCustomers()
  await expect(customer).toHaveValue('Nordlicht Maschinenbau GmbH')
  letUsers()
  await expect(managers).toContainText('Zacharias Eilig')
  expect(saved).toEqual([])
})

test('takes what fits first where it was asked for before Tab, too', async ({ page, partners, signIn }) => {
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  await page.goto('/orders/create')
  const customer = page.locator('[name="customerIds"]')
  await expect(customer).toBeFocused()
  const letCustomers = await holdBack(page, 'customers')
  const isAsked = page.waitForRequest(/\/customers\?.*q=nordlicht/)
  await page.keyboard.type('nordlicht masch')
  await isAsked
  await page.keyboard.press('Tab')
  // A pause as long as that after which the field forgets what it asked.
  const isOver = page.waitForRequest(/\/departments\?.*q=ftl/)
  await page.getByRole('combobox', { name: 'Department' }).focus()
  await page.keyboard.type('ftl we')
  await isOver
  letCustomers()
  await expect(customer).toHaveValue('Nordlicht Maschinenbau GmbH')
})

test('saves only once the choices are taken that were made in a hurry', async ({ page, waybill, partners, signIn }) => {
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  await page.goto('/departments/create')
  await page.getByRole('textbox', { name: 'Abbreviation' }).fill('FTL Hurry')
  await page.getByRole('combobox', { name: 'Company' }).fill('waybill')
  await expect(page.getByRole('option', { name: /^Waybill/ }).first()).toHaveAttribute('data-combobox-selected', 'true')
  await page.keyboard.press('Tab')
  const letCountries = await holdBack(page, 'countries')
  await page.getByRole('combobox', { name: 'Country' }).focus()
  await page.keyboard.type('poland')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  letCountries()
  await page.waitForURL(/\/departments\/\d+\/edit/)
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('Poland')
  expect(await waybill.idOf('departments', 'FTL Hurry')).toBeGreaterThan(0)
})

test('says what was typed where the options cannot be had', async ({ page, partners, signIn }) => {
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  await page.goto('/orders/create')
  const customer = page.locator('[name="customerIds"]')
  await expect(customer).toBeFocused()
  await page.route('**/api/customers?*', (route) => route.abort('internetdisconnected'))
  await page.keyboard.type('nordlicht masch')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('alert').filter({ hasText: 'nordlicht masch' })).toContainText(
    'The server cannot be reached',
  )
  await expect(customer).toHaveValue('')
})

test('forgets a name that nothing has, and one that is typed over while its options are awaited', async ({
  page,
  partners,
  signIn,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  await signIn()
  await page.goto('/orders/create')
  const customer = page.locator('[name="customerIds"]')
  await expect(customer).toBeFocused()
  await page.keyboard.type('nobody is called this')
  await page.keyboard.press('Tab')
  await expect(customer).toHaveValue('')
  const letCustomers = await holdBack(page, 'customers')
  await customer.focus()
  await page.keyboard.type('nordlicht masch')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('fabryka')
  letCustomers()
  await expect(page.getByRole('option', { name: /Fabryka/ }).first()).toHaveAttribute('data-combobox-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(customer).toHaveValue(/Fabryka/)
})

test('a window that opens leaves a person who is already in its next field there', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/orders/create')
  const typing = page.getByRole('dialog').locator('input:focus, textarea:focus')
  await page.locator('[name="locations.0.companyTitle"]').focus()
  await page.keyboard.press('Alt+Enter')
  await expect(typing).toHaveAttribute('name', 'locations.0.reference')
  // What the frame of the window asks for is done again when somebody asks for it again.
  await page.keyboard.press('Tab')
  await page
    .getByRole('dialog')
    .locator('form')
    .evaluate((form) => form.querySelector<HTMLElement>('[data-autofocus]')?.focus())
  await expect(typing).toHaveAttribute('name', 'locations.0.phone')
})

test('keeps the billing customer that was chosen before the customer’s own data came', async ({
  page,
  partners,
  signIn,
}) => {
  expect(partners.nordlichtHolding).toBeGreaterThan(0)
  await signIn()
  await page.goto('/orders/create')
  const letData = await holdBackAt(page, '**/api/customers/*/for-order')
  const choose = async (name: string, typed: string, title: string) => {
    await page.locator(`[name="${name}"]`).fill(typed)
    await page.getByRole('option', { name: title, exact: true }).click()
    await expect(page.locator(`[name="${name}"]`)).toHaveValue(title)
  }
  await choose('customerIds', 'nordlicht masch', 'Nordlicht Maschinenbau GmbH')
  await choose('billingCustomerId', 'nordlicht hold', 'Nordlicht Holding AG')
  letData()
  await expect(page.getByRole('combobox', { name: 'Contact person' })).toHaveValue('Herr Jansen')
  await expect(page.locator('[name="billingCustomerId"]')).toHaveValue('Nordlicht Holding AG')
})
