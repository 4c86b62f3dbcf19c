import { statementXml } from '../server/test/payments/statement-xml.ts'
import { expect, test } from './support/test.ts'

// An account is of one company alone: no other journey uses this one.
const OURS = 'DE02500105170137075030'

test('a customer who pays late is reminded, and pays by a bank statement', { tag: '@long' }, async ({
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
  const level = { afterDays: 1, payDays: 7, hasFee: true, hasInterest: true }
  const company = await done('POST', 'companies', {
    title: 'Fulda Fracht GmbH',
    code: 'FULDA',
    timeZone: 'Pacific/Pago_Pago',
    invoiceNumberPattern: 'F-{YYYY}-{NNNNN}',
    countryId,
    address: 'Am Kai 1',
    postal: '36037',
    city: 'Fulda',
    vatNumber: 'DE811569869',
    bankAccounts: [{ bankName: 'Hausbank', iban: OURS }],
    reminderLevels: [level],
  })
  const department = await done('POST', 'departments', { abbreviation: 'FTL Fulda', companyId: company.id, countryId })
  const customer = await done('POST', 'customers', {
    title: 'Spessart Spätzahler GmbH',
    countryId,
    city: 'Bremen',
    paymentPeriodDays: 0,
    invoiceEmail: 'buchhaltung@spessart.example',
    creditLimitCents: 50_000,
  })
  const order = await done('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: department.id,
    customerPriceCents: 100_000,
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
  const invoice = await done('POST', `invoices/${draft.id}/status`, { to: 'sent', version: draft.version })
  // Nobody turns the clock: our company moves to where it is a day later by now.
  await done('PATCH', `companies/${company.id}`, { timeZone: 'Pacific/Kiritimati', version: company.version })

  await signIn()
  await page.goto('/invoices/open-items')
  await page.getByRole('textbox', { name: 'Find' }).fill(customer.title)
  const column = page.getByRole('complementary', { name: 'Reminders due today' })
  await expect(column.getByRole('checkbox', { name: `${invoice.number}, ${customer.title}` })).toBeChecked()
  await expect(column.getByRole('heading', { name: 'Level 1' })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'reminders-due')

  // The keyboard walks through the customers, and takes the reminder of the one in hand away and back.
  const row = page.getByRole('row', { name: customer.title })
  await expect(row).toContainText('over')
  await page.getByRole('heading', { level: 1 }).click()
  const rowsBefore = await row.evaluate((element) => [...element.parentElement!.children].indexOf(element))
  for (let at = 0; at <= rowsBefore; at += 1) await page.keyboard.press('j')
  await expect(row.getByRole('link', { name: customer.title })).toBeFocused()
  await page.keyboard.press('x')
  await expect(column.getByRole('checkbox', { name: `${invoice.number}, ${customer.title}` })).not.toBeChecked()
  await page.keyboard.press('x')
  await expect(column.getByRole('checkbox', { name: `${invoice.number}, ${customer.title}` })).toBeChecked()
  await expectAccessible(page)

  // Looked at, left out and taken in again.
  await column.getByRole('button', { name: 'Preview' }).click()
  const window = page.getByRole('dialog')
  await expect(window).toContainText('Reminder 1 of 1')
  await expect(window).toContainText('Flat sum for late payment')
  await expect(window).toContainText(invoice.number)
  await expect(window.getByRole('button', { name: `Zahlungserinnerung_${invoice.number}_` })).toBeEnabled()
  await expectAccessible(page)
  await shoot(page, 'reminder-preview')
  await page.keyboard.press('x')
  await expect(window).toBeHidden()
  const box = column.getByRole('checkbox', { name: `${invoice.number}, ${customer.title}` })
  await expect(box).not.toBeChecked()
  await box.check()

  await column.getByRole('button', { name: /^Send \d+ reminder/ }).click()
  await window.getByRole('button', { name: /^Send \d+ reminder/ }).click()
  await expect(page.getByText('on its way')).toBeVisible()
  await expect(column.getByText('Nobody has to be reminded today.')).toBeVisible()

  // Enter opens the invoices of the customer, where the level stands beside the due date.
  await row.getByRole('link', { name: customer.title }).press('Enter')
  await expect(page.getByRole('row', { name: invoice.number }).getByText('L1')).toBeVisible()

  // The level stands on the invoice, beside the mail that left, and what it owes is what it owed.
  await page.goto(`/invoices/${invoice.id}/edit`)
  const reminders = page.getByRole('region', { name: 'Reminders' })
  await expect(reminders).toContainText('Level 1')
  await shoot(page, 'invoice-reminded')
  expect(await done('GET', `invoices/${invoice.id}`)).toMatchObject({ status: 'sent', openCents: 119_000 })
  const mails = await done('GET', `emails?invoiceId=${invoice.id}`)
  expect(mails.items[0]).toMatchObject({
    variant: 'payment_reminder_1',
    to: ['buchhaltung@spessart.example'],
    attachments: [{ title: `Zahlungserinnerung_${invoice.number}_${customer.title}.pdf` }, {}],
  })

  // Of our company, which is furthest ahead: by the day of London it may be paid on the day that it was due.
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)
  const entry = { cents: 119_000, remittance: `Rechnung ${invoice.number}`, name: customer.title }
  const statement = statementXml({
    iban: OURS,
    date: today,
    entries: [{ ...entry, date: today, reference: `reminded ${invoice.id}` }],
  })
  await page.goto('/invoices/bank-statements')
  await page
    .getByLabel('Bank statement, camt.053')
    .setInputFiles({ name: 'camt053.xml', mimeType: 'text/xml', buffer: Buffer.from(statement) })
  await expect(page.getByText('1 new entry')).toBeVisible()
  await page.getByRole('button', { name: 'Book 1 entry' }).click()
  await expect(page.getByText('1 entry booked')).toBeVisible()
  expect(await done('GET', `invoices/${invoice.id}`)).toMatchObject({ status: 'paid', openCents: 0 })

  // The flat sum comes by itself and is on the account; from there a part of it is booked, and the rest is waived,
  // with the interest of a day where the day before was none of a weekend.
  await done('POST', 'payments', {
    companyId: company.id,
    customerId: customer.id,
    valueDate: today,
    amountCents: 4000,
    shares: [],
  })
  await page.goto('/invoices/open-items')
  await page.getByRole('textbox', { name: 'Find' }).fill(customer.title)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('c')
  const claim = window.getByRole('listitem').filter({ hasText: invoice.number })
  await expect(claim).toContainText('Flat sum')
  await expect(claim).toContainText('On the customer’s account: 40.00 €')
  await expectAccessible(page)
  await shoot(page, 'claims')
  await claim.getByRole('button', { name: `Book the claims of ${invoice.number} as paid` }).click()
  await expect(window.getByRole('textbox', { name: /^Flat sum/ })).toBeFocused()
  await window.getByRole('textbox', { name: /^Flat sum/ }).fill('30')
  await expectAccessible(page)
  await shoot(page, 'claim-paid')
  await page.keyboard.press('Enter')
  await expect(claim).toContainText('10.00 of 40.00 open')
  await expect(claim).toContainText('On the customer’s account: 10.00 €')
  await claim.getByRole('button', { name: `Waive the claims of ${invoice.number}` }).click()
  const waive = window.getByRole('button', { name: /^Waive \d/ })
  await expect(waive).toBeDisabled()
  await window.getByRole('textbox', { name: 'Reason' }).fill('Not worth a letter')
  await shoot(page, 'claim-waived')
  await waive.click()
  await expect(window.getByText('No claim is open.')).toBeVisible()
  await window.getByRole('button', { name: 'All' }).click()
  await expect(claim).toContainText('settled')

  // Booked by mistake: it is taken back with the reason, and the money is on the account again.
  await claim.getByRole('button', { name: /^Take back 30\.00, / }).click()
  await window.getByRole('textbox', { name: 'Reason' }).fill('Meant for another invoice')
  await window.getByRole('button', { name: /^Take back 30\.00.€$/ }).click()
  await expect(claim).toContainText('On the customer’s account: 40.00 €')
  await expectAccessible(page)
  await shoot(page, 'claims-all')
  await page.keyboard.press('Escape')
  await expect(window).toBeHidden()
})
