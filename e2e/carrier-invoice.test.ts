import type { Page } from '@playwright/test'
import type { Partners } from './support/partners.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

/** An order with a route of the carrier for each cost, in euros. */
async function orderWith({ api, idOf }: Waybill, partners: Partners, costs: number[], days: number | null = null) {
  const germany = await idOf('countries', 'Germany')
  const stop = (key: string, kind: 'loading' | 'unloading', city: string, day: string, cargoKey: string) => ({
    key,
    kind,
    termin: { kind: 'fix', dateFrom: day, timeFrom: '08:00' },
    countryId: germany,
    city,
    cargoActions: [{ cargoKey, action: kind === 'loading' ? 'PICK_UP' : 'DROP_OFF' }],
  })
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    cargo: costs.map((_, leg) => ({ key: `c${leg}`, title: 'Maschinenteile', quantity: 1 })),
    locations: costs.flatMap((_, leg) => [
      stop(`from${leg}`, 'loading', 'Hamburg', '2026-11-16', `c${leg}`),
      stop(`to${leg}`, 'unloading', ['Kassel', 'Fulda'][leg]!, '2026-11-17', `c${leg}`),
    ]),
    routes: costs.map((cost, leg) => ({
      locationKeys: [`from${leg}`, `to${leg}`],
      assignment: {
        carrierCompanyId: partners.transwarta,
        plateNumber: `PO 1A23${leg}`,
        costCents: cost * 100,
        vatBp: 0,
        paymentPeriodDays: days,
      },
    })),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; number: string }
}

test('one invoice of a carrier for three routes of two orders, shared out, seen on both orders', {
  tag: '@long',
}, async ({ page, partners, signIn, waybill, shoot, expectAccessible }) => {
  const { api } = waybill
  const first = await orderWith(waybill, partners, [600, 400], 45)
  const second = await orderWith(waybill, partners, [500])
  const used = await api('POST', 'invoices', {
    entityType: 'carrier',
    carrierCompanyId: partners.transwarta,
    number: 'FV 7/11/2026',
    amountCents: 100,
  })
  expect(used.status, JSON.stringify(used.body)).toBe(201)
  await signIn()

  // From the order, with its routes taken.
  const openInvoices = async (order: { id: number }) => {
    await page.goto(`/orders/${order.id}/edit`)
    await page.getByRole('link', { name: /Invoices from carriers/ }).click()
  }
  await openInvoices(first)
  await page.getByRole('button', { name: 'Enter invoice' }).click()
  await expect(page).toHaveURL(/\/invoices\/create/)
  const share = (route: string) => page.getByLabel(`Share of ${route}, net`)
  await expect(share(`${first.number}/1`)).toHaveValue('600.00')
  await expect(share(`${first.number}/2`)).toHaveValue('400.00')
  await expect(field(page, 'amountCents')).toHaveValue('1,000.00')
  await expect(field(page, 'totalCents')).toHaveValue('1,000.00')

  // The third is found by its order and taken by the keyboard; the same key puts it back.
  const search = page.getByRole('combobox', { name: 'Add routes' })
  await search.fill(second.number)
  const option = page.getByRole('option', { name: `${second.number}/1` })
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(option).toContainText('DE Hamburg → DE Kassel')
  await search.press('Enter')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await search.press('Enter')
  await expect(share(`${second.number}/1`)).toHaveCount(0)
  await search.press('Enter')
  await expect(share(`${second.number}/1`)).toHaveValue('500.00')
  await expect(field(page, 'amountCents')).toHaveValue('1,500.00')
  await expectAccessible(page)
  await shoot(page, 'carrier-invoice-routes')

  // A number that was used is told when its field is left, and again at saving.
  await field(page, 'number').fill('fv-7/11 2026')
  await field(page, 'number').press('Tab')
  await expect(page.getByText('Number has to be unique')).toBeVisible()
  await field(page, 'number').fill('FV 8/11/2026')
  await expect(page.getByText('Number has to be unique')).toHaveCount(0)

  // The paper says more: what is left is shared out before it can be saved, and the total follows.
  await field(page, 'amountCents').fill('1560')
  await field(page, 'vatBp').fill('23')
  await field(page, 'vatBp').press('Tab')
  await expect(field(page, 'totalCents')).toHaveValue('1,918.80')
  await expect(page.getByText('Still to share out')).toBeVisible()
  const save = page.getByRole('button', { name: 'Save', exact: true }).first()
  await save.click()
  await expect(page.getByText(/must add up to the net amount/).first()).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`Add 60\\.00\\s€ to ${first.number}/2`) }).click()
  await expect(share(`${first.number}/2`)).toHaveValue('460.00')
  await expect(page.getByText(/\+60\.00\s€/)).toBeVisible()
  await save.click()
  await expect(page).toHaveURL(/\/invoices\/\d+\/edit/)

  await expect(page.getByText('The amount differs from what was agreed')).toBeVisible()
  await expect(page.getByText(/As agreed: .* expected/)).toBeVisible()
  await expectAccessible(page)
  const id = Number(/invoices\/(\d+)/.exec(page.url())![1])
  const { body: invoice } = await api('GET', `invoices/${id}`)
  expect(invoice.allocations.map(({ netCents }: { netCents: number }) => netCents)).toEqual([60_000, 46_000, 50_000])
  expect(invoice.dueDate).toBe(invoice.agreedDue.date)

  for (const [order, amount] of [
    [first, '1,060.00'],
    [second, '500.00'],
  ] as const) {
    await openInvoices(order)
    const row = page.getByRole('row', { name: /FV 8\/11\/2026/ })
    await expect(row).toContainText(amount)
    await expect(row).toContainText('1,918.80')
  }
})
