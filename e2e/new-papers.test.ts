import { giveCarrierPapers } from './support/carrier-papers.ts'
import { addPerson, linkIn } from './support/people.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'

const PDF = Buffer.from('%PDF-1.4\n% new\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')

test('a carrier is asked for its new insurance, sends it from a phone, and it counts once accepted', {
  tag: '@long',
}, async ({ page, browser, baseURL, waybill, signIn, expectAccessible, shoot }) => {
  const { api, idOf } = waybill
  const { body: carrier } = await api('POST', 'carrier-companies', {
    title: 'Krasna Line Sp. z o.o.',
    countryId: await idOf('countries', 'Poland'),
    language: 'en',
    contactPersons: [{ fullName: 'Ewa Krasna', email: 'dispo@krasna.example' }],
  })
  await giveCarrierPapers(waybill, carrier.id, '2026-01-31')
  const buyer = await addPerson(waybill, { permissions: ['CARRIER_MANAGEMENT'] })
  await signIn(buyer)
  await page.goto('/carrier-companies/clearance')
  const ending = page.getByRole('region', { name: 'Documents that end' })
  await ending.getByRole('button', { name: 'Ask Krasna Line Sp. z o.o. for a new one: Insurance' }).click()
  await expect(page.getByText('dispo@krasna.example is asked for a new one')).toBeVisible()
  await expect(
    ending
      .getByRole('listitem')
      .filter({ hasText: 'Insurance' })
      .getByText(/^asked /),
  ).toBeVisible()
  await shoot(page, 'carrier-papers-asked')
  await expectAccessible(page)

  const link = await linkIn(waybill, 'dispo@krasna.example', '/upload-documents/paper-')
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    baseURL,
  })
  const sender = await phone.newPage()
  expectPublicHeaders(await sender.goto(new URL(link).pathname))
  await expect(
    sender.getByRole('heading', { name: 'Please send us your new document: Liability insurance' }),
  ).toBeVisible()
  await expect(sender.getByText('The one that we have has expired on 31 Jan 2026.')).toBeVisible()
  await expectAccessible(sender)
  await sender.getByRole('button', { name: 'Send', exact: true }).click()
  for (const text of ['Please choose a file.', 'Please enter the last day.', 'Please enter the insured sum.'])
    await expect(sender.getByText(text)).toBeVisible()
  await shoot(sender, 'new-paper-missing')
  await sender
    .getByLabel('File')
    .setInputFiles({ name: 'no.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no') })
  await sender.getByLabel('Valid until').fill('2098-12-31')
  await sender.getByLabel('Insured sum for one loss').fill('600,000.00')
  await sender.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(sender.getByRole('alert').or(sender.locator('#file-error')).filter({ hasText: /\S/ })).toBeVisible()
  // A telephone that dropped the page for its camera has the rest of it again.
  await sender.reload()
  await expect(sender.getByLabel('Valid until')).toHaveValue('2098-12-31')
  await expect(sender.getByLabel('Insured sum for one loss')).toHaveValue('600,000.00')
  await sender.getByLabel('File').setInputFiles({ name: 'policy.pdf', mimeType: 'application/pdf', buffer: PDF })
  await sender.getByRole('button', { name: 'DE', exact: true }).click()
  await expect(sender.getByLabel('Versicherungssumme je Schadenfall')).toHaveValue('600.000,00')
  await sender.getByRole('button', { name: 'EN', exact: true }).click()
  await sender.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(sender.getByRole('heading', { name: 'Thank you, your document has arrived.' })).toBeVisible()
  const came = sender.getByRole('region', { name: 'What has arrived' })
  await expect(came).toContainText('being checked')
  await shoot(sender, 'new-paper-arrived')
  await expectAccessible(sender)
  expect(await phone.cookies()).toEqual([])

  await page.reload()
  await ending.getByRole('link', { name: 'A new one has come: please check' }).click()
  // Beside it the history names the file, too.
  const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /policy\.pdf/ }) })
  await expect(row).toContainText('to check')
  await shoot(page, 'carrier-paper-to-check')
  await row.getByRole('button', { name: 'Refuse policy.pdf' }).click()
  const window = page.getByRole('dialog')
  await window.getByLabel('What is wrong with it?').fill('Page 2 is missing')
  await window.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(row).toContainText('Page 2 is missing')
  await sender.reload()
  await expect(came).toContainText('not accepted: Page 2 is missing')
  await row.getByRole('button', { name: 'Accept policy.pdf' }).click()
  await expect(row).toContainText('accepted')
  await sender.reload()
  await expect(sender.getByText('The one that we have is valid until 31 Dec 2098.')).toBeVisible()
  await sender.goto('/upload-documents/paper-not-a-link')
  await expect(sender.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await phone.close()
})
