import { listCreditOfDebtors } from '@waybill/contract/credit/credit'
import { listEmailRefusals } from '@waybill/contract/email'
import { listReceivables } from '@waybill/contract/payment/open-items'
import { listDueReminders, previewReminder, sendReminder, type DueReminder } from '@waybill/contract/reminder/reminder'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'

const COMPANY = { id: 1, title: 'Waybill Spedition GmbH' }

const reminderOf = (id: number, title: string, to: string | null): DueReminder => ({
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

/** The open items beside them do not matter here. */
function nothingOpen(): void {
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
}

test('a reminder names an address that a mail server refused, and not that of the next one', async () => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  const reminders = [
    reminderOf(21, 'Nordlicht GmbH', 'buchhaltung@nordlicht.example'),
    reminderOf(22, 'Torhaus GmbH', 'rechnung@torhaus.example'),
  ]
  nothingOpen()
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

test('a customer without an address is said to be so, and what waits for one leads to its mail', async () => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  const reminder = reminderOf(23, 'Adresslos GmbH', null)
  const left = {
    company: COMPANY,
    customer: reminder.customer,
    reason: 'held' as const,
    detail: null,
    openCents: 119_000,
  }
  const invoices = reminder.items.map(({ invoice, openCents }) => ({ ...invoice, openCents }))
  let isHeld = false
  nothingOpen()
  server.answer(listDueReminders, () =>
    isHeld
      ? { asOf: '2026-11-24', items: [], leftOut: [{ ...left, mailId: 77, invoices }] }
      : { asOf: '2026-11-24', items: [reminder], leftOut: [] },
  )
  server.answer(previewReminder, {
    ...reminder,
    subject: 'Reminder',
    html: '<p>Please pay</p>',
    attachments: [],
    holes: [],
  })
  server.answer(listEmailRefusals, { items: [] })
  server.answer(sendReminder, () => {
    isHeld = true
    return { ...reminder, id: null, heldMailId: 77 }
  })
  await visit('/invoices/open-items')
  const aside = page.getByRole('complementary', { name: 'Reminders due today' })
  await expect.element(aside.getByText('no email address: it will wait for one').first()).toBeVisible()
  await aside.getByRole('button', { name: 'Preview' }).click()
  const window = page.getByRole('dialog')
  await expect.element(window.getByText('This customer has no email address.')).toBeVisible()
  await window.getByRole('button', { name: 'Send 1 reminder' }).click()
  await expect.element(page.getByText('1 reminder waits for an email address')).toBeVisible()
  await expect.element(aside.getByText('waits for an email address').first()).toBeVisible()
  await expect
    .element(aside.getByRole('link', { name: 'Open the mail' }))
    .toHaveAttribute('href', expect.stringContaining('/preview/77'))
})
