import { giveCarrierPapers } from './support/carrier-papers.ts'
import { dayFromToday } from './support/days.ts'
import { expect, test } from './support/test.ts'

const MOVES = ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed']

test('bills a month: two customers are sent, one is named with what hinders it and mended', async ({
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
  // A company of its own: what other journeys complete is not in its month.
  const title = 'Weserland Spedition GmbH'
  const germany = await idOf('countries', 'Germany')
  const company = await done('POST', 'companies', {
    title,
    code: 'WESER',
    timeZone: 'Europe/Berlin',
    invoiceNumberPattern: 'W-{YYYY}-{NNNN}',
    countryId: germany,
    address: 'Kai 1',
    postal: '28195',
    city: 'Bremen',
  })
  const department = await done('POST', 'departments', {
    abbreviation: 'WES',
    companyId: company.id,
    countryId: germany,
  })
  const carrier = await done('POST', 'carrier-companies', { title: 'Weser Trans GmbH', countryId: germany })
  await giveCarrierPapers(waybill, carrier.id)
  const customer = async (name: string, more: object) =>
    (
      await done('POST', 'customers', {
        title: name,
        countryId: germany,
        address: 'Ring 1',
        postal: '20457',
        city: 'Hamburg',
        paymentOption: 'end_of_period',
        ...more,
      })
    ).id as number
  const completed = async (customerId: number, more: object = {}) => {
    const stop = (key: string, city: string, action: string, dateFrom: string) => ({
      key,
      kind: action === 'PICK_UP' ? 'loading' : 'unloading',
      termin: { kind: 'fix', dateFrom },
      countryId: germany,
      city,
      cargoActions: [{ cargoKey: 'c', action }],
    })
    let order = await done('POST', 'orders', {
      customerIds: [customerId],
      departmentId: department.id,
      customerPriceCents: 64_000,
      cargo: [{ key: 'c', title: 'Pallets', quantity: 4 }],
      locations: [
        stop('from', 'Hamburg', 'PICK_UP', dayFromToday(-4)),
        stop('to', 'Kassel', 'DROP_OFF', dayFromToday(-3)),
      ],
      routes: [{ assignment: { carrierCompanyId: carrier.id, costCents: 50_000 }, locationKeys: ['from', 'to'] }],
      ...more,
    })
    for (const to of MOVES) {
      const body = { to, at: new Date().toISOString(), podWaiverReason: 'waived', version: order.version }
      order = await done('POST', `orders/${order.id}/status`, body)
    }
    return order
  }
  const brandis = await customer('Stahlhandel Brandis AG', { invoiceEmail: 'rechnung@brandis.example' })
  const alster = await customer('Alster Papier GmbH', { invoiceEmail: 'rechnung@alster.example' })
  const silent = await customer('Glashütte ohne Adresse GmbH', {})
  await completed(brandis, { customerOrderNumber: 'SB-20418' })
  await completed(brandis, { customerOrderNumber: 'SB-20431' })
  const unpriced = await completed(brandis, { customerPriceCents: null })
  await completed(alster)
  await completed(silent)

  await signIn()
  await page.goto(`/invoices/month-end?company=${company.id}&until=${dayFromToday(31)}`)
  const list = page.getByRole('region', { name: 'Customers' })
  await expect(list.getByRole('button', { name: /Stahlhandel Brandis AG/ })).toContainText('2 of 3')
  await list.getByRole('button', { name: /Stahlhandel Brandis AG/ }).click()
  const detail = page.getByRole('region', { name: 'Stahlhandel Brandis AG' })
  await expect(detail.getByRole('listitem').filter({ hasText: unpriced.number })).toContainText('no price')
  await expect(detail).toContainText('rechnung@brandis.example')
  await expect(page.getByText('2,560.00 €')).toBeVisible()
  await expect(page.getByText('1 hindered')).toBeVisible()
  await expect(list.getByRole('button', { name: /Hinders sending.*Glashütte/ })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'month-end')

  await page.keyboard.press('v')
  await expect(page).toHaveURL(/view=paper/)
  await page.keyboard.press('v')
  await page.getByRole('button', { name: 'Send 3 invoices' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2,560.00 € net')
  await expect(dialog).toContainText('1 customer is hindered')
  await dialog.getByRole('button', { name: 'Send now' }).click()

  await expect(page.getByText('2 sent')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('1 not sent')).toBeVisible()
  await expect(list.getByRole('button', { name: /Stahlhandel Brandis AG/ })).toContainText(/W-\d{4}-0002/)
  await expect(page.getByRole('alert')).toContainText('Please enter a recipient address')
  await expectAccessible(page)
  await shoot(page, 'month-end-done')

  // Tried again before it is mended: the window says what hinders it, and sends nothing.
  await page.getByRole('button', { name: 'Try 1 again' }).click()
  await expect(dialog).toContainText('Nothing can be sent yet')
  await expect(dialog).toContainText('Not sent: No address for invoices is known')
  await expect(dialog.getByRole('button', { name: 'Send now' })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'month-end-hindered')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // Mended: in the proposal it alone is ticked, and the window of the run says what is sent before it is.
  const { version } = await done('GET', `customers/${silent}`)
  await done('PATCH', `customers/${silent}`, { invoiceEmail: 'rechnung@glas.example', version })
  await page.getByRole('button', { name: 'Look at 1 again' }).click()
  await expect(page.getByRole('button', { name: 'Send 1 invoice' })).toBeEnabled()
  await page.getByRole('button', { name: /last run/i }).click()
  await page.getByRole('button', { name: 'Try 1 again' }).click()
  await expect(dialog).toContainText('Send an invoice to 1 customer again?')
  await expect(dialog.getByRole('listitem')).toContainText(['Glashütte ohne Adresse GmbH'])
  await expect(dialog).toContainText('640.00 € net')
  await expectAccessible(page)
  await shoot(page, 'month-end-again')
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('1 sent')).toBeVisible({ timeout: 30_000 })
  await expect(list.getByRole('button', { name: /Glashütte/ })).toContainText(/W-\d{4}-0003/)
})
