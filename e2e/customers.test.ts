import type { Locator, Page } from '@playwright/test'
import { scriptOfKeys } from './support/keys.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the form' }).getByRole('button', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

/** Types a part of a name and takes what is found. */
async function choose(field: Locator, part: string, title: string) {
  await field.click()
  await field.fill(part)
  await field.page().getByRole('option', { name: title }).click()
  await expect(field).toHaveValue(title)
}

test('fills a customer from empty to complete in five tabs', async ({
  page,
  signIn,
  waybill,
  expectAccessible,
  shoot,
}) => {
  await signIn()
  await page.goto('/customer')
  await page.getByRole('link', { name: 'New customer' }).first().click()
  await expect(page).toHaveURL(/\/customer\/create$/)

  // Nothing is lost by a save that comes too early, and every missing field is named.
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('Not saved yet: check 2 entries')
  await expect(page.getByLabel('Company name')).toBeFocused()

  await page.getByLabel('Short name').fill('Kröger')
  await page.getByLabel('Company name').fill('Möbelhaus Kröger GmbH & Co. KG')
  await page.getByLabel('VAT number').fill('DE 115 235 681')
  await page.getByLabel('Street and number').fill('Industriestr. 14')
  await page.getByLabel('Postal code').fill('33689')
  await page.getByLabel('City').fill('Bielefeld')
  const country = page.getByLabel('Country')
  await country.click()
  await country.fill('Atlantis')
  await expect(page.getByText('Country Not Found')).toBeVisible()
  await country.press('Tab')
  await expect(page.getByText('Country Not Found')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add a country' })).toHaveAttribute('href', '/countries/create')
  await choose(country, 'germ', 'Germany')
  await expect(page.getByText('Country Not Found')).toBeHidden()
  await page.getByLabel('Special instructions').fill('Deliver until 15:30, register at gate 3')
  await page.getByLabel('Warnings').fill('Announce the driver the day before until 16:00')
  await page.getByLabel('Certificate of arrival').uncheck()
  await expectAccessible(page)

  await tab(page, 'Documents').click()
  await expect(page.getByText('Save the changes first to enable file upload')).toBeVisible()

  await tab(page, 'Pickup & Drop-off').click()
  await page.getByRole('button', { name: 'Add a place' }).click()
  await expect(page.getByLabel('Company or ramp')).toBeFocused()
  await page.getByLabel('Company or ramp').fill('Kröger Zentrallager')
  await expect(page.getByLabel('Country')).toHaveValue('Germany')
  await page.getByLabel('Street and number').fill('Am Ring 2')
  await page.getByLabel('City').fill('Gütersloh')
  await page.getByLabel('Latitude').fill('51.906')
  await page.getByLabel('Longitude').fill('8.3785')
  await expectAccessible(page)

  await tab(page, 'Payment options').click()
  await expect(page.getByLabel('Payment period')).toHaveValue('30')
  await page.getByRole('combobox', { name: 'Payment option' }).click()
  await page.getByRole('option', { name: 'End-of-period billing' }).click()
  await page.getByLabel('Payment period').fill('45')
  await page.getByLabel('Email for invoices').fill('rechnung')
  await page.getByLabel('Same as the main address').uncheck()
  await page.getByLabel('Name on the invoice').fill('Kröger Verwaltung')
  await page.getByLabel('City').fill('Bielefeld')
  await page.getByLabel('Per cubic metre').fill('250')
  await expectAccessible(page)

  await tab(page, 'Contact persons').click()
  await page.getByRole('button', { name: 'Add a contact person' }).click()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Monika Krause')
  await page.getByLabel('Email 1').fill('krause@kroeger')
  await page.getByLabel('Language 1').selectOption('Deutsch')
  await page.keyboard.press('Control+Enter')
  await page.getByLabel('Full name 2').fill('Jonas Hartwig')
  await page.getByLabel('Phone 2').fill('ask Monika')

  // A wrong address in another tab opens that tab.
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('Not saved yet: check 3 entries')
  await page.getByRole('button', { name: 'Contact person 2: Phone' }).click()
  await expect(page.getByText('This is not a valid phone number').first()).toBeVisible()
  await page.getByLabel('Phone 2').fill('+49 521 555 17, ext. 12')
  await page.getByRole('button', { name: 'Contact person 1: Email' }).click()
  await expect(page.getByLabel('Email 1')).toBeFocused()
  await page.getByLabel('Email 1').fill('krause@kroeger.example')
  await page.getByRole('button', { name: 'Email for invoices' }).click()
  await expect(page.getByLabel('Email for invoices')).toBeFocused()
  await page.getByLabel('Email for invoices').fill('rechnung@kroeger.example')
  await save(page).click()
  await expect(page.getByText('The customer was saved successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/customer\/\d+\/edit/)

  await tab(page, 'Documents').click()
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

  const id = await waybill.idOf('customers', 'Möbelhaus Kröger GmbH & Co. KG')
  const { body } = await waybill.api('GET', `customers/${id}`)
  expect(body).toMatchObject({
    alias: 'Kröger',
    vatNumber: 'DE115235681',
    vatNumberShape: 'fits',
    postal: '33689',
    city: 'Bielefeld',
    country: { title: 'Germany' },
    emailPreferences: { arrivalCertificate: false, pod: true },
    paymentOption: 'end_of_period',
    paymentPeriodDays: 45,
    chargeableKgPerM3: 250,
    chargeableKgPerLdm: 1750,
    billingAddress: { title: 'Kröger Verwaltung', city: 'Bielefeld' },
    invoiceEmail: 'rechnung@kroeger.example',
    responsibleUser: { title: expect.any(String) },
    creator: { title: expect.any(String) },
    contactPersons: [
      { fullName: 'Monika Krause', email: 'krause@kroeger.example', language: 'de' },
      { fullName: 'Jonas Hartwig', phone: '+49 521 555 17, ext. 12' },
    ],
    pickupLocations: [{ companyTitle: 'Kröger Zentrallager', city: 'Gütersloh', latitude: 51.906, longitude: 8.3785 }],
  })

  // The warning is met wherever the customer is chosen.
  await page.goto('/orders/create')
  await choose(
    page.getByRole('combobox', { name: 'Customer', exact: true }).first(),
    'kröger',
    'Möbelhaus Kröger GmbH & Co. KG',
  )
  await expect(page.getByText('Announce the driver the day before until 16:00')).toBeVisible()
})

test('keeps a VAT number to one customer, however it is typed, and says which field it was', async ({
  page,
  signIn,
  partners,
}) => {
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  await page.goto('/customer/create')
  await page.getByLabel('Company name').fill('Nordlicht Doppelgänger GmbH')
  await choose(page.getByLabel('Country'), 'germ', 'Germany')
  await page.getByLabel('VAT number').fill('de 129 273 398')
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('This VAT is used by another customer')
  await expect(page.getByLabel('VAT number')).toBeFocused()
  await expect(page.getByLabel('Company name')).toHaveValue('Nordlicht Doppelgänger GmbH')
  await page.getByLabel('VAT number').fill('DE 12')
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('This VAT number does not fit the country')
  await page.getByLabel('VAT number').fill('')
  await save(page).click()
  await expect(page.getByText('was saved successfully')).toBeVisible()
})

test('leads from a country that is not there to adding it, and finds what was typed as it was', async ({
  page,
  signIn,
  waybill,
  expectAccessible,
}) => {
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

test('takes a customer out of the select boxes from the list, after asking, and leaves it on its orders', async ({
  page,
  signIn,
  waybill,
  expectAccessible,
  shoot,
}) => {
  const title = 'Auslauf Handels GmbH'
  const { body: customer } = await waybill.api('POST', 'customers', {
    title,
    countryId: await waybill.idOf('countries', 'Germany'),
    postal: '28195',
    city: 'Bremen',
    vatNumber: 'DE 811 569 869',
  })
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await waybill.idOf('departments', 'FTL West'),
  })
  await signIn()
  await page.goto(`/customer?q=${title}`)
  const row = page.getByRole('row').filter({ hasText: title })
  await row.getByRole('button', { name: `Deactivate ${title}` }).click()
  await expect(page.getByRole('dialog')).toContainText('orders and invoices keep the customer')
  await expectAccessible(page)
  await shoot(page, 'customer-deactivate')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await waybill.api('GET', `customers/${customer.id}`)).body.state).toBe('active')
  await row.getByRole('button', { name: `Deactivate ${title}` }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()

  await page.goto('/orders/create')
  const field = page.getByRole('combobox', { name: 'Customer', exact: true }).first()
  await field.click()
  await field.fill('Auslauf')
  await expect(page.getByText('Nothing found').first()).toBeVisible()
  await page.goto(`/orders/${order.id}/edit`)
  await expect(page.getByText(title).first()).toBeVisible()

  await page.goto(`/customer?q=${title}&state=inactive`)
  await shoot(page, 'customers-inactive')
  await row.getByRole('button', { name: `Activate ${title}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  expect((await waybill.api('GET', `customers/${customer.id}`)).body).toMatchObject({ state: 'active', version: 3 })
})

/** A customer with so many contact persons. */
async function crowded({ api, idOf }: Waybill, count: number): Promise<number> {
  const contactPersons = Array.from({ length: count }, (_, index) => ({
    fullName: `Person ${index + 1}`,
    position: 'Logistics',
    phone: '+49 40 5550 1204',
    email: `person${index + 1}@crowd.example`,
  }))
  const { body } = await api('POST', 'customers', {
    title: 'Crowd AG',
    countryId: await idOf('countries', 'Germany'),
    contactPersons,
  })
  return body.id as number
}

test('stays quick with two hundred contact persons', async ({ page, signIn, waybill }) => {
  const id = await crowded(waybill, 200)
  await signIn()
  await page.goto(`/customer/${id}/edit?tab=contacts`)
  const field = page.getByLabel('Full name 150')
  const times = await scriptOfKeys(field, 'aeiouaeiouaeiouaeiou')
  test.info().annotations.push({
    type: 'script of a key',
    description: `median ${times[10]!.toFixed(1)} ms, worst ${times.at(-1)!.toFixed(1)} ms`,
  })
  await expect(field).toHaveValue(/aeiou$/)
  await field.press('ArrowDown')
  await expect(page.getByLabel('Full name 151')).toBeFocused()
  await page.getByRole('button', { name: 'Remove contact person 151' }).click()
  await save(page).click()
  // Not the word of it, which is gone after eight seconds: drawing so many rows anew may take a busy machine as long.
  await expect.poll(async () => (await waybill.api('GET', `customers/${id}`)).body.version as number).toBeGreaterThan(1)
  const { body } = await waybill.api('GET', `customers/${id}`)
  expect(body.contactPersons).toHaveLength(199)
  expect(body.contactPersons[149].fullName).toBe('Person 150aeiouaeiouaeiouaeiou')
  expect(body.contactPersons[150].fullName).toBe('Person 152')
})
