import { expect, test } from './support/test.ts'

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
  'latin1',
)

test.beforeEach(({ signIn }) => signIn())

test('an insurance that expires in ten days is said so beside the file, and marks its carrier in the list', {
  tag: '@long',
}, async ({ page, waybill, expectAccessible, shoot }) => {
  const title = 'Spedition Ostwind GmbH'
  const countryId = await waybill.idOf('countries', 'Germany')
  const { status, body: carrier } = await waybill.api('POST', 'carrier-companies', {
    title,
    countryId,
    city: 'Rostock',
  })
  expect(status, JSON.stringify(carrier)).toBe(201)
  await page.goto(`/carrier-companies/${carrier.id as number}/edit?tab=documents`)
  await page.getByLabel('Valid until').fill('+10')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Versicherung.pdf', mimeType: 'application/pdf', buffer: PDF })
  await expect(page.getByText('10 days left')).toBeVisible()
  await shoot(page, 'carrier-documents')
  await expectAccessible(page)

  // In the list it is marked, and found by the mark.
  await page.goto('/carrier-companies?documentWarning[]=expiring')
  const row = page.getByRole('row').filter({ hasText: title })
  await expect(row.getByText('Expiring')).toBeVisible()
  await shoot(page, 'carriers-list')
  await expectAccessible(page)
})
