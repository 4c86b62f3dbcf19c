import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const cell = (page: Page, name: string) => page.locator(`[name="${name}"]`)

test('leads into a new line of an invoice, so that what is typed next stands in it', { tag: '@long' }, async ({
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
