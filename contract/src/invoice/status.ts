import type { FieldErrorCode } from '../errors.ts'

export type InvoiceSide = 'customer' | 'carrier'

/** Spec §4; `paid` and `canceled` on the carrier side are this product's addition (domain, Invoices). */
export const INVOICE_STATUSES = ['created', 'sent', 'received', 'approved', 'in_progress', 'paid', 'canceled'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const FIRST_INVOICE_STATUS = { customer: 'created', carrier: 'received' } as const satisfies Record<
  InvoiceSide,
  InvoiceStatus
>

export interface InvoiceMove {
  readonly side: InvoiceSide
  readonly from: InvoiceStatus
  readonly to: InvoiceStatus
  /** `next` goes on, `back` takes a step back, `hold` pauses the processing, `out` ends the invoice */
  readonly kind: 'next' | 'back' | 'hold' | 'out'
  readonly needsReason: boolean
  /** which action may make it: the status action, or a full correction alone */
  readonly by: 'status' | 'correction'
}

const move = (
  side: InvoiceSide,
  from: InvoiceStatus,
  kind: InvoiceMove['kind'],
  to: InvoiceStatus,
  needsReason = false,
  by: InvoiceMove['by'] = 'status',
): InvoiceMove => ({ side, from, to, kind, needsReason, by })

/** Both sides' moves (domain, Invoices). A pause says what the problem is, a bounced payment why it came back. */
export const INVOICE_MOVES: readonly InvoiceMove[] = [
  move('customer', 'created', 'next', 'sent'),
  move('customer', 'sent', 'next', 'paid'),
  move('customer', 'created', 'out', 'canceled'),
  move('customer', 'paid', 'back', 'sent', true),
  move('customer', 'sent', 'out', 'canceled', false, 'correction'),
  move('customer', 'paid', 'out', 'canceled', false, 'correction'),
  move('carrier', 'received', 'next', 'approved'),
  move('carrier', 'received', 'hold', 'in_progress', true),
  move('carrier', 'in_progress', 'back', 'received'),
  move('carrier', 'approved', 'hold', 'in_progress', true),
  move('carrier', 'approved', 'next', 'paid'),
  move('carrier', 'received', 'out', 'canceled'),
  move('carrier', 'in_progress', 'out', 'canceled'),
  move('carrier', 'paid', 'back', 'approved'),
]

/** The moves that the status action may make from a status on one side. */
export const allowedInvoiceMoves = (side: InvoiceSide, from: InvoiceStatus): InvoiceMove[] =>
  INVOICE_MOVES.filter((one) => one.side === side && one.from === from && one.by === 'status')

/** What keeps a move from being made; empty = it may be. */
export const missingForInvoice = (
  one: InvoiceMove,
  { reason }: { reason?: string | null },
): Extract<FieldErrorCode, 'reason_missing'>[] => (one.needsReason && !reason?.trim() ? ['reason_missing'] : [])

/** A customer's invoice that has left the house can only be corrected (domain, Invoices). One canceled before it was sent has no number and stays as it is, too. */
export const isFrozenInvoice = (side: InvoiceSide, status: InvoiceStatus): boolean =>
  side === 'customer' && status !== 'created'

const OPEN: Readonly<Record<InvoiceSide, readonly InvoiceStatus[]>> = {
  customer: ['sent'],
  carrier: ['received', 'approved', 'in_progress'],
}

/** Derived, never stored: still to be paid, and the due date lies before today (both `YYYY-MM-DD`). */
export const isOverdueInvoice = (
  side: InvoiceSide,
  status: InvoiceStatus,
  dueDate: string | null,
  today: string,
): boolean => dueDate !== null && dueDate < today && OPEN[side].includes(status)

const DEACTIVATABLE: Readonly<Record<InvoiceSide, readonly InvoiceStatus[]>> = {
  customer: ['created'],
  carrier: ['received', 'in_progress'],
}

/** Only before it is sent; on the carrier side, before it is approved (domain, Active/inactive). */
export const mayDeactivateInvoice = (side: InvoiceSide, status: InvoiceStatus): boolean =>
  DEACTIVATABLE[side].includes(status)
