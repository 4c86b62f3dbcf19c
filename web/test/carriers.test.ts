import { getNextAccountNumber } from '@waybill/contract/bookkeeping/bookkeeping'
import { carrierCompanyApi, confirmCarrierBankAccount, findCarrierLookalikes } from '@waybill/contract/carrier-company'
import { listEmailRefusals } from '@waybill/contract/email'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { bankAccountOf, carrierOf, driverOf, keepCarrier } from './records/carrier.ts'
import { GERMANY, POLAND, offerMasterData } from './records/master-data.ts'

const field = (name: string) => page.field(name)
const save = page.getByRole('button', { name: 'Save', exact: true })
const tabs = page.getByRole('navigation', { name: 'Parts of the form' })
const part = (name: string) => tabs.getByRole('button', { name }).click()
const dialog = page.getByRole('dialog')

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getNextAccountNumber, { number: 70_001 })
  server.answer(listEmailRefusals, { items: [] })
  server.answer(findCarrierLookalikes, { vatNumberShape: 'fits', items: [] })
})

const chooseCountry = async (typed: string, name: string) => {
  await field('countryId').fill(typed)
  await page.getByRole('option', { name }).click()
}

test('makes a carrier of all its parts, and names what is wrong in one that is not open', {
  tags: 'long',
}, async () => {
  keepCarrier(carrierOf())
  await visit('/carrier-companies')
  await page.getByRole('link', { name: 'New carrier' }).first().click()
  await part('Documents')
  await expect.element(page.getByText('Save the changes first to enable file upload')).toBeVisible()
  await part('General')
  await field('title').fill('Spedition Ostwind GmbH')
  await field('vatNumber').fill('DE 136 695 976')
  await field('timocomId').fill('123456')
  await field('city').fill('Rostock')
  await chooseCountry('German', 'Germany')
  await field('billingAddress.emails').fill('rechnung@ostwind.example, nobody')
  await field('representative.fullName').fill('Jörg Ostwind')
  await page.getByRole('button', { name: 'Add bank account' }).click()
  await field('bankAccounts.0.iban').fill('DE89 3704 0044 0532 0130 01')
  await part('Vehicle types')
  await page.css('[data-path="vehicleTypeIds"] input').click()
  await page.getByRole('option', { name: 'Curtainsider' }).click()
  await press('Escape')

  await save.first().click()
  await expect.element(page.getByRole('alert').getByText('This is not a valid IBAN')).toBeVisible()
  await expect.element(page.getByRole('alert').getByText('Invalid email format')).toBeVisible()
  expect(server.calls(carrierCompanyApi.create)).toEqual([])
  await field('billingAddress.emails').fill('rechnung@ostwind.example')
  await field('bankAccounts.0.iban').fill('DE89 3704 0044 0532 0130 00')
  const made = carrierOf({
    id: 52,
    title: 'Spedition Ostwind GmbH',
    vatNumber: 'DE136695976',
    countryId: GERMANY.id,
    country: GERMANY,
    bankAccounts: [bankAccountOf()],
  })
  server.answer(carrierCompanyApi.create, made)
  server.answer(carrierCompanyApi.get, made)
  await save.first().click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Spedition Ostwind GmbH' })).toBeVisible()
  await expect.element(page.getByText('by someone else')).toBeVisible()
  await expectAccessible()
  expect(server.calls(carrierCompanyApi.create)).toMatchObject([
    {
      body: {
        title: 'Spedition Ostwind GmbH',
        vatNumber: 'DE 136 695 976',
        timocomId: '123456',
        city: 'Rostock',
        countryId: GERMANY.id,
        billingAddress: { emails: ['rechnung@ostwind.example'] },
        representative: { fullName: 'Jörg Ostwind' },
        bankAccounts: [{ iban: 'DE89370400440532013000' }],
        vehicleTypeIds: [81],
      },
    },
  ])
})

test('lets a second person confirm an account, and then names who did', async () => {
  signIn({ id: 2, fullName: 'Person', permissions: ['CARRIER_MANAGEMENT'] })
  const carrier = carrierOf({ version: 4, bankAccounts: [bankAccountOf()] })
  keepCarrier(carrier)
  const account = bankAccountOf({
    confirmedById: 2,
    confirmedBy: { id: 2, title: 'Person' },
    confirmedAt: '2026-11-24T09:00:00Z',
  })
  server.answer(confirmCarrierBankAccount, { ...carrier, version: 5, bankAccounts: [account] })
  await visit('/carrier-companies/51/edit')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect
    .element(page.getByRole('table', { name: 'Bank accounts' }).getByRole('cell', { name: 'Person' }))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Confirm', exact: true })).not.toBeInTheDocument()
  expect(server.calls(confirmCarrierBankAccount)).toMatchObject([
    { params: { id: 51, bankAccountId: 551 }, version: 4 },
  ])
})

test('a VAT number of another carrier is refused in the words of the specification', { tags: 'long' }, async () => {
  const message = 'This VAT is used by another carrier'
  server.answer(
    carrierCompanyApi.create,
    refusal('validation', { errors: [{ path: 'vatNumber', code: 'carrier_vat_number_taken', message }] }),
  )
  await visit('/carrier-companies/create')
  await field('title').fill('Another one')
  await field('vatNumber').fill('PL 783-181 26.92')
  await chooseCountry('Poland', 'Poland')
  await save.first().click()
  await expect.element(page.getByText(message).first()).toBeVisible()
  await expect.element(field('vatNumber')).toHaveFocus()
  expect(server.calls(carrierCompanyApi.create)).toMatchObject([
    { body: { title: 'Another one', vatNumber: 'PL 783-181 26.92', countryId: POLAND.id } },
  ])
})

test('writes a list of drivers by keyboard alone', { tags: 'long' }, async () => {
  const carrier = keepCarrier(carrierOf())
  await visit('/carrier-companies/51/edit?tab=drivers')
  const add = page.getByRole('button', { name: 'Add driver' })
  await expect.element(add).toBeVisible()
  ;(add.element() as HTMLElement).focus()
  await press('Enter')
  await expect.element(field('drivers.1.fullName')).toHaveFocus()
  await type('Piotr Nowak')
  await press('Tab')
  await type('+48 601 555 393')
  await press('Tab', 'Tab')
  await type('PO 2B345')
  await press('Control+Enter')
  await expect.element(field('drivers.2.fullName')).toHaveFocus()
  await type('Jan Kowal')
  await press('ArrowUp')
  await expect.element(field('drivers.1.fullName')).toHaveFocus()
  // A new line that nobody typed into is no line.
  await press('Control+Enter')
  await expect.element(field('drivers.3.fullName')).toHaveValue('Jan Kowal')
  await expectAccessible()
  await press('Control+s')
  await expect.element(page.getByText('was saved successfully')).toBeVisible()
  expect(carrier.now().drivers.map(({ fullName, plateNumber }) => [fullName, plateNumber])).toEqual([
    ['Marek Zieliński', 'PO 1A234'],
    ['Piotr Nowak', 'PO 2B345'],
    ['Jan Kowal', null],
  ])
})

test('writes down whom one calls by keys, and stays in the list where a line goes', async () => {
  keepCarrier(carrierOf())
  await visit('/carrier-companies/51/edit')
  const add = page.getByRole('button', { name: 'Add contact person' })
  for (const [place, words] of [
    ['Beata Lis', 'Disposition'],
    ['Jan Krasny', 'Buchhaltung'],
    ['Ewa Sroka', 'Leitung'],
  ].entries()) {
    await add.click()
    await expect.element(field(`contactPersons.${place}.fullName`)).toHaveFocus()
    await type(words[0]!)
    await press('Tab')
    await type(words[1]!)
    await expect.element(field(`contactPersons.${place}.position`)).toHaveValue(words[1]!)
  }
  await page.getByRole('button', { name: 'Remove: Contact person 3' }).click()
  await expect.element(field('contactPersons.1.fullName')).toHaveFocus()
  await page.getByRole('button', { name: 'Remove: Contact person 2' }).click()
  await expect.element(field('contactPersons.0.fullName')).toHaveFocus()
  await page.getByRole('button', { name: 'Remove: Contact person 1' }).click()
  await expect.element(add).toHaveFocus()
})

test('takes a carrier out of the select boxes from the list, after asking, and back in', { tags: 'long' }, async () => {
  const carrier = keepCarrier(carrierOf())
  const { title } = carrier.now()
  const row = page.getByRole('row').filter({ hasText: title })
  await visit(`/carrier-companies?q=${title}`)
  await row.getByRole('button', { name: `Deactivate ${title}` }).click()
  await expect.element(dialog).toMatchTextContent('leaves the select boxes')
  expect(server.calls(carrierCompanyApi.patch)).toEqual([])
  await press('Enter')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(carrier.now().state).toBe('inactive')
  await visit(`/carrier-companies?q=${title}&state=inactive`)
  await row.getByRole('button', { name: `Activate ${title}` }).click()
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(carrier.now().state).toBe('active')
})

test('takes what is typed into one of two hundred drivers, and lets another go', { tags: 'long' }, async () => {
  const drivers = Array.from({ length: 200 }, (_, index) =>
    driverOf({ id: 1000 + index, fullName: `Driver ${index + 1}`, plateNumber: `PO ${index + 1}A` }),
  )
  const carrier = keepCarrier(carrierOf({ drivers }))
  await visit('/carrier-companies/51/edit?tab=drivers')
  const name = field('drivers.149.fullName')
  await name.click()
  await press('End')
  await type('aeiouaeiouaeiouaeiou')
  await expect.element(name).toHaveValue('Driver 150aeiouaeiouaeiouaeiou')
  await page.getByRole('button', { name: 'Remove: Driver 151' }).click()
  await save.first().click()
  await expect.poll(() => carrier.now().version).toBeGreaterThan(1)
  expect(carrier.now().drivers).toHaveLength(199)
  expect(
    carrier
      .now()
      .drivers.slice(149, 151)
      .map(({ fullName }) => fullName),
  ).toEqual(['Driver 150aeiouaeiouaeiouaeiou', 'Driver 152'])
})
