import { expect, test } from './support/test.ts'

test.beforeEach(({ signIn }) => signIn())

test('takes orders in from a table: rows of one number are one order', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  const file = [
    [
      'Customer,Customer order number,Department,Price,Pick-up: city,Pick-up: country,Pick-up: date',
      'Drop-off: city,Drop-off: country,Drop-off: date,Cargo,Units,Weight (kg)',
    ].join(','),
    'Fabryka Mebli Łódź S.A.,TABLE-1,FTL West,1450,Łódź,Poland,2.12.2026,Bielefeld,Germany,03/12/2026,Sofas,9,2790',
    'Fabryka Mebli Łódź S.A.,TABLE-1,,,,,,Frechen,Germany,2026-12-04,Wardrobes,6,1680',
    'Nobody knows this one,TABLE-2,FTL West,900,Łódź,Poland,2.12.2026,Bielefeld,Germany,3.12.2026,Chairs,12,600',
  ].join('\n')
  await page.goto('/orders/import')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(page.getByText('This record does not exist')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'orders-import')
  await page.getByRole('textbox', { name: 'Line 4, Customer' }).fill('PL7259012340')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Every row is right.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page).toHaveURL(/\/orders(\?|$)/)
  const { body } = await waybill.api('GET', 'orders?q=TABLE-1', undefined)
  const { body: order } = await waybill.api('GET', `orders/${(body.items as { id: number }[])[0]!.id}`)
  expect((order.locations as { city: string }[]).map(({ city }) => city)).toEqual(['Łódź', 'Bielefeld', 'Frechen'])
  expect(order).toMatchObject({ customerOrderNumber: 'TABLE-1', customerPriceCents: 145_000 })
})
