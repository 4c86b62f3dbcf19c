import { readFile } from 'node:fs/promises'
import { expect, test } from './support/test.ts'

test('books a month: accounts of the company, a number for the customer, one DATEV file, and nothing twice', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible, shoot }) => {
  const { api, idOf } = waybill
  const done = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  // A company of its own: what other journeys invoice is not in its month.
  const title = 'Elbufer Spedition GmbH'
  const germany = await idOf('countries', 'Germany')
  const company = await done('POST', 'companies', {
    title,
    code: 'ELB',
    timeZone: 'Europe/Berlin',
    invoiceNumberPattern: 'E-{YYYY}-{NNNN}',
    countryId: germany,
    address: 'Kai 1',
    postal: '28195',
    city: 'Bremen',
  })
  const department = await done('POST', 'departments', {
    abbreviation: 'ELB',
    companyId: company.id,
    countryId: germany,
  })
  const customer = await done('POST', 'customers', {
    title: 'Mühlenwerk Müller KG',
    countryId: germany,
    address: 'Ring 1',
    postal: '20457',
    city: 'Hamburg',
  })
  const order = await done('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: department.id,
    customerPriceCents: 64_000,
  })
  const sent = async (text: string, unitPriceCents: number) => {
    const line = { kind: 'extra', text, quantity: 1, unitPriceCents, vatBp: 1900, vatCategory: 'S', orderId: order.id }
    const draft = await done('POST', 'invoices', { entityType: 'customer', orderIds: [order.id], lines: [line] })
    return done('POST', `invoices/${draft.id}/status`, { to: 'sent', version: draft.version })
  }
  const invoice = await sent('Transport', 64_000)
  const month = String(invoice.invoiceDate).slice(0, 7)

  await signIn()
  await page.goto('/invoices/month-end')
  await page.getByRole('link', { name: 'Bookkeeping' }).click()
  await expect(page.getByRole('heading', { name: 'Bookkeeping', level: 1 })).toBeVisible()
  await page.goto(`/invoices/bookkeeping?company=${company.id}&month=${month}`)
  await expect(page.getByText(`The accounts of ${title} are not known yet`)).toBeVisible()
  await page.getByRole('link', { name: 'Enter accounts' }).click()

  await page.getByLabel('Export bookings of this company').check()
  await page.getByRole('button', { name: 'Begin with SKR04' }).click()
  await page.getByLabel('DATEV consultant number').fill('29098')
  await page.getByLabel('DATEV client number').fill('55003')
  await expect(page.getByRole('textbox', { name: 'Bank account' })).toHaveValue('1800')
  await expectAccessible(page)
  await shoot(page, 'company-bookkeeping')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await api('GET', `companies/${company.id}`)).body.bookkeeping?.chart).toBe('SKR04')

  await page.goto(`/invoices/bookkeeping?company=${company.id}&month=${month}`)
  await expect(page.getByText('has no account number')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make DATEV batch' })).toBeDisabled()
  await page.getByRole('button', { name: 'Give 1 free number' }).click()
  await expect(page.getByText('has no account number')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Make DATEV batch' }).click()
  const batches = page.getByRole('region', { name: 'Batches' })
  await expect(batches.getByText(`${month}/1`)).toBeVisible()
  await expect(page.getByText('Everything of this month is in a batch.')).toBeVisible()
  await expect(page.getByText(`exported before, in batch ${month}/1`)).toBeVisible()

  const downloading = page.waitForEvent('download')
  await batches.getByRole('button', { name: 'DATEV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`EXTF_Buchungsstapel_ELB_${month}_1.csv`)
  const text = new TextDecoder('windows-1252').decode(await readFile(await download.path()))
  expect(text).toContain('"EXTF";700;21;"Buchungsstapel";13;')
  expect(text).toMatch(new RegExp(`761,60;"S";"EUR";.*;4400;.*"${invoice.number}".*"Mühlenwerk Müller KG"`))

  // What comes later for the month is a second batch, which names the first.
  await sent('Waiting time', 10_000)
  await page.reload()
  await page.getByRole('button', { name: 'Make DATEV batch' }).click()
  await expect(batches.getByText(`after ${month}/1`)).toBeVisible()
  await shoot(page, 'bookkeeping')

  await batches.getByRole('button', { name: `Void batch ${month}/2` }).click()
  const asked = page.getByRole('dialog')
  await asked.getByLabel('Reason').fill('Not read in')
  await asked.getByRole('button', { name: 'Void batch' }).click()
  await expect(batches.getByText('Void', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make DATEV batch' })).toBeEnabled()
})
