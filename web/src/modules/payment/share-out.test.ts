import type { OpenInvoice } from '@waybill/contract/payment/payment'
import { expect, test } from 'vitest'
import { afterShare, restToWriteOff, shareOut } from './share-out.ts'

const invoice = (id: number, openCents: number, offers: OpenInvoice['offers'] = []): OpenInvoice => ({
  id,
  number: String(id),
  invoiceDate: '2026-11-01',
  dueDate: '2026-12-01',
  isOverdue: false,
  isDisputed: false,
  totalCents: openCents,
  openCents,
  offers,
})

test('a payment goes to the invoice in hand, then to the oldest due, and what is left to none', () => {
  const invoices = [invoice(1, 500), invoice(2, 300), invoice(3, 400)]
  const shared = (amountCents: number) => [...shareOut(invoices, { amountCents, firstId: 2, valueDate: '2026-11-05' })]
  expect(shared(200)).toEqual([[2, 200]])
  expect(shared(900)).toEqual([
    [2, 300],
    [1, 500],
    [3, 100],
  ])
  expect(shared(5000).reduce((sum, [, cents]) => sum + cents, 0)).toBe(1200)
  expect(shared(0)).toEqual([])
})

test('a payment that lacks the Skonto alone pays its invoice, until its day', () => {
  const offers = [{ percentBp: 200, amountCents: 2000, until: '2026-11-11' }]
  expect(afterShare({ openCents: 100_000, offers }, 98_000, '2026-11-11')).toEqual({ skontoCents: 2000, leftCents: 0 })
  expect(afterShare({ openCents: 100_000, offers }, 98_000, '2026-11-12')).toEqual({
    skontoCents: 0,
    leftCents: 2000,
  })
  expect(afterShare({ openCents: 100_000, offers }, 97_999, '2026-11-11').skontoCents).toBe(0)
})

test('what a share lacks can be written off where it is little, and not Skonto or what somebody will still pay', () => {
  const offers = [{ percentBp: 200, amountCents: 20, until: '2026-11-10' }]
  expect(restToWriteOff(invoice(1, 10_000), 9_997, '2026-11-05')).toBe(3)
  expect(restToWriteOff(invoice(1, 10_000), 9_500, '2026-11-05')).toBe(500)
  expect(restToWriteOff(invoice(1, 10_000), 9_499, '2026-11-05')).toBe(0)
  expect(restToWriteOff(invoice(1, 10_000), 10_000, '2026-11-05')).toBe(0)
  expect(restToWriteOff(invoice(1, 10_000), 10_001, '2026-11-05')).toBe(0)
  // Of an invoice on which nothing came, nothing is given up.
  expect(restToWriteOff(invoice(1, 300), 0, '2026-11-05')).toBe(0)
  expect(restToWriteOff(invoice(1, 1000, offers), 980, '2026-11-05')).toBe(0)
  expect(restToWriteOff(invoice(1, 1000, offers), 980, '2026-11-11')).toBe(20)
})
