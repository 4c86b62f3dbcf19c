import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

/** Types a part of a name and takes what is found. */
async function choose(field: Locator, part: string, title: string) {
  await field.click()
  await field.fill(part)
  await field.page().getByRole('option', { name: title }).click()
  await expect(field).toHaveValue(title)
}

test('keeps a file of a customer', { tag: '@long' }, async ({ page, signIn, waybill, expectAccessible, shoot }) => {
  const { body: customer } = await waybill.api('POST', 'customers', {
    title: 'Möbelhaus Kröger GmbH & Co. KG',
    countryId: await waybill.idOf('countries', 'Germany'),
  })
  await signIn()
  await page.goto(`/customer/${customer.id as number}/edit?tab=documents`)
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'tariff.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    })
  await expect(page.getByText('tariff.pdf').first()).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'customer documents')
})

test('leads from a country that is not there to adding it, and finds what was typed as it was', {
  tag: '@long',
}, async ({ page, signIn, waybill, expectAccessible }) => {
  await signIn()
  await page.goto('/customer/create')
  await page.getByLabel('Company name').fill('Fróðskapur Fisk P/F')
  const country = page.getByLabel('Country')
  await country.click()
  await country.fill('Svalbard')
  await country.press('Tab')
  await expect(page.getByText('Country Not Found')).toBeVisible()
  await expectAccessible(page)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Add a country' }).click()
  const beside = await opened
  await beside.getByRole('textbox', { name: 'Title', exact: true }).fill('Svalbard')
  await beside.getByRole('textbox', { name: 'Code', exact: true }).fill('SJ')
  await beside.getByRole('textbox', { name: 'Standard VAT rate', exact: true }).fill('0')
  const zone = beside.getByRole('combobox', { name: 'Time zone', exact: true })
  await zone.click()
  await zone.fill('Arctic/Longyearbyen')
  await beside.getByRole('option', { name: 'Arctic/Longyearbyen' }).click()
  await save(beside).click()
  await expect(beside.getByRole('heading', { level: 1, name: 'Svalbard & Jan Mayen' })).toBeVisible()
  await beside.close()
  // A country is shown by the name that it has in the person's language, whatever was typed as its title.
  await choose(country, 'svalb', 'Svalbard & Jan Mayen')
  await expect(page.getByLabel('Company name')).toHaveValue('Fróðskapur Fisk P/F')
  await save(page).click()
  await expect(page.getByText('was saved successfully')).toBeVisible()
  expect(
    (await waybill.api('GET', `customers/${await waybill.idOf('customers', 'Fróðskapur Fisk P/F')}`)).body.country
      .title,
  ).toBe('Svalbard & Jan Mayen')
})
