import { describe, expect, test } from 'vitest'
import {
  allowedInvoiceMoves,
  FIRST_INVOICE_STATUS,
  INVOICE_MOVES,
  INVOICE_STATUSES,
  isBilled,
  isCanceledInvoice,
  isCorrectable,
  isFrozenInvoice,
  isOverdueInvoice,
  isSendable,
  isSending,
  mayChangeInvoice,
  mayDeactivateInvoice,
  mayDeleteInvoice,
  missingForInvoice,
  type InvoiceSide,
  type InvoiceStatus,
} from './status.ts'

describe('the moves of invoices', () => {
  test.each<[InvoiceSide, InvoiceStatus, InvoiceStatus[]]>([
    ['customer', 'created', ['sent', 'canceled']],
    ['customer', 'sent', ['paid']],
    ['customer', 'paid', ['sent']],
    ['customer', 'canceled', []],
    ['customer', 'received', []],
    ['customer', 'approved', []],
    ['customer', 'in_progress', []],
    ['carrier', 'received', ['approved', 'in_progress', 'canceled']],
    ['carrier', 'in_progress', ['received', 'canceled']],
    ['carrier', 'approved', ['in_progress', 'paid']],
    ['carrier', 'paid', ['approved']],
    ['carrier', 'canceled', []],
    ['carrier', 'created', []],
    ['carrier', 'sent', []],
  ])('%s side, from %s: %j', (side, from, to) => {
    expect(allowedInvoiceMoves(side, from).map((move) => move.to)).toEqual(to)
  })

  test('a sent or paid invoice of a customer is canceled by a correction alone', () => {
    const cancels = INVOICE_MOVES.filter(
      ({ side, to, from }) => side === 'customer' && to === 'canceled' && from !== 'created',
    )
    expect(cancels.map(({ from, by }) => `${from} ${by}`)).toEqual(['sent correction', 'paid correction'])
  })

  test('a bounced payment and a pause say why', () => {
    const needing = INVOICE_MOVES.filter((move) => move.needsReason)
    expect(needing.map(({ side, from, to }) => `${side} ${from} ${to}`)).toEqual([
      'customer paid sent',
      'carrier received in_progress',
      'carrier approved in_progress',
      'carrier paid approved',
    ])
    for (const move of needing) {
      expect(missingForInvoice(move, {})).toEqual(['reason_missing'])
      expect(missingForInvoice(move, { reason: ' ' })).toEqual(['reason_missing'])
      expect(missingForInvoice(move, { reason: 'POD missing' })).toEqual([])
    }
    for (const move of INVOICE_MOVES.filter((one) => !one.needsReason)) expect(missingForInvoice(move, {})).toEqual([])
  })

  test('every status of a side is reached from its first', () => {
    const reached = (side: InvoiceSide) => {
      const found = new Set<InvoiceStatus>([FIRST_INVOICE_STATUS[side]])
      for (const status of found)
        for (const move of INVOICE_MOVES) if (move.side === side && move.from === status) found.add(move.to)
      return [...found].toSorted()
    }
    expect(reached('customer')).toEqual(['canceled', 'created', 'paid', 'sent'])
    expect(reached('carrier')).toEqual(['approved', 'canceled', 'in_progress', 'paid', 'received'])
  })
})

test('a customer’s invoice can be changed while created only, a carrier’s is never frozen', () => {
  expect(INVOICE_STATUSES.filter((status) => !isFrozenInvoice('customer', status))).toEqual(['created'])
  expect(INVOICE_STATUSES.some((status) => isFrozenInvoice('carrier', status))).toBe(false)
})

test('an invoice is overdue from the day after its due date until it is paid or canceled', () => {
  expect(isOverdueInvoice('customer', 'sent', '2027-01-15', '2027-01-15')).toBe(false)
  expect(isOverdueInvoice('customer', 'sent', '2027-01-15', '2027-01-16')).toBe(true)
  expect(isOverdueInvoice('customer', 'sent', null, '2027-01-16')).toBe(false)
  expect(INVOICE_STATUSES.filter((status) => isOverdueInvoice('customer', status, '2027-01-15', '2027-02-01'))).toEqual(
    ['sent'],
  )
  expect(INVOICE_STATUSES.filter((status) => isOverdueInvoice('carrier', status, '2027-01-15', '2027-02-01'))).toEqual([
    'received',
    'approved',
    'in_progress',
  ])
})

test('an invoice may be deactivated before it is sent or approved', () => {
  expect(INVOICE_STATUSES.filter((status) => mayDeactivateInvoice('customer', status))).toEqual(['created'])
  expect(INVOICE_STATUSES.filter((status) => mayDeactivateInvoice('carrier', status))).toEqual([
    'received',
    'in_progress',
  ])
})

test.each<[string, InvoiceStatus[], (status: InvoiceStatus) => boolean]>([
  ['a customer’s is sent while created only', ['created'], (status) => isSendable('customer', status)],
  ['a carrier’s is never sent', [], (status) => isSendable('carrier', status)],
  ['a customer’s is written while created only', ['created'], (status) => mayChangeInvoice('customer', status)],
  [
    'a carrier’s is written until it is approved',
    ['received', 'in_progress'],
    (status) => mayChangeInvoice('carrier', status),
  ],
  ['approved and paid ones are kept', ['approved', 'paid'], (status) => !mayDeleteInvoice(status)],
  ['sent and paid ones bill something', ['sent', 'paid'], isBilled],
  ['canceled ones bill nothing', ['canceled'], isCanceledInvoice],
])('of the statuses: %s', (_name, expected, holds) => {
  expect(INVOICE_STATUSES.filter((status) => holds(status))).toEqual(expected)
})

test('a correction is of what is billed, and never of a correction', () => {
  const invoice = { entityType: 'customer', status: 'sent', correctionOfId: null } as const
  expect(isCorrectable(invoice)).toBe(true)
  expect(isCorrectable({ ...invoice, status: 'created' })).toBe(false)
  expect(isCorrectable({ ...invoice, correctionOfId: 1 })).toBe(false)
  expect(isCorrectable({ ...invoice, entityType: 'carrier' })).toBe(false)
})

test('sending is one move of the table, and no other', () => {
  expect(INVOICE_MOVES.filter(isSending)).toEqual([
    expect.objectContaining({ side: 'customer', from: 'created', to: 'sent' }),
  ])
})
