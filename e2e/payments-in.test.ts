import { expect, test } from './support/test.ts'

test('a part payment and a full one are booked on an invoice, and the open items follow', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const done = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const countryId = await idOf('countries', 'Germany')
  const customer = await done('POST', 'customers', { title: 'Vogelsang Verpackungen GmbH', countryId, city: 'Bremen' })
  const invoiceOf = async (customerPriceCents: number) => {
    const order = await done('POST', 'orders', {
      customerIds: [customer.id],
      departmentId: await idOf('departments', 'FTL West'),
      customerPriceCents,
      customerVatBp: 1900,
      cargo: [{ key: 'a', title: 'Goods' }],
      locations: ['loading', 'unloading'].map((kind, index) => ({
        kind,
        countryId,
        city: index === 0 ? 'Bremen' : 'Torgau',
        termin: { kind: 'fix', dateFrom: '2026-12-02' },
        cargoActions: [{ cargoKey: 'a', action: index === 0 ? 'PICK_UP' : 'DROP_OFF' }],
      })),
    })
    const draft = await done('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
    return done('POST', `invoices/${draft.id}/status`, { to: 'sent', version: draft.version })
  }
  const invoice = await invoiceOf(100_000)
  expect(invoice).toMatchObject({ status: 'sent', openCents: 119_000 })

  await signIn()
  await page.goto('/invoices/open-items')
  const row = page.getByRole('row', { name: /Vogelsang Verpackungen GmbH/ })
  await expect(row).toContainText('1,190.00')
  await expectAccessible(page)
  await shoot(page, 'open-items')

  // By the customer to its open invoices, and on to the one.
  await row.getByRole('link').click()
  await page.getByRole('link', { name: invoice.number, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(invoice.number)
  await expect(page.getByText('none yet')).toBeVisible()

  await page.keyboard.press('b')
  const amount = page.getByRole('textbox', { name: 'Amount €' })
  await expect(amount).toHaveValue('1,190.00')
  await expect(page.getByText('paid in full')).toBeVisible()
  await amount.fill('1000')
  await expect(page.getByText('190.00 stays open')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'payment-window')
  await page.getByRole('button', { name: /^Book 1,000.00/ }).click()
  await expect(page.getByText('1,000.00 of 1,190.00', { exact: false })).toBeVisible()
  expect(await done('GET', `invoices/${invoice.id}`)).toMatchObject({ status: 'sent', openCents: 19_000 })
  await shoot(page, 'invoice-part-paid')

  await page.getByRole('button', { name: 'Enter payment' }).click()
  await expect(amount).toHaveValue('190.00')
  await amount.fill('200')
  await expect(page.getByText('10.00 € onto the customer’s account')).toBeVisible()
  await amount.press('Enter')
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('On the customer’s account: 10.00 €')).toBeVisible()

  await page.goto('/invoices/open-items')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open items')
  await page.getByRole('textbox', { name: 'Find' }).fill('Vogelsang Verpackungen')
  await expect(page.getByText('Nothing in this list fits “Vogelsang Verpackungen”.')).toBeVisible()

  // The last one came back: reversed with its reason, and 190.00 are open again.
  await page.goto(`/invoices/${invoice.id}/edit`)
  await page.getByRole('button', { name: 'More for 190.00' }).click()
  await page.getByRole('menuitem', { name: 'Reverse' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Sent back by the bank')
  await page.getByRole('button', { name: 'Reverse', exact: true }).click()
  await expect(page.getByText('Sent back by the bank')).toBeVisible()
  expect(await done('GET', `invoices/${invoice.id}`)).toMatchObject({ status: 'sent', openCents: 19_000 })
  await page.goto('/invoices/open-items')
  await expect(row).toContainText('190.00')

  // Three cents are missing in the end: they are given up.
  await page.goto(`/invoices/${invoice.id}/edit`)
  await page.getByRole('button', { name: 'Enter payment' }).click()
  await amount.fill('189.97')
  await amount.press('Enter')
  await page.getByRole('button', { name: 'Write off 0.03 €' }).click()
  await expect(page.getByText(`0.03 € of ${invoice.number} is given up`)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Write off 0.03 €' }).click()
  await expect(page.getByText('Rest written off')).toBeVisible()
  expect(await done('GET', `invoices/${invoice.id}`)).toMatchObject({ status: 'paid', openCents: 0 })

  // What cannot be read is not said to be nothing.
  await page.route('**/api/open-items/**', (route) => route.abort('internetdisconnected'))
  await page.route('**/api/invoices/*/e-invoice', (route) => route.abort('internetdisconnected'))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByText(/0 customers|0\.00 €/)).toHaveCount(0)
  await page.goto(`/invoices/${invoice.id}/edit`)
  const panel = page.getByRole('region', { name: 'E-invoice' })
  await expect(panel.getByRole('button', { name: 'Try again' })).toBeVisible()
})
