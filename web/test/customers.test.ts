import { getNextAccountNumber } from '@waybill/contract/bookkeeping/bookkeeping'
import { getCustomerCredit } from '@waybill/contract/credit/credit'
import { customerApi, findCustomerLookalikes, getCustomerForOrder } from '@waybill/contract/customer'
import { listDocuments } from '@waybill/contract/document'
import { listEmailRefusals } from '@waybill/contract/email'
import type { FieldErrorCode } from '@waybill/contract/errors'
import { getMap } from '@waybill/contract/place'
import { beforeEach, expect, test } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { contactOf, customerForOrderOf, customerOf, keepCustomer } from './records/customer.ts'
import { ANNA, GERMANY, offerMasterData } from './records/master-data.ts'
import { answerOrderForm, keepOrder } from './records/order-screens.ts'
import { orderOf } from './records/order.ts'

const TITLE = 'Möbelhaus Kröger GmbH & Co. KG'
const labelled = (label: string | RegExp) => page.getByLabelText(label)
const part = (name: string) =>
  page.getByRole('navigation', { name: 'Parts of the form' }).getByRole('button', { name }).click()
const save = page.getByRole('button', { name: 'Save', exact: true }).first()
const alert = page.getByRole('alert')
const dialog = page.getByRole('dialog')
const nowhere = page.getByText('Country Not Found')

/** Types a part of a name and takes what is found. */
async function choose(field: Locator, typed: string, title: string): Promise<void> {
  await field.click()
  await field.fill(typed)
  await page.getByRole('option', { name: title }).click()
  await expect.element(field).toHaveValue(title)
}

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getNextAccountNumber, { number: 10_001 })
  server.answer(listEmailRefusals, { items: [] })
  server.answer(findCustomerLookalikes, { vatNumberShape: 'fits', items: [] })
  server.answer(listDocuments, pageOf([]))
  server.answer(getMap, { tiles: null })
  server.answer(getCustomerCredit, {
    limitCents: null,
    openCents: 0,
    deliveredCents: 0,
    underWayCents: 0,
    usedCents: 0,
    standing: null,
    lift: null,
  })
})

test('fills a customer from empty to complete in five parts', { tags: 'long' }, async () => {
  keepCustomer(customerOf())
  await visit('/customer')
  await page.getByRole('link', { name: 'New customer' }).first().click()
  await expect.poll(() => location.pathname).toBe('/customer/create')

  // Nothing is lost by a save that comes too early, and every missing field is named.
  await save.click()
  await expect.element(alert).toMatchTextContent('Not saved yet: check 2 entries')
  await expect.element(labelled('Company name')).toHaveFocus()

  await labelled('Short name').fill('Kröger')
  await labelled('Company name').fill(TITLE)
  await labelled('VAT number').fill('DE 115 235 681')
  await labelled('Street and number').fill('Industriestr. 14')
  await labelled('Postal code').fill('33689')
  await labelled('City').fill('Bielefeld')
  const country = labelled('Country')
  await country.click()
  await country.fill('Atlantis')
  await expect.element(nowhere).toBeVisible()
  await press('Tab')
  await expect.element(nowhere).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Add a country' })).toHaveAttribute('href', '/countries/create')
  await choose(country, 'germ', 'Germany')
  await expect.element(nowhere).not.toBeInTheDocument()
  await labelled('Special instructions').fill('Deliver until 15:30, register at gate 3')
  await labelled('Warnings').fill('Announce the driver the day before until 16:00')
  await labelled('Certificate of arrival').click()
  await expect.element(labelled('Certificate of arrival')).not.toBeChecked()
  await expectAccessible()

  await part('Documents')
  await expect.element(page.getByText('Save the changes first to enable file upload')).toBeVisible()

  await part('Pickup & Drop-off')
  await page.getByRole('button', { name: 'Add a place' }).click()
  await expect.element(labelled('Company or ramp')).toHaveFocus()
  await labelled('Company or ramp').fill('Kröger Zentrallager')
  await expect.element(labelled('Country')).toHaveValue('Germany')
  await labelled('Street and number').fill('Am Ring 2')
  await labelled('City').fill('Gütersloh')
  await labelled('Latitude').fill('51.906')
  await labelled('Longitude').fill('8.3785')
  await expectAccessible()

  await part('Payment options')
  await expect.element(labelled('Payment period')).toHaveValue('30')
  await page.getByRole('combobox', { name: 'Payment option' }).click()
  await page.getByRole('option', { name: 'End-of-period billing' }).click()
  await labelled('Payment period').fill('45')
  await labelled('Email for invoices').fill('rechnung')
  await labelled('Same as the main address').click()
  await labelled('Name on the invoice').fill('Kröger Verwaltung')
  await labelled('City').fill('Bielefeld')
  await labelled('Per cubic metre').fill('250')
  await expectAccessible()

  await part('Contact persons')
  await page.getByRole('button', { name: 'Add a contact person' }).click()
  await press('Tab')
  await type('Monika Krause')
  await labelled('Email 1').fill('krause@kroeger')
  await labelled('Language 1').selectOptions('Deutsch')
  await press('Control+Enter')
  await labelled('Full name 2').fill('Jonas Hartwig')
  await labelled('Phone 2').fill('ask Monika')

  // A wrong address in another part opens that part.
  await save.click()
  await expect.element(alert).toMatchTextContent('Not saved yet: check 3 entries')
  expect(server.calls(customerApi.create)).toEqual([])
  await page.getByRole('button', { name: 'Contact person 2: Phone' }).click()
  await expect.element(page.getByText('This is not a valid phone number').first()).toBeVisible()
  await labelled('Phone 2').fill('+49 521 555 17, ext. 12')
  await page.getByRole('button', { name: 'Contact person 1: Email' }).click()
  await expect.element(labelled('Email 1')).toHaveFocus()
  await labelled('Email 1').fill('krause@kroeger.example')
  await page.getByRole('button', { name: 'Email for invoices' }).click()
  await expect.element(labelled('Email for invoices')).toHaveFocus()
  await labelled('Email for invoices').fill('rechnung@kroeger.example')
  const made = customerOf({ id: 45, title: TITLE })
  server.answer(customerApi.create, made)
  server.answer(customerApi.get, made)
  await save.click()
  await expect.element(page.getByText('The customer was saved successfully')).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/customer/45/edit')
  expect(server.calls(customerApi.create).map(({ body }) => body)).toMatchObject([
    {
      alias: 'Kröger',
      title: TITLE,
      vatNumber: 'DE 115 235 681',
      address: 'Industriestr. 14',
      postal: '33689',
      city: 'Bielefeld',
      countryId: GERMANY.id,
      specialInstructions: 'Deliver until 15:30, register at gate 3',
      warnings: 'Announce the driver the day before until 16:00',
      emailPreferences: { arrivalCertificate: false, pod: true },
      paymentOption: 'end_of_period',
      paymentPeriodDays: 45,
      chargeableKgPerM3: 250,
      chargeableKgPerLdm: 1750,
      billingAddress: { title: 'Kröger Verwaltung', city: 'Bielefeld' },
      invoiceEmail: 'rechnung@kroeger.example',
      responsibleUserId: ANNA.id,
      contactPersons: [
        { fullName: 'Monika Krause', email: 'krause@kroeger.example', language: 'de' },
        { fullName: 'Jonas Hartwig', phone: '+49 521 555 17, ext. 12' },
      ],
      pickupLocations: [
        {
          companyTitle: 'Kröger Zentrallager',
          address: 'Am Ring 2',
          city: 'Gütersloh',
          countryId: GERMANY.id,
          latitude: 51.906,
          longitude: 8.3785,
        },
      ],
    },
  ])
})

test('warns of a customer wherever it is chosen for an order', async () => {
  answerOrderForm()
  server.offer(customerApi, [{ id: 45, title: TITLE }])
  server.answer(
    getCustomerForOrder,
    customerForOrderOf({ id: 45, title: TITLE, warnings: 'Announce the driver the day before until 16:00' }),
  )
  await visit('/orders/create')
  await choose(page.getByRole('combobox', { name: 'Customer', exact: true }).first(), 'kröger', TITLE)
  await expect.element(page.getByText('Announce the driver the day before until 16:00')).toBeVisible()
})

test('keeps a VAT number to one customer, and says which field it was', { tags: 'long' }, async () => {
  const refuse = (code: FieldErrorCode, message: string) =>
    server.answer(customerApi.create, refusal('validation', { errors: [{ path: 'vatNumber', code, message }] }))
  refuse('customer_vat_number_taken', 'This VAT is used by another customer')
  await visit('/customer/create')
  await labelled('Company name').fill('Nordlicht Doppelgänger GmbH')
  await choose(labelled('Country'), 'germ', 'Germany')
  await labelled('VAT number').fill('de 129 273 398')
  await save.click()
  await expect.element(alert).toMatchTextContent('This VAT is used by another customer')
  await expect.element(labelled('VAT number')).toHaveFocus()
  await expect.element(labelled('Company name')).toHaveValue('Nordlicht Doppelgänger GmbH')
  await labelled('VAT number').fill('DE 12')
  refuse('invalid_vat_number', 'This VAT number does not fit the country')
  await save.click()
  await expect.element(alert).toMatchTextContent('This VAT number does not fit the country')
  await labelled('VAT number').fill('')
  const made = customerOf({ id: 45, title: 'Nordlicht Doppelgänger GmbH', vatNumber: null, vatNumberShape: null })
  server.answer(customerApi.create, made)
  server.answer(customerApi.get, made)
  await save.click()
  await expect.element(page.getByText('was saved successfully')).toBeVisible()
  expect(server.calls(customerApi.create).map(({ body }) => body.vatNumber)).toEqual(['de 129 273 398', 'DE 12', null])
})

test('takes a customer out of the select boxes from the list, after asking, and back in', {
  tags: 'long',
}, async () => {
  const customer = keepCustomer(customerOf())
  const { title } = customer.now()
  const row = page.getByRole('row').filter({ hasText: title })
  await visit(`/customer?q=${title}`)
  await row.getByRole('button', { name: `Deactivate ${title}` }).click()
  await expect.element(dialog).toMatchTextContent('orders and invoices keep the customer')
  await expectAccessible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(customerApi.patch)).toEqual([])
  await row.getByRole('button', { name: `Deactivate ${title}` }).click()
  await expect.element(dialog).toBeVisible()
  await press('Enter')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(customer.now()).toMatchObject({ state: 'inactive', version: 2 })
  await visit(`/customer?q=${title}&state=inactive`)
  await row.getByRole('button', { name: `Activate ${title}` }).click()
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(customer.now()).toMatchObject({ state: 'active', version: 3 })
  expect(server.calls(customerApi.patch)).toMatchObject([
    { version: 1, body: { state: 'inactive' } },
    { version: 2, body: { state: 'active' } },
  ])
})

test('says that a customer is not offered any more, and still names it on its orders', { tags: 'long' }, async () => {
  answerOrderForm()
  await visit('/orders/create')
  const field = page.getByRole('combobox', { name: 'Customer', exact: true }).first()
  await field.click()
  await field.fill('Auslauf')
  await expect.element(page.getByText('Nothing found').first()).toBeVisible()
  expect(server.calls(customerApi.compact).map(({ query }) => query)).toContainEqual(
    expect.objectContaining({ q: 'Auslauf', state: 'active' }),
  )
  const customer = { id: 46, title: 'Auslauf Handels GmbH' }
  keepOrder(orderOf({ customerIds: [46], customers: [customer], billingCustomerId: 46, billingCustomer: customer }))
  await visit('/orders/7/edit')
  await expect.element(page.getByRole('link', { name: customer.title }).first()).toBeVisible()
})

test('takes what is typed of one of two hundred contact persons, and lets another go', { tags: 'long' }, async () => {
  const contactPersons = Array.from({ length: 200 }, (_, index) =>
    contactOf({ id: 1000 + index, fullName: `Person ${index + 1}`, email: `person${index + 1}@crowd.example` }),
  )
  const customer = keepCustomer(customerOf({ contactPersons }))
  await visit(`/customer/${customer.now().id}/edit?tab=contacts`)
  const name = labelled('Full name 150')
  await name.click()
  await press('End')
  await type('aeiouaeiouaeiouaeiou')
  await expect.element(name).toHaveValue('Person 150aeiouaeiouaeiouaeiou')
  await press('ArrowDown')
  await expect.element(labelled('Full name 151')).toHaveFocus()
  await page.getByRole('button', { name: 'Remove contact person 151' }).click()
  await save.click()
  await expect.poll(() => customer.now().version).toBe(2)
  const names = customer.now().contactPersons.map(({ fullName }) => fullName)
  expect(names).toHaveLength(199)
  expect(names.slice(149, 151)).toEqual(['Person 150aeiouaeiouaeiouaeiou', 'Person 152'])
})
