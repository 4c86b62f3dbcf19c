import type { Page } from '@playwright/test'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'

const cell = (page: Page, name: string) => page.locator(`[name="${name}"]`)

test('walks a grid with arrows and changes nothing on the way; lists open on Enter, Space and letters', async ({
  page,
  partners,
  signIn,
  expectAccessible,
}) => {
  await signIn()
  await page.goto('/orders/create')
  await expect(cell(page, 'customerIds')).toBeFocused()
  await page.keyboard.type('nordlicht masch')
  await expect(page.getByRole('option', { name: /Nordlicht Masch/ })).toHaveAttribute('data-combobox-selected', 'true')
  await page.keyboard.press('Enter')
  expect(partners.nordlicht).toBeGreaterThan(0)

  // The first stop is a pick-up, and stays one.
  await page.keyboard.press('Alt+2')
  const kind = cell(page, 'locations.0.kind')
  await expect(kind).toBeFocused()
  for (const key of ['ArrowDown', 'ArrowUp', 'End', 'Home', 'PageDown']) await page.keyboard.press(key)
  await expect(kind).toBeFocused()
  await expect(kind).toHaveValue('loading')
  await expect(cell(page, 'locations.1.kind')).toHaveValue('unloading')
  await page.keyboard.press('ArrowDown')
  await expect(cell(page, 'locations.1.kind')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await expect(cell(page, 'locations.0.termin')).toBeFocused()

  // Letters that nothing begins with leave it as it is, and so does Escape.
  await kind.focus()
  await page.keyboard.type('xyz')
  await expect(page.getByRole('status').filter({ hasText: 'Nothing found' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(kind).toHaveValue('loading')
  await kind.press('Enter')
  const options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option')
  await expect(options).toHaveCount(4)
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(kind).toHaveValue('loading')
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(kind).toHaveValue('other')
  await expect(cell(page, 'locations.0.termin')).toBeFocused()

  const country = cell(page, 'locations.0.countryId')
  await country.focus()
  await page.keyboard.type('po')
  await expect(options.first()).toHaveText(/Poland|Portugal/)
  // The page that still scrolls to the cell takes no letter away.
  await country.evaluate((select) => select.dispatchEvent(new Event('scroll')))
  await page.keyboard.type('l')
  await page.keyboard.press('Tab')
  await expect(cell(page, 'locations.0.postal')).toBeFocused()
  await expect(country.locator('option:checked')).toHaveText('PL Poland')

  await page.keyboard.press('Alt+3')
  const unit = cell(page, 'cargo.0.unitTypeId')
  await unit.focus()
  await page.keyboard.press('ArrowDown')
  await expect(unit).toHaveValue('')
  await page.keyboard.type('eu')
  await page.keyboard.press('Enter')
  await expect(unit.locator('option:checked')).toHaveText('Europallet')
  await expect(cell(page, 'cargo.0.title')).toBeFocused()
  await unit.click()
  await options.filter({ hasText: /^Roll/ }).click()
  await expect(unit.locator('option:checked')).toHaveText(/^Roll/)
})

test('a unit is called in the person’s language, and brings its dimensions but never over typed ones', async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  await signIn(await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto('/orders/create')
  await expect(cell(page, 'customerIds')).toBeFocused()
  await page.keyboard.type('nordlicht masch')
  await expect(page.getByRole('option', { name: /Nordlicht Masch/ })).toHaveAttribute('data-combobox-selected', 'true')
  await page.keyboard.press('Enter')
  expect(partners.nordlicht).toBeGreaterThan(0)

  const unit = cell(page, 'cargo.0.unitTypeId')
  const choose = async (typed: string, shown: string) => {
    await unit.focus()
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await expect(unit.locator('option:checked')).toHaveText(shown)
  }
  const stands = async (length: string, width: string, height: string) => {
    await expect(cell(page, 'cargo.0.lengthCm')).toHaveValue(length)
    await expect(cell(page, 'cargo.0.widthCm')).toHaveValue(width)
    await expect(cell(page, 'cargo.0.heightCm')).toHaveValue(height)
  }
  await choose('europal', 'Europallet')
  await stands('120', '80', '')
  await expect(cell(page, 'cargo.0.ldm')).toHaveValue('0.4')
  await choose('Industriepal', 'Industrial pallet')
  await stands('120', '100', '')
  await cell(page, 'cargo.0.widthCm').fill('95')
  await cell(page, 'cargo.0.heightCm').fill('150')
  await choose('mesh', 'Mesh box')
  await stands('120', '95', '150')
  await choose('carton', 'Carton')
  await stands('', '95', '150')

  // Another language asks again for what is called otherwise in it.
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(unit.locator('option:checked')).toHaveText('Karton')
  await page.keyboard.press('Escape')
  await stands('', '95', '150')
  await choose('mesh', 'Gitterbox')
  await stands('120', '95', '150')
  const country = cell(page, 'locations.0.countryId')
  await country.focus()
  await page.keyboard.type('germany')
  await page.keyboard.press('Tab')
  await expect(country.locator('option:checked')).toHaveText('DE Deutschland')
})

test('leads into a new line of an invoice, so that what is typed next stands in it', async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    customerPriceCents: 90_000,
  })
  const { body: invoice } = await waybill.api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  await signIn()
  await page.goto(`/invoices/${invoice.id as number}/edit`)
  await page.getByRole('button', { name: 'Add line' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.type('Waiting time 2 h')
  await expect(cell(page, 'lines.1.text')).toHaveValue('Waiting time 2 h')
  await expect(cell(page, 'lines.2.text')).toHaveCount(0)
})
