import { getNextAccountNumber } from '@waybill/contract/bookkeeping/bookkeeping'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { answerOrderEntry } from './records/customer.ts'
import { offerMasterData } from './records/master-data.ts'

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderEntry()
  server.answer(getNextAccountNumber, { number: 10_000 })
})

test('says on leaving a field that its text cannot be one, and no longer once it can', async () => {
  await visit('/customer/create?tab=payment')
  const mail = page.field('invoiceEmail')
  await mail.fill('accounts at hamburg')
  await expect.element(page.getByText('Invalid email format')).not.toBeInTheDocument()
  await press('Tab')
  await expect.element(mail).toHaveAttribute('aria-invalid', 'true')
  await mail.fill('accounts@hamburg.example')
  await expect.element(mail).not.toHaveAttribute('aria-invalid', 'true')
  await press('Tab')
  await expect.element(mail).not.toHaveAttribute('aria-invalid', 'true')
})

test('keeps what is wrong in sight, with its parts, and in no message that covers the page', async () => {
  await visit('/customer/create?tab=contacts')
  for (let row = 0; row < 15; row += 1) {
    await page.getByRole('button', { name: 'Add a contact person' }).click()
    await page.field(`contactPersons.${row}.email`).fill('nobody')
  }
  await press('Control+s')
  const summary = page.getByRole('alert').filter({ hasText: 'Validation Error' })
  await expect.element(summary).toMatchTextContent('Not saved yet: check 32 entries')
  expect(summary.elements()).toHaveLength(1)
  await page.field('contactPersons.14.fullName').wheel({ delta: { y: 4000 } })
  await expect.element(page.field('contactPersons.14.fullName')).toBeInViewport()
  await expect.element(summary).toBeInViewport()
  await expect.element(page.getByRole('button', { name: /^General/ })).toBeInViewport()
})

test('leads a new order to the first that is wrong as the page is read, and says at a cell what is wrong', {
  tags: 'long',
}, async () => {
  const customer = page.field('customerIds')
  const termin = page.field('locations.0.termin')
  const weight = page.field('cargo.0.weightKg')
  await visit('/orders/create')
  await page.getByRole('combobox', { name: 'Department' }).fill('')
  await press('Tab', 'Control+s')
  await expect.element(customer).toHaveFocus()

  await customer.fill('fabryka meb')
  await page.getByRole('option', { name: /^Fabryka Mebli Łódź S.A./ }).click()
  // Rows without a word were taken out before the save.
  await page.getByRole('button', { name: 'Add stop' }).click()
  await page.getByRole('button', { name: 'Add line' }).click()
  await termin.fill('some day')
  await weight.fill('much')
  await press('Control+s')
  await expect.element(termin).toHaveAccessibleDescription(/not|understood|date/i)
  await expect.element(weight).toHaveAccessibleDescription('The value has the wrong type')
  weight.element().focus()
  await expect.element(page.getByText('The value has the wrong type').last()).toBeVisible()
})
