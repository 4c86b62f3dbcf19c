import { expect, test } from './support/test.ts'

test('a reason that is refused stays with its invoice, and what is not saved makes no document', {
  tag: '@long',
}, async ({ page, waybill: { api, idOf }, partners, signIn, expectAccessible }) => {
  const departmentId = await idOf('departments', 'FTL West')
  const order = await api('POST', 'orders', {
    customerIds: [partners.nordlichtHolding],
    departmentId,
    customerPriceCents: 50_000,
  })
  const { body: draft } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.body.id] })
  await signIn()
  await page.goto(`/invoices/${draft.id}/edit`)
  const notes = page.locator('[name="notes"]')
  await notes.fill('Ramp 4')
  await expect(page.getByText('Please save the invoice before generating the document')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open', exact: true })).toBeDisabled()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('The invoice was saved successfully')).toBeVisible()
  await expect(page.getByText('Please save the invoice before generating the document')).toHaveCount(0)

  const dialog = page.getByRole('dialog')
  const reason = dialog.getByLabel('Reason')
  const ask = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Cancel the draft' }).click()
  }
  await ask()
  await reason.fill('The customer wants one bill for the month')
  await expectAccessible(page)
  // Somebody else is faster: said in the window, which keeps the words.
  const { body: now } = await api('GET', `invoices/${draft.id}`)
  const changed = await api('PATCH', `invoices/${draft.id}`, { version: now.version, notes: 'Ramp 5' })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  await dialog.getByRole('button', { name: 'Cancel the draft' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Someone else has changed')
  await expect(reason).toHaveValue('The customer wants one bill for the month')
  await reason.pressSequentially(', as agreed')
  await page.reload()
  await ask()
  await expect(reason).toHaveValue('The customer wants one bill for the month, as agreed')
  await dialog.getByRole('button', { name: 'Cancel the draft' }).click()
  await expect(dialog).toBeHidden()
  const { body: canceled } = await api('GET', `invoices/${draft.id}`)
  expect(canceled).toMatchObject({ status: 'canceled', notes: 'Ramp 5' })
})
