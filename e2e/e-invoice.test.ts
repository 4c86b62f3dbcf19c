import { readFile } from 'node:fs/promises'
import { expect, test } from './support/test.ts'

const LEITWEG = '04011000-1234512345-06'

test('an XRechnung: the missing Leitweg-ID leads to its field, then it is sent, kept and mailed', {
  tag: '@long',
}, async ({ page, signIn, waybill, expectAccessible, shoot }) => {
  const { api, idOf, mails } = waybill
  const departmentId = await idOf('departments', 'FTL West')
  const { companyId } = (await api('GET', `departments/${departmentId}`)).body
  const { version } = (await api('GET', `companies/${companyId}`)).body
  const company = await api('PATCH', `companies/${companyId}`, {
    version,
    address: 'Veddeler Damm 12',
    postal: '20457',
    city: 'Hamburg',
    vatNumber: 'DE811569869',
    register: 'HRB 123456, Amtsgericht Hamburg',
    eInvoiceContact: { fullName: 'Jana Petersen', phone: '+49 40 5550 1200', email: 'rechnung@waybill.example' },
    eInvoiceAddress: 'rechnung@waybill.example',
    eInvoiceScheme: 'EM',
  })
  expect(company.status, JSON.stringify(company.body)).toBe(200)
  const { body: customer } = await api('POST', 'customers', {
    title: 'Zweckverband Wiesental-Nord',
    address: 'Rathausplatz 1',
    postal: '79650',
    city: 'Schopfheim',
    countryId: await idOf('countries', 'Germany'),
    invoiceEmail: 'rechnung@wiesental.example',
    eInvoiceAddress: LEITWEG,
    eInvoiceScheme: '0204',
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId,
    customerPriceCents: 68_000,
    customerVatBp: 1900,
  })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  await signIn()

  // The customer asks for it: chosen once, on its form.
  await page.goto(`/customer/${customer.id as number}/edit?tab=payment`)
  await page.getByRole('combobox', { name: 'Invoice format' }).click()
  await page.getByRole('option', { name: /XRechnung \(UBL\)/ }).click()
  await expect(page.getByRole('combobox', { name: 'Kind of e-invoice address' })).toHaveValue('Leitweg-ID (0204)')
  await expectAccessible(page)
  await shoot(page, 'customer-e-invoice')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('The customer was saved successfully')).toBeVisible()

  // The draft says what is missing, sending refuses it, and both lead to the field.
  await page.goto(`/invoices/${invoice.id as number}/edit`)
  const panel = page.getByRole('region', { name: 'E-invoice' })
  await expect(panel.getByText('Cannot be sent: 1 thing is missing')).toBeVisible()
  await expect(panel.getByText('BR-DE-15')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'invoice-e-invoice-hindered')
  await page.getByRole('button', { name: 'Send …' }).click()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'BR-DE-15' })
  await expect(alert.first()).toBeVisible()
  await shoot(page, 'invoice-mail-hindered')
  await page.getByRole('link', { name: 'To the customer' }).click()
  const reference = page.locator('[name="buyerReference"]')
  await expect(reference).toBeFocused()
  await reference.fill(LEITWEG)
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('The customer was saved successfully')).toBeVisible()

  await page.goto(`/invoices/${invoice.id as number}/edit`)
  await expect(panel.getByText('Nothing hinders sending')).toBeVisible()
  await page.getByRole('button', { name: 'Send …' }).click()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await expect(page).toHaveURL(new RegExp(`/invoices/${invoice.id as number}/edit$`))
  await expect(panel.getByText('Checked, made and kept')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'invoice-e-invoice-sent')

  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Save XML' }).click()
  const xml = await readFile(await (await download).path(), 'utf8')
  expect(xml).toContain('xrechnung_3.0</cbc:CustomizationID>')
  expect(xml).toContain(`<cbc:BuyerReference>${LEITWEG}</cbc:BuyerReference>`)
  expect(xml).toContain('<cbc:PayableAmount currencyID="EUR">809.20</cbc:PayableAmount>')

  const mail = await mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'rechnung@wiesental.example') ?? false,
  )
  expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/xml', 'application/pdf'])
  expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).toString()).toBe(xml)
})
