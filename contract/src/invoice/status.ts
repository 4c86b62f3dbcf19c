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
  /** which action may make it: the status action, or alone a full correction, or taking an approval back */
  readonly by: 'status' | 'correction' | 'undo'
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
  move('carrier', 'paid', 'back', 'approved', true),
  move('carrier', 'approved', 'back', 'received', false, 'undo'),
]

/** The moves that the status action may make from a status on one side. */
export const allowedInvoiceMoves = (side: InvoiceSide, from: InvoiceStatus): InvoiceMove[] =>
  INVOICE_MOVES.filter((one) => one.side === side && one.from === from && one.by === 'status')

/** What keeps a move from being made; empty = it may be. */
export const missingForInvoice = (
  one: InvoiceMove,
  { reason }: { reason?: string | null },
): Extract<FieldErrorCode, 'reason_missing'>[] => (one.needsReason && !reason?.trim() ? ['reason_missing'] : [])

/**
 * A customer's invoice that has left the house can only be corrected (domain, Invoices).
 * One canceled before it was sent has no number and stays as it is, too.
 */
export const isFrozenInvoice = (side: InvoiceSide, status: InvoiceStatus): boolean =>
  side === 'customer' && status !== 'created'

/** Of a customer's invoice that is not sent: a draft, or on its way to KSeF. */
export const UNSENT_INVOICE = FIRST_INVOICE_STATUS.customer

/** A customer's draft: what sending makes an invoice of. */
export const isSendable = (side: InvoiceSide, status: InvoiceStatus): boolean =>
  side === 'customer' && status === 'created'

/** Numbered and frozen, and on its way to KSeF: whether it is sent, KSeF decides (decision 085). */
export const isUndecidedInvoice = (invoice: {
  entityType: InvoiceSide
  status: InvoiceStatus
  number: string | null
}): boolean => isSendable(invoice.entityType, invoice.status) && invoice.number !== null

/** The move that gives an invoice its number and freezes it, with a mail or without (domain, Invoices). */
export const isSending = ({ side, from, to }: Pick<InvoiceMove, 'side' | 'from' | 'to'>): boolean =>
  isSendable(side, from) && to === 'sent'

/** Sent and still billed: what a correction may refer to. */
export const isBilled = (status: InvoiceStatus): boolean => status === 'sent' || status === 'paid'

/** A correction is written of what is billed, never of another correction (domain, Invoices). */
export const isCorrectable = (invoice: {
  entityType: InvoiceSide
  status: InvoiceStatus
  correctionOfId: number | null
}): boolean => invoice.entityType === 'customer' && isBilled(invoice.status) && invoice.correctionOfId === null

/** It bills nothing, and leaves the freight of its orders free to be billed anew. */
export const CANCELED_INVOICE = 'canceled' as const satisfies InvoiceStatus
export const isCanceledInvoice = (status: InvoiceStatus): boolean => status === CANCELED_INVOICE

/** A carrier's invoice that was checked and is about to be paid, and one that is paid. */
export const APPROVED_INVOICE = 'approved' as const satisfies InvoiceStatus
export const isApprovedInvoice = (status: InvoiceStatus): boolean => status === APPROVED_INVOICE
/** A customer's invoice that has left the house and waits for the money. */
export const isSentInvoice = (status: InvoiceStatus): boolean => status === 'sent'
export const isPaidInvoice = (status: InvoiceStatus): boolean => status === 'paid'

const CHANGEABLE: Readonly<Record<InvoiceSide, readonly InvoiceStatus[]>> = {
  customer: ['created'],
  carrier: ['received', 'in_progress'],
}

/** What a save may still write: before it is sent; on the carrier side, before it is approved. */
export const mayChangeInvoice = (side: InvoiceSide, status: InvoiceStatus): boolean => CHANGEABLE[side].includes(status)

/** A carrier's invoice that waits to be checked, and one that waits because something is wrong with it. */
export const isReceivedInvoice = (status: InvoiceStatus): boolean => status === 'received'
export const HELD_INVOICE = 'in_progress' as const satisfies InvoiceStatus
export const isHeldInvoice = (status: InvoiceStatus): boolean => status === HELD_INVOICE
/** Neither is checked to its end. */
export const UNCHECKED_INVOICE_STATUSES = ['received', HELD_INVOICE] as const satisfies readonly InvoiceStatus[]

/** What a carrier is paid for, or is about to be. */
export const PASSED_INVOICE_STATUSES = ['approved', 'paid'] as const satisfies readonly InvoiceStatus[]

/** What was approved or paid is kept; so is a customer's with a number, in whatever status. */
export const mayDeleteInvoice = (status: InvoiceStatus): boolean => status !== 'approved' && status !== 'paid'

/** The statuses in which an invoice is still to be paid, by its side. */
export const OPEN_INVOICE_STATUSES: Readonly<Record<InvoiceSide, readonly InvoiceStatus[]>> = {
  customer: ['sent'],
  carrier: ['received', 'approved', 'in_progress'],
}

/** Nothing more comes of it, on either side. */
export const ENDED_INVOICE_STATUSES = ['paid', 'canceled'] as const satisfies readonly InvoiceStatus[]

/** Derived, never stored: still to be paid, and the due date lies before today (both `YYYY-MM-DD`). */
export const isOverdueInvoice = (
  side: InvoiceSide,
  status: InvoiceStatus,
  dueDate: string | null,
  today: string,
): boolean => dueDate !== null && dueDate < today && OPEN_INVOICE_STATUSES[side].includes(status)

/** Only before it is sent; on the carrier side, before it is approved (domain, Active/inactive). */
export const mayDeactivateInvoice = (side: InvoiceSide, status: InvoiceStatus): boolean =>
  mayChangeInvoice(side, status)
