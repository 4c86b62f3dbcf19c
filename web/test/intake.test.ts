import { fileIntakeMail } from '@waybill/contract/intake/intake'
import { saveMailDraft, saveSecondOrder } from '@waybill/contract/order/intake/mail-draft'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { draftOf, keepMail, mailOf } from './records/intake.ts'
import { offerMasterData } from './records/master-data.ts'
import { keepOrder } from './records/order-screens.ts'
import { orderOf } from './records/order.ts'

const pane = page.getByRole('complementary', { name: 'The customer’s mail' })

const saveButton = page.getByRole('button', { name: 'Save order' })
const orderKnown = (current: unknown) =>
  refusal('conflict', {
    errors: [{ path: 'customerOrderNumber', code: 'order_known', message: 'The customer has placed it already' }],
    current,
  })

beforeEach(() => {
  signIn()
  offerMasterData()
})

test('says when the same words came in before, and which order they became', async () => {
  const before = { id: 3, receivedAt: '2026-11-20T08:10:00Z', orders: [{ id: 81, title: '26-01758' }] }
  keepMail(mailOf({ sameText: before }))
  await visit('/intake/7')
  await expect.element(pane).toMatchTextContent('The same words came in before: 20 Nov')
  await expect.element(pane.getByRole('link', { name: '26-01758' })).toHaveAttribute('href', '/orders/81/edit')
})

test('goes on where the number turns out to be known when it is saved', async () => {
  keepMail(mailOf(), { drafts: [draftOf({ values: { customerOrderNumber: null } })] })
  server.answer(saveMailDraft, orderKnown({ order: { id: 81, title: '26-01758' }, createdAt: '2026-11-20T08:10:00Z' }))
  await visit('/intake/7')
  await page.field('customerOrderNumber').fill('4711')
  await saveButton.click()
  await expect.element(page.getByText('The customer has placed 4711 already.')).toBeVisible()
  await expect.element(page.getByText('It is 26-01758 of')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'File the mail with 26-01758' })).toBeEnabled()
  await expect.element(saveButton).toBeDisabled()
  // Another number is no longer that order's.
  await page.field('customerOrderNumber').fill('4712')
  await expect.element(page.getByText('has placed')).not.toBeInTheDocument()
  await expect.element(saveButton).toBeEnabled()
  await page.field('customerOrderNumber').fill('4711')

  const saved = orderOf({ id: 82 })
  keepOrder(saved)
  server.answer(saveSecondOrder, saved)
  await page.getByRole('button', { name: 'A new order, same number' }).click()
  await press('Control+Enter')
  await expect.poll(() => location.pathname).toBe('/orders/82/edit')
  expect(server.calls(saveSecondOrder).map(({ body }) => body.customerOrderNumber)).toEqual(['4711'])
  expect(server.calls(fileIntakeMail)).toEqual([])
})

test('goes on where the order of that number is one that the person may not see', async () => {
  keepMail(mailOf())
  server.answer(saveMailDraft, orderKnown(null))
  await visit('/intake/7')
  await saveButton.click()
  await expect.element(page.getByText('It is an order of a colleague that you may not see.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^File the mail with/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'A new order, same number' })).toBeEnabled()
})
