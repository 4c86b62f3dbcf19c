import { statementXml } from '../server/test/payments/statement-xml.ts'
import { expect, test } from './support/test.ts'

test('a customer who pays late is reminded, and pays by a bank statement', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api } = waybill
  const done = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  // The demo year has customers who pay late; one of whom a single invoice is due is easily followed.
  const proposal = await done('GET', 'reminders/due')
  const banks = (await done('GET', 'companies')).items
  const due = proposal.items.find(
    ({ items, company }: { items: unknown[]; company: { id: number } }) =>
      items.length === 1 && banks.find(({ id }: { id: number }) => id === company.id)?.bankAccounts.length > 0,
  )
  const { customer, company, level } = due
  const [{ invoice, openCents }] = due.items
  const { bankAccounts } = await done('GET', `companies/${company.id}`)

  await signIn()
  await page.goto('/invoices/open-items')
  await page.getByRole('textbox', { name: 'Find' }).fill(customer.title)
  const column = page.getByRole('complementary', { name: 'Reminders due today' })
  await expect(column.getByRole('checkbox', { name: `${invoice.title}, ${customer.title}` })).toBeChecked()
  await expect(column.getByRole('heading', { name: `Level ${level}` })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'reminders-due')

  // Looked at, left out and taken in again.
  await column.getByRole('button', { name: 'Preview' }).click()
  const window = page.getByRole('dialog')
  await expect(window).toContainText('Reminder 1 of')
  await expect(window).toContainText(invoice.title)
  await expectAccessible(page)
  await shoot(page, 'reminder-preview')
  await page.keyboard.press('x')
  const box = column.getByRole('checkbox', { name: `${invoice.title}, ${customer.title}` })
  await expect(box).not.toBeChecked()
  if (await window.isVisible()) await page.keyboard.press('Escape')
  await box.check()

  await column.getByRole('button', { name: /^Send \d+ reminder/ }).click()
  await window.getByRole('button', { name: /^Send \d+ reminder/ }).click()
  await expect(page.getByText('on its way')).toBeVisible()
  await expect(column.getByText('Nobody has to be reminded today.')).toBeVisible()

  // The level stands on the invoice, beside the mail that left, and what it owes is what it owed.
  await page.goto(`/invoices/${invoice.id}/edit`)
  const reminders = page.getByRole('region', { name: 'Reminders' })
  await expect(reminders).toContainText(`Level ${level}`)
  await shoot(page, 'invoice-reminded')
  expect(await done('GET', `invoices/${invoice.id}`)).toMatchObject({ status: 'sent', openCents })
  const mails = await done('GET', `emails?invoiceId=${invoice.id}`)
  expect(mails.items[0]).toMatchObject({ variant: `payment_reminder_${level}`, to: [due.to] })

  const today = new Date().toISOString().slice(0, 10)
  const entry = { cents: openCents, remittance: `Rechnung ${invoice.title}`, name: customer.title }
  const statement = statementXml({
    iban: bankAccounts[0].iban,
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
})
