import {
  bookBankEntries,
  getBankStatement,
  listBankStatements,
  type BankEntry,
  type BankStatement,
} from '@waybill/contract/bank-statement/bank-statement'
import { listOpenInvoices } from '@waybill/contract/payment/payment'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { pageOf, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { NORDLICHT, offerMasterData, WAYBILL } from './records/master-data.ts'

const INVOICE = { id: 100, title: 'WB-2026-00100' }

/** An entry of 999.97 for an invoice of 1,000.00. */
const entryOf = (reasons: NonNullable<BankEntry['proposal']>['reasons']): BankEntry => ({
  id: 5,
  version: 1,
  bookingDate: '2026-11-23',
  valueDate: '2026-11-23',
  amountCents: 99_997,
  partnerName: NORDLICHT.title,
  partnerCountryCode: null,
  partnerIbanTail: null,
  remittance: `Rechnung ${INVOICE.title}`,
  status: 'open',
  proposal: {
    verdict: 'likely',
    reasons,
    action: 'payment',
    customer: NORDLICHT,
    shares: [{ invoice: INVOICE, openCents: 100_000, amountCents: 99_997, skontoCents: 0 }],
    accountCents: 0,
    paymentFile: null,
  },
  customer: null,
  invoices: [],
  paymentFile: null,
  isReversed: false,
  reason: null,
  settledAt: null,
  settledBy: null,
})

const statementOf = (entry: BankEntry): BankStatement => ({
  id: 3,
  company: WAYBILL,
  countryCode: 'DE',
  ibanTail: '3000',
  number: '952',
  fromDate: null,
  toDate: null,
  fileName: 'camt053.xml',
  openingCents: null,
  closingCents: null,
  entryCount: 1,
  knownCount: 0,
  deletedAt: null,
  pendingCount: 0,
  openCount: 1,
  createdAt: '2026-11-23T10:00:00Z',
  createdBy: null,
  isBalanced: null,
  entries: [entry],
})

beforeEach(() => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  offerMasterData()
  server.answer(listOpenInvoices, {
    items: [
      {
        ...INVOICE,
        number: INVOICE.title,
        invoiceDate: '2026-11-01',
        dueDate: '2026-12-01',
        isOverdue: false,
        isDisputed: false,
        totalCents: 100_000,
        openCents: 100_000,
        offers: [],
      },
    ].map(({ title: _title, ...invoice }) => invoice),
    creditCents: 0,
  })
  server.answer(bookBankEntries, { bookedCount: 1 })
})

test('what a payment lacks is written off with it, and no more once the share is another', {
  tags: 'long',
}, async () => {
  server.answer(getBankStatement, statementOf(entryOf([{ code: 'number_named', text: INVOICE.title, cents: null }])))
  await visit('/invoices/bank-statements?statement=3')
  const panel = page.getByRole('complementary', { name: 'Entry' })
  const rest = panel.getByRole('checkbox', { name: `write off 0.03 of ${INVOICE.title}` })
  const share = panel.getByRole('textbox', { name: `Share of ${INVOICE.title}` })
  const book = page.getByRole('button', { name: 'Book 1 entry' })
  await expect.element(rest).not.toBeChecked()
  await rest.click()
  await expect.element(rest).toBeChecked()
  await expectAccessibleInBothLooks()
  await share.fill('990.00')
  await expect.element(rest).not.toBeInTheDocument()
  await share.fill('999.97')
  await expect.element(rest).not.toBeChecked()
  await rest.click()
  await book.click()
  await expect.poll(() => server.calls(bookBankEntries)).toHaveLength(1)
  expect(server.calls(bookBankEntries)[0]!.body.entries).toMatchObject([
    { id: 5, customerId: NORDLICHT.id, shares: [{ invoiceId: INVOICE.id, amountCents: 99_997, writeOffCents: 3 }] },
  ])
})

test('an entry that may have come before says so, and waits for a person', async () => {
  server.answer(
    getBankStatement,
    statementOf(
      entryOf([
        { code: 'maybe_known', text: '951', cents: null },
        { code: 'number_named', text: INVOICE.title, cents: null },
      ]),
    ),
  )
  await visit('/invoices/bank-statements?statement=3')
  const panel = page.getByRole('complementary', { name: 'Entry' })
  await expect.element(panel.getByText('says the same as an entry of statement 951')).toBeVisible()
  await expect.element(panel.getByRole('checkbox', { name: 'Book this entry' })).not.toBeChecked()
  await expect.element(panel.getByRole('button', { name: 'Set aside …' })).toBeVisible()
})

test('says when the words of a statement were deleted, and keeps its amounts', async () => {
  const settled = {
    ...entryOf([]),
    partnerName: null,
    remittance: '',
    status: 'booked' as const,
    proposal: null,
    customer: NORDLICHT,
  }
  const statement = { ...statementOf(settled), fileName: '', openCount: 0, deletedAt: '2035-01-02T03:40:00Z' }
  const { isBalanced: _isBalanced, entries: _entries, ...row } = statement
  server.answer(listBankStatements, pageOf([row]))
  server.answer(getBankStatement, statement)
  await visit('/invoices/bank-statements')
  // Its file has no name any more: the day on which it was read in calls it.
  await page.getByRole('row', { name: /^23 Nov 2026/ }).click()
  await expect.element(page.getByText(/^Names, accounts and words were deleted on 02 Jan 2035/)).toBeVisible()
  await expect.element(page.getByRole('row', { name: /999\.97/ })).toBeVisible()
  await expectAccessibleInBothLooks()
})

test('goes down and up the statements by keys', async () => {
  const { isBalanced: _isBalanced, entries: _entries, ...row } = statementOf(entryOf([]))
  const rows = [row, { ...row, id: 2, number: '951' }]
  server.answer(listBankStatements, pageOf(rows))
  await visit('/invoices/bank-statements')
  const at = () => document.querySelector('tr[data-current]')?.textContent
  await expect.element(page.getByRole('cell', { name: '951' })).toBeVisible()
  expect(at()).toBeUndefined()
  for (const [key, number] of [
    ['j', '952'],
    ['j', '951'],
    ['j', '951'],
    ['k', '952'],
  ] as const) {
    await press(key)
    await expect.poll(at).toContain(number)
  }
})
