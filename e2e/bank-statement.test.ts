import { statementXml } from '../server/test/payments/statement-xml.ts'
import { dayFromToday } from './support/days.ts'
import { expect, test } from './support/test.ts'

const OURS = 'DE02120300000000202051'
const PAYER = 'NL91ABNA0417164300'

test('a statement is read in, a part payment and a full one are booked, and the open items follow', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible, shoot }) => {
  const { api, idOf } = waybill
  const done = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const countryId = await idOf('countries', 'Germany')
  const company = await done('POST', 'companies', {
    title: 'Havel Fracht GmbH',
    code: 'HAVEL',
    timeZone: 'Europe/Berlin',
    invoiceNumberPattern: 'H-{YYYY}-{NNNNN}',
    countryId,
    address: 'Kai 1',
    postal: '14467',
    city: 'Potsdam',
    vatNumber: 'DE811569869',
    bankAccounts: [{ bankName: 'Hausbank', iban: OURS }],
  })
  const department = await done('POST', 'departments', { abbreviation: 'FTL Havel', companyId: company.id, countryId })
  const customer = await done('POST', 'customers', { title: 'Brandt Papier GmbH', countryId, city: 'Bremen' })
  const invoiceOf = async (customerPriceCents: number) => {
    const order = await done('POST', 'orders', {
      customerIds: [customer.id],
      departmentId: department.id,
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
  const [first, second] = [await invoiceOf(100_000), await invoiceOf(50_000)]
  const today = dayFromToday(0)
  const statement = statementXml({
    iban: OURS,
    date: today,
    entries: [
      { cents: 59_500, remittance: `Rechnung ${second.number.replaceAll('-', ' ')}`, name: 'Brandt Papier GmbH' },
      { cents: 40_000, remittance: `${first.number} Teilzahlung`, name: 'Brandt Papier GmbH', iban: PAYER },
      { cents: 1_250, remittance: 'Gutschrift', name: 'Unbekannt AG' },
      { cents: -990, remittance: 'Kontoführung', name: 'Hausbank' },
    ].map((entry, at) => ({ ...entry, date: today, reference: `J${at}` })),
  })

  await signIn()
  await page.goto('/invoices/open-items')
  const row = page.getByRole('row', { name: /Brandt Papier GmbH/ })
  await expect(row).toContainText('1,785.00')

  await page.getByRole('link', { name: 'Bank statements' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bank statements')
  const file = page.getByLabel('Bank statement, camt.053')
  await file.setInputFiles({ name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from(statement.slice(0, -40)) })
  await expect(page.getByText('damaged or was cut off')).toBeVisible()
  await file.setInputFiles({ name: 'camt053.xml', mimeType: 'text/xml', buffer: Buffer.from(statement) })
  await expect(page.getByText('4 new entries')).toBeVisible()

  // What is certain is ticked; nothing is booked by itself.
  const entry = (amount: string) => page.getByRole('row', { name: new RegExp(amount) })
  await expect(entry('595.00').getByRole('checkbox')).toBeChecked()
  await expect(entry('400.00').getByRole('checkbox')).not.toBeChecked()
  await expect(entry('12.50').getByRole('checkbox')).not.toBeChecked()
  await expect(page.getByText('1 of 4 ticked')).toBeVisible()
  expect(await done('GET', `invoices/${second.id}`)).toMatchObject({ status: 'sent', openCents: 59_500 })
  await expectAccessible(page)
  await shoot(page, 'bank-statement')

  await page.keyboard.press('j')
  const panel = page.getByRole('complementary', { name: 'Entry' })
  await expect(panel).toContainText('part payment, 790.00')
  await expect(panel).toContainText(`names ${first.number}`)
  await page.keyboard.press('x')
  await expect(page.getByText('2 of 4 ticked')).toBeVisible()
  await page.getByRole('button', { name: 'Book 2 entries' }).click()
  await expect(page.getByText('2 entries booked')).toBeVisible()
  expect(await done('GET', `invoices/${second.id}`)).toMatchObject({ status: 'paid', openCents: 0 })
  expect(await done('GET', `invoices/${first.id}`)).toMatchObject({ status: 'sent', openCents: 79_000 })

  // A person says whose it is; without an invoice it is on the customer's account.
  await entry('12.50').click()
  await panel.getByRole('combobox', { name: 'Customer' }).fill('Brandt')
  await page.getByRole('option', { name: /Brandt Papier GmbH/ }).click()
  await expect(panel).toContainText('12.50 € onto the customer’s account')
  await page.getByRole('button', { name: 'Book 1 entry' }).click()
  await expect(page.getByText('1 entry booked')).toBeVisible()

  await panel.getByRole('button', { name: 'Set aside …' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Bank charges')
  await page.getByRole('button', { name: 'Set aside', exact: true }).click()
  await expect(page.getByText('All entries are dealt with')).toBeVisible()

  // The same file again books nothing.
  await file.setInputFiles({ name: 'camt053.xml', mimeType: 'text/xml', buffer: Buffer.from(statement) })
  await expect(page.getByText('4 entries had been read in before')).toBeVisible()

  await page.goto('/invoices/open-items')
  await expect(row).toContainText('790.00')
  await expect(row).toContainText('credit 12.50')
  await page.goto('/invoices/bank-statements')
  await expect(page.getByText('all dealt with')).toBeVisible()
  await shoot(page, 'bank-statements')
})
