import { countryApi } from '@waybill/contract/country'
import { customerApi, getCustomerForOrder } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import { orderApi } from '@waybill/contract/order/order'
import { userApi } from '@waybill/contract/user'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { answerOrderEntry } from './records/customer.ts'
import { departmentOf } from './records/department.ts'
import { FABRYKA, NORDLICHT, NORDLICHT_HOLDING, offerMasterData, POLAND, ZACHARIAS } from './records/master-data.ts'

const customer = page.field('customerIds')
const department = page.getByRole('combobox', { name: 'Department' })

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderEntry()
})

const openNewOrder = async () => {
  await visit('/orders/create')
  await expect.element(customer).toHaveFocus()
}
const isMarked = async (name: RegExp) =>
  await expect.element(page.getByRole('option', { name }).first()).toHaveAttribute('data-combobox-selected', 'true')

test('takes what fits first when Tab or Enter comes before the options, and sends nothing off', {
  tags: 'long',
}, async () => {
  const managers = page.css('[data-path="managerIds"]')
  await openNewOrder()
  await page.getByRole('button', { name: 'More: customers, managers' }).click()
  await expect.element(managers).toBeVisible()
  customer.element().focus()
  const [letCustomers, letDepartments, letUsers] = [
    server.holdBack(customerApi.compact),
    server.holdBack(departmentApi.compact),
    server.holdBack(userApi.compact),
  ]

  await type('nordlicht masch')
  await press('Tab')
  await expect.element(customer).not.toHaveFocus()
  await expect.element(customer).toHaveValue('nordlicht masch')
  department.element().focus()
  await type('ftl we')
  await press('Enter')
  managers.getByRole('combobox').element().focus()
  await type('zacharias')
  await press('Tab')
  await expect.element(managers).toMatchTextContent('zacharias')

  letDepartments()
  await expect.element(department).toHaveValue('FTL West')
  letCustomers()
  await expect.element(customer).toHaveValue(NORDLICHT.title)
  letUsers()
  await expect.element(managers).toMatchTextContent(ZACHARIAS.title)
  expect(server.calls(orderApi.create)).toEqual([])
})

test('takes what fits first where it was asked for before Tab, too', { tags: 'long' }, async () => {
  await openNewOrder()
  const letCustomers = server.holdBack(customerApi.compact)
  const isAsked = server.next(customerApi.compact, ({ query }) => query.q?.startsWith('nordlicht') === true)
  await type('nordlicht masch')
  await isAsked
  await press('Tab')
  // A pause as long as that after which the field forgets what it asked.
  const isOver = server.next(departmentApi.compact, ({ query }) => query.q?.startsWith('ftl') === true)
  department.element().focus()
  await type('ftl we')
  await isOver
  letCustomers()
  await expect.element(customer).toHaveValue(NORDLICHT.title)
})

test('saves only once the choices are taken that were made in a hurry', async () => {
  const country = page.getByRole('combobox', { name: 'Country' })
  const saved = departmentOf({ id: 33, abbreviation: 'FTL Hurry', countryId: POLAND.id, country: POLAND })
  server.answer(departmentApi.create, saved)
  server.answer(departmentApi.get, saved)
  await visit('/departments/create')
  await page.getByRole('textbox', { name: 'Abbreviation' }).fill('FTL Hurry')
  await page.getByRole('combobox', { name: 'Company' }).fill('waybill')
  await isMarked(/^Waybill/)
  await press('Tab')
  const letCountries = server.holdBack(countryApi.compact)
  const isSaved = server.next(departmentApi.create)
  country.element().focus()
  await type('poland')
  await press('Enter', 'Control+s')
  letCountries()
  expect((await isSaved).body).toMatchObject({ abbreviation: 'FTL Hurry', countryId: POLAND.id })
  await expect.poll(() => location.pathname).toBe('/departments/33/edit')
  await expect.element(country).toHaveValue('Poland')
})

test('says what was typed where the options cannot be had', { tags: 'long' }, async () => {
  await openNewOrder()
  server.setOffline(true)
  await type('nordlicht masch')
  await press('Tab')
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'nordlicht masch' }))
    .toMatchTextContent('The server cannot be reached')
  await expect.element(customer).toHaveValue('')
})

test('forgets a name that nothing has, and one that is typed over while its options are awaited', {
  tags: 'long',
}, async () => {
  await openNewOrder()
  await type('nobody is called this')
  await press('Tab')
  await expect.element(customer).toHaveValue('')
  const letCustomers = server.holdBack(customerApi.compact)
  customer.element().focus()
  await type('nordlicht masch')
  await press('Enter', 'Control+a')
  await type('fabryka')
  letCustomers()
  await isMarked(/Fabryka/)
  await press('Enter')
  await expect.element(customer).toHaveValue(FABRYKA.title)
})

test('a window that opens leaves a person who is already in its next field there', async () => {
  const typing = page.getByRole('dialog').css('input:focus, textarea:focus')
  await openNewOrder()
  page.field('locations.0.companyTitle').element().focus()
  await press('Alt+Enter')
  await expect.element(typing).toHaveAttribute('name', 'locations.0.reference')
  // What the frame of the window asks for is done again when somebody asks for it again.
  await press('Tab')
  page.getByRole('dialog').css('[data-autofocus]').first().element().focus()
  await expect.element(typing).toHaveAttribute('name', 'locations.0.phone')
})

test('keeps the billing customer that was chosen before the customer’s own data came', { tags: 'long' }, async () => {
  await openNewOrder()
  const letData = server.holdBack(getCustomerForOrder)
  const choose = async (name: string, typed: string, title: string) => {
    await page.field(name).fill(typed)
    await page.getByRole('option', { name: title, exact: true }).click()
    await expect.element(page.field(name)).toHaveValue(title)
  }
  await choose('customerIds', 'nordlicht masch', NORDLICHT.title)
  await choose('billingCustomerId', 'nordlicht hold', NORDLICHT_HOLDING.title)
  letData()
  await expect.element(page.getByRole('combobox', { name: 'Contact person' })).toHaveValue('Herr Jansen')
  await expect.element(page.field('billingCustomerId')).toHaveValue(NORDLICHT_HOLDING.title)
})
