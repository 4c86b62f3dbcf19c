import {
  getPaymentProposal,
  listDebtorBanks,
  setOffInvoices,
  type PaymentProposal,
} from '@waybill/contract/payment-file/payment-file'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'

const COMPANY = { id: 1, title: 'Waybill Spedition GmbH' }
const proposalOf = (setOffs: PaymentProposal['setOffs']): PaymentProposal => ({
  items: [],
  leftOut: [],
  setOffs,
  later: { count: 0, totalCents: 0 },
  firstDay: '2026-11-25',
})

test('sets an invoice and a credit note off, and says why it could not', async () => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  server.answer(listDebtorBanks, {
    items: [{ id: 9, company: COMPANY, bankName: null, countryCode: 'DE', ibanTail: '4821', isConfirmed: true }],
  })
  const setOff = {
    carrierCompany: { id: 3, title: 'Wolski Transport' },
    invoices: [
      { id: 31, title: 'FV/31', totalCents: 120_00 },
      { id: 32, title: 'KOR/32', totalCents: -120_00 },
    ],
    totalCents: 120_00,
  }
  server.answer(getPaymentProposal, proposalOf([setOff]))
  server.answer(
    setOffInvoices,
    refusal('validation', {
      errors: [{ path: 'invoiceIds.1', code: 'in_payment_run', message: 'It is in a payment run' }],
    }),
  )
  await visit('/invoices/payment-runs?view=new')
  const part = page.getByRole('region', { name: 'Can be set off' })
  const button = part.getByRole('button', { name: 'Set off Wolski Transport: FV/31, KOR/32' })
  await expect.element(part.getByText('120.00')).toBeVisible()
  await expectAccessibleInBothLooks()
  await button.click()
  await expect.element(page.getByText('Not set off')).toBeVisible()
  server.answer(setOffInvoices, setOff)
  server.answer(getPaymentProposal, proposalOf([]))
  await button.click()
  await expect.element(page.getByText('Set off: FV/31, KOR/32')).toBeVisible()
  await expect.element(part).not.toBeInTheDocument()
  expect(server.calls(setOffInvoices).map(({ body }) => body)).toEqual([
    { invoiceIds: [31, 32] },
    { invoiceIds: [31, 32] },
  ])
})
