import { listCreditOfDebtors } from '@waybill/contract/credit/credit'
import { listEmailRefusals } from '@waybill/contract/email'
import { listReceivables } from '@waybill/contract/payment/open-items'
import { listDueReminders, previewReminder, type DueReminder } from '@waybill/contract/reminder/reminder'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'

const COMPANY = { id: 1, title: 'Waybill Spedition GmbH' }

const reminderOf = (id: number, title: string, to: string): DueReminder => ({
  company: COMPANY,
  customer: { id, title },
  to,
  language: 'en',
  level: 1,
  payUntil: '2026-12-08',
  openCents: 119_000,
  feeCents: 0,
  interestCents: 0,
  totalCents: 119_000,
  items: [
    {
      invoice: { id: 100 + id, title: `WB-2026-0${id}` },
      level: 1,
      invoiceDate: '2026-10-01',
      dueDate: '2026-10-31',
      daysLate: 24,
      openCents: 119_000,
      feeCents: 0,
      interestCents: 0,
      rateBp: null,
    },
  ],
  isRateOld: false,
})

test('a reminder names an address that a mail server refused, and not that of the next one', async () => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  const reminders = [
    reminderOf(21, 'Nordlicht GmbH', 'buchhaltung@nordlicht.example'),
    reminderOf(22, 'Torhaus GmbH', 'rechnung@torhaus.example'),
  ]
  server.answer(listReceivables, {
    asOf: '2026-11-24T09:00:00.000Z',
    total: {
      ages: { notDue: 0, to30: 0, to60: 0, to90: 0, over90: 0 },
      openCents: 0,
      invoiceCount: 0,
      disputedCents: 0,
      creditCents: 0,
      customerCount: 0,
    },
    items: [],
  })
  server.answer(listCreditOfDebtors, { items: [] })
  server.answer(listDueReminders, { asOf: '2026-11-24', items: reminders, leftOut: [] })
  server.answer(previewReminder, ({ body }) => ({
    ...reminders.find(({ customer }) => customer.id === body.customerId)!,
    subject: 'Reminder',
    html: '<p>Please pay</p>',
    attachments: [],
    holes: [],
  }))
  server.answer(listEmailRefusals, ({ query: { address } }) => ({
    items: address.includes('buchhaltung@nordlicht.example')
      ? [{ address: 'buchhaltung@nordlicht.example', at: '2026-11-20T10:00:00Z', words: '550 no such user' }]
      : [],
  }))
  await visit('/invoices/open-items')
  await page
    .getByRole('complementary', { name: 'Reminders due today' })
    .getByRole('button', { name: 'Preview' })
    .click()
  const window = page.getByRole('dialog')
  await expect.element(window.getByText('buchhaltung@nordlicht.example refused on')).toBeVisible()
  await expect.element(window.getByTitle('550 no such user')).toBeVisible()
  await press('j')
  await expect.element(window.getByText('Torhaus GmbH')).toBeVisible()
  await expect.element(window.getByText('refused on')).not.toBeInTheDocument()
})
