// An invoice is corrected in part and then in full; both documents name each other (decision 084).
import type { Page } from '@playwright/test'
import { textOf } from './support/pdf.ts'
import { expect, test } from './support/test.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

test('takes two hours of waiting back, and then the rest', { tag: '@long' }, async ({
  page,
  partners,
  expectAccessible,
  shoot,
  signIn,
  waybill,
}) => {
  const { api, idOf } = waybill
  const line = { vatBp: 1900, vatCategory: 'S' }
  const { body: draft } = await api('POST', 'invoices', {
    entityType: 'customer',
    companyId: await idOf('companies', 'Waybill Spedition GmbH'),
    billingCustomerId: partners.nordlicht,
    lines: [
      { ...line, text: 'Transport 26-04277, Bremen (DE) – Wrocław (PL)', unitPriceCents: 124_000 },
      { ...line, text: 'Wartezeit Wrocław (Stunden)', quantity: 2, unitPriceCents: 4500 },
      { ...line, text: 'Hebebühne', unitPriceCents: 6000 },
    ],
  })
  const { body: invoice } = await api('POST', `invoices/${draft.id as number}/status`, {
    to: 'sent',
    version: draft.version,
  })
  const paper = textOf(await waybill.file(`invoices/${invoice.id as number}/document`))
  await signIn()
  await page.goto(`/invoices/${invoice.id as number}/edit`)
  await page.getByRole('button', { name: 'Correct …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write a correction' })
  await dialog.getByRole('button', { name: 'Write a correction' }).click()
  await expect(dialog.getByText('A reason is needed')).toBeVisible()
  await dialog.getByRole('radio', { name: /^Partial/ }).check()
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Not agreed' }).click()
  await expect(field(page, 'reason')).toHaveValue('Die Leistung war nicht vereinbart.')
  await field(page, 'reason').fill('Wartezeit war nicht vereinbart.')
  // What was typed and not confirmed is there again.
  await page.reload()
  await page.getByRole('button', { name: 'Correct …' }).click()
  await expect(field(page, 'reason')).toHaveValue('Wartezeit war nicht vereinbart.')
  await expect(dialog.getByRole('radio', { name: /^Partial/ })).toBeChecked()
  await shoot(page, 'correction-window')
  await dialog.getByRole('button', { name: 'Write a correction' }).click()

  await expect(page.getByRole('heading', { name: `Correction of ${invoice.number as string}` })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Partial/ })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Correct line 2' }).check()
  await page.getByRole('textbox', { name: 'Quantity now, line 2' }).fill('0')
  const sums = page.getByRole('row', { name: /^Total/ })
  await expect(sums).toContainText('1,654.10')
  await expect(sums).toContainText('1,547.00')
  await expect(sums).toContainText(/[-−]107\.10/)
  await expect(page.getByText('1,547.00 € are owed in all')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Draft was saved').or(page.getByText(/saved/i)).first()).toBeVisible()
  // Its PDF is drawn anew; until it is there the page changes under what looks at it.
  await expect(page.getByRole('complementary').getByRole('button', { name: 'Open', exact: true })).toBeEnabled()
  await expectAccessible(page)
  await shoot(page, 'correction-partial')

  await page.getByRole('button', { name: 'Send …' }).click()
  await page.waitForURL(/\/edit\/invoice_correction$/)
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await page.waitForURL(/\/edit$/)
  const { body: now } = await api('GET', `invoices/${invoice.id as number}`)
  expect(now).toMatchObject({ status: 'sent', totalCents: 165_410, openCents: 154_700 })
  const { body: correction } = await api('GET', `invoices/${now.corrections[0].id as number}`)
  const said = textOf(await waybill.file(`invoices/${correction.id as number}/document`))
  for (const part of ['Rechnungskorrektur', invoice.number as string, 'Wartezeit war nicht vereinbart.'])
    expect(said).toContain(part)
  expect(textOf(await waybill.file(`invoices/${invoice.id as number}/document`))).toBe(paper)

  const chain = page.getByRole('region', { name: 'Documents of this sale' })
  await chain.getByRole('link', { name: invoice.number as string }).click()
  await expect(page.getByRole('heading', { name: invoice.number as string })).toBeVisible()
  await expect(chain.getByRole('listitem')).toHaveCount(3)
  await expect(chain.getByRole('listitem').last()).toContainText('1,547.00 €')
  await expectAccessible(page)
  await shoot(page, 'correction-sale')

  // The rest, in full: the invoice is canceled.
  await chain.getByRole('button', { name: 'Correct …' }).click()
  await field(page, 'reason').fill('Falscher Empfänger')
  await dialog.getByRole('button', { name: 'Write a correction' }).click()
  await expect(page.getByRole('radio', { name: /^Full/ })).toBeChecked()
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText(/0\.00.*[-−]1,547\.00/)
  await page.getByRole('button', { name: 'Send …' }).click()
  await page.waitForURL(/\/edit\/invoice_correction$/)
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await page.waitForURL(/\/edit$/)
  await expect(chain.getByRole('listitem').last()).toContainText('0.00 €')
  expect((await api('GET', `invoices/${invoice.id as number}`)).body).toMatchObject({
    status: 'canceled',
    openCents: 0,
  })
})
