import {
  getBookkeepingProposal,
  listBatches,
  listBookkeepingCompanies,
  type BatchRow,
} from '@waybill/contract/bookkeeping/bookkeeping'
import { getPaymentFile, listPaymentFiles } from '@waybill/contract/payment-file/payment-file'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { pageOf, server } from './kit/fake-server.ts'
import { ANNA, offerMasterData, WAYBILL } from './records/master-data.ts'
import { runOf } from './records/payment-run.ts'

/* What payments said is gone at the end of its period; what stays says so (decision 177). */

const DELETED_AT = '2035-01-02T03:40:00Z'

beforeEach(() => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  offerMasterData()
})

test('a payment run says when its file was deleted, and offers it no more', async () => {
  const run = runOf({ deletedAt: DELETED_AT })
  server.answer(listPaymentFiles, pageOf([run]))
  server.answer(getPaymentFile, run)
  await visit('/invoices/payment-runs?view=runs')
  const panel = page.getByRole('complementary', { name: /PR-2026-0005/ })
  await expect.element(panel.getByText('deleted on 02 Jan 2035, at the end of its period')).toBeVisible()
  await expect.element(panel.getByRole('button', { name: run.fileName })).not.toBeInTheDocument()
  await expect.element(panel.getByRole('row', { name: /^Brda Trans s\.c\./ })).toMatchTextContent('900.00')
  await expectAccessibleInBothLooks()
})

test('a batch of bookings says when its file was deleted, and offers its table alone', async () => {
  const batch: BatchRow = {
    id: 4,
    version: 1,
    number: '2026-10/1',
    company: WAYBILL,
    month: '2026-10',
    fiscalYear: '2026-01-01',
    rowCount: 12,
    debitCents: 120_000,
    creditCents: 120_000,
    fileName: 'EXTF_2026-10_1.csv',
    createdAt: '2026-11-02T09:00:00Z',
    createdBy: ANNA,
    voidedAt: null,
    voidedBy: null,
    voidReason: null,
    deletedAt: null,
    earlier: [],
  }
  server.answer(listBookkeepingCompanies, { items: [{ ...WAYBILL, isSetUp: true, hasDatev: true }] })
  server.answer(getBookkeepingProposal, {
    isSetUp: true,
    sums: [],
    rowCount: 0,
    findings: [],
    missingNumbers: 0,
    earlier: [],
  })
  server.answer(
    listBatches,
    pageOf([
      { ...batch, deletedAt: DELETED_AT },
      { ...batch, id: 3, number: '2026-09/1' },
    ]),
  )
  await visit('/invoices/bookkeeping')
  const [gone, there] = ['2026-10/1', '2026-09/1'].map((number) =>
    page.getByRole('listitem').filter({ hasText: number }),
  ) as [ReturnType<typeof page.getByRole>, ReturnType<typeof page.getByRole>]
  await expect.element(gone.getByText(/^Names, words and file deleted on 02 Jan 2035/)).toBeVisible()
  await expect.element(gone.getByRole('button', { name: 'DATEV' })).not.toBeInTheDocument()
  await expect.element(gone.getByRole('button', { name: /Export/ })).toBeVisible()
  await expect.element(there.getByRole('button', { name: 'DATEV' })).toBeVisible()
  await expectAccessibleInBothLooks()
})
