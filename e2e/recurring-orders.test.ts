import { addDays, weekdayOf } from '@waybill/contract/kit/local-time'
import { expect, test } from './support/test.ts'

/** The next Christmas Day that is no Sunday, and far enough away that nothing is made for it by itself. */
function christmas(): string {
  const year = new Date().getFullYear() + 1
  const days = [year, year + 1].map((one) => `${one}-12-25`)
  return days.find((day) => weekdayOf(day) !== 7)!
}

test('an order becomes a recurring one, which leaves a holiday out and makes the orders of its days', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn, expectAccessible, shoot }) => {
  const { api, idOf } = waybill
  const day = christmas()
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 148_000,
    cargo: [{ key: 'reels', title: 'Paper reels', quantity: 22, weightKg: 22_100, ldm: 13.6 }],
    locations: [
      {
        kind: 'loading',
        countryId: await idOf('countries', 'Germany'),
        city: 'Düren',
        termin: { kind: 'fix', dateFrom: addDays(day, -2), timeFrom: '08:00' },
        cargoActions: [{ cargoKey: 'reels', action: 'PICK_UP' }],
      },
      {
        kind: 'unloading',
        countryId: await idOf('countries', 'Poland'),
        city: 'Poznań',
        termin: { kind: 'fix', dateFrom: addDays(day, -1), timeFrom: '07:00' },
        cargoActions: [{ cargoKey: 'reels', action: 'DROP_OFF' }],
      },
    ],
  })
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Make recurring …' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Düren – Poznań')
  for (const name of ['Saturday', 'Sunday']) await page.getByRole('button', { name, exact: true }).click()
  const preview = page.getByRole('region', { name: 'The next ten days' })
  await expect(preview.getByText(/^Left out: Christmas Day in Germany/).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The recurring order was saved successfully')).toBeVisible()

  await preview
    .getByRole('button', { name: /^Make now/ })
    .last()
    .click()
  await expect(page.getByText(/^Order .+ was made$/)).toBeVisible()
  await shoot(page, 'recurring-order')
  await preview.getByRole('link').click()
  await expect(page).toHaveURL(/\/orders\/\d+\/edit$/)
  await page.getByRole('link', { name: 'Düren – Poznań' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Düren – Poznań' })).toBeVisible()
  await page.goto('/recurring-orders')
  await expect(page.getByRole('row', { name: 'Düren – Poznań' })).toBeVisible()
})
