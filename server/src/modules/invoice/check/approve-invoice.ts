import { missingForApproval, type DifferenceKind } from '@waybill/contract/invoice/check'
import { APPROVAL_UNDO_GRACE_SECONDS, type InvoiceCheck } from '@waybill/contract/invoice/checking'
import { allowedInvoiceMoves, isApprovedInvoice, isReceivedInvoice } from '@waybill/contract/invoice/status'
import type { ExtraKind } from '@waybill/contract/order/extra'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { bookExtras, unbookExtras } from '../../order/index.ts'
import { lockOrdersOf, lockReadInvoice } from '../invoice.repository.ts'
import { writeMove } from '../moves/write-move.ts'
import { checkInvoice, differencesOf } from './check-invoice.ts'
import { keepCurrency } from './currency.repository.ts'

/** What the answer to a difference is booked as. */
const EXTRA_OF_DIFFERENCE: Readonly<Record<DifferenceKind, ExtraKind>> = {
  waiting: 'waiting_time',
  tolls: 'tolls',
  weight: 'weight',
  customs: 'customs',
  deduction: 'deduction',
  other: 'other',
}

interface Approval {
  difference: DifferenceKind | null
  reason: string | null
  /** what was seen of the checks; null: whatever they say now */
  seen: string | null
  /** when it happened; now where left out */
  at?: string
}

/**
 * Approves a carrier's invoice as its checks stand. Errors: `illegal_transition`, `stale_version` with the check as it
 * is now, `conflict` for an inactive one, `required` at `answers.amount`, `reason_missing`.
 */
export async function approveInvoice(
  ctx: Ctx,
  id: number,
  version: number,
  { difference, reason, seen, at = nowOf(ctx) }: Approval,
): Promise<InvoiceCheck> {
  await checkInvoice(ctx, id)
  const { status: from, state } = await lockReadInvoice(ctx, id)
  if (!isReceivedInvoice(from))
    throw new AppError('illegal_transition', {
      from,
      to: 'approved',
      allowed: allowedInvoiceMoves('carrier', from).map(({ to }) => to),
    })
  // No run proposes what is put aside: approved, it would be forgotten.
  if (state === 'inactive') throw new AppError('conflict')
  await lockOrdersOf(ctx, id, 'no key update')
  const check = await checkInvoice(ctx, id)
  if (check.version !== version || (seen !== null && check.seen !== seen))
    throw new AppError('stale_version', { current: check })
  const fields = missingForApproval(check.checks, { difference, reason })
  if (fields.length > 0) throw new AppError('validation', { fields })
  // An electronic invoice of before its currency was kept: what it says goes onto the record before it can be paid.
  const { found: currency } = check.checks.find(({ key }) => key === 'currency')!
  if (typeof currency === 'string') await keepCurrency(ctx, id, currency)
  const differs = check.checks.some(({ answer }) => answer === 'difference')
  const differenceKind = differs ? difference : null
  await writeMove(ctx, check, {
    from,
    to: 'approved',
    at,
    reason,
    columns: { approvedById: actorOf(ctx).userId, differenceKind, approvalReason: reason },
    before: { differenceKind: null },
    after: { differenceKind },
  })
  // What was paid beyond the agreed cost is a cost of the order from now on.
  if (differenceKind !== null)
    await bookExtras(ctx, {
      invoiceId: id,
      kind: EXTRA_OF_DIFFERENCE[differenceKind],
      note: reason,
      shares: await differencesOf(ctx, id),
    })
  return checkInvoice(ctx, id)
}

/** What a move out of `approved` writes: what the difference was for is answered anew. */
export const WITHDRAWN = { differenceKind: null, approvalReason: null }

/**
 * Takes back what an approval has booked, before its invoice is set aside or canceled; the caller holds the lock of the
 * invoice. Error: `conflict` where it is on a customer's invoice by now.
 */
export async function withdrawApproval(ctx: Ctx, id: number): Promise<void> {
  await lockOrdersOf(ctx, id, 'no key update')
  await unbookExtras(ctx, id)
}

/** Takes one's own approval back. Errors: `stale_version`, `conflict` where that is too late or somebody else's. */
export async function undoApproval(ctx: Ctx, id: number, version: number): Promise<InvoiceCheck> {
  await checkInvoice(ctx, id)
  const invoice = await lockReadInvoice(ctx, id)
  if (invoice.version !== version) throw new AppError('stale_version', { current: await checkInvoice(ctx, id) })
  const until = Date.parse(invoice.approvedAt ?? '') + (UNDO_SECONDS + APPROVAL_UNDO_GRACE_SECONDS) * 1000
  const isOpen = isApprovedInvoice(invoice.status) && ctx.clock.now().getTime() <= until
  if (!isOpen || invoice.approvedById !== actorOf(ctx).userId) throw new AppError('conflict')
  await withdrawApproval(ctx, id)
  await writeMove(ctx, invoice, {
    from: invoice.status,
    to: 'received',
    // It is in the queue as it was.
    at: invoice.receivedAt ?? invoice.createdAt,
    columns: { approvedAt: null, approvedById: null, ...WITHDRAWN },
    before: { differenceKind: invoice.differenceKind },
    after: { differenceKind: null },
  })
  return checkInvoice(ctx, id)
}
