import type { Invoice } from '@waybill/contract/invoice/invoice'
import {
  allowedInvoiceMoves,
  isApprovedInvoice,
  isCanceledInvoice,
  isHeldInvoice,
  isReceivedInvoice,
  isSending,
  missingForInvoice,
  type InvoiceStatus,
} from '@waybill/contract/invoice/status'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { approveInvoice, WITHDRAWN, withdrawApproval } from '../check/approve-invoice.ts'
import { closeProblem, openProblem } from '../check/hold-invoice.ts'
import { readCurrency } from '../check/read-currency.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import { freeBilled, lockReadInvoice } from '../invoice.repository.ts'
import { numberInvoice, proveInvoice, type ProvedInvoice } from '../send-invoice.ts'
import { writeMove } from './write-move.ts'

interface Move {
  to: InvoiceStatus
  reason: string | null
  /** when it happened; now where left out */
  at?: string | undefined
}

/** Outside of any transaction: what the move of a draft to `sent` is proved by; null for every other move. */
export async function proveMove(
  ctx: Ctx,
  id: number,
  version: number,
  { to }: Pick<Move, 'to'>,
): Promise<ProvedInvoice | null> {
  const { entityType: side, status: from } = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (isReceivedInvoice(from) && isApprovedInvoice(to)) await readCurrency(ctx, id)
  return isSending({ side, from, to }) ? proveInvoice(ctx, id, version) : null
}

/**
 * Moves an invoice by the contract's table. `sent` from `created` freezes like a sending, without a mail, and needs
 * what `proveMove` gave. Approving a carrier's invoice asks its checks: a reason stands for whatever they ask.
 * Asking for the status it has is a no-op.
 * Errors: `illegal_transition`, `stale_version`, `reason_missing`, `invalid_value` for a time that has not come.
 */
export async function moveInvoice(
  ctx: Ctx,
  id: number,
  version: number,
  { to, reason, at: given }: Move,
  proved: ProvedInvoice | null = null,
): Promise<Invoice> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await lockReadInvoice(ctx, id)
  const { entityType, status: from } = invoice
  if (from === to) return invoiceView(ctx, visible, id)
  const allowed = allowedInvoiceMoves(entityType, from)
  const move = allowed.find((one) => one.to === to)
  if (!move) throw new AppError('illegal_transition', { from, to, allowed: allowed.map((one) => one.to) })
  if (invoice.version !== version) throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  const [missing] = missingForInvoice(move, { reason })
  if (missing) throw fieldError('reason', missing)
  const now = nowOf(ctx)
  if (given !== undefined && Date.parse(given) > Date.parse(now)) throw fieldError('at', 'invalid_value')
  if (isSending(move)) {
    if (proved === null) throw new AppError('conflict')
    return numberInvoice(ctx, id, version, { proved, mail: null })
  }
  if (isReceivedInvoice(from) && isApprovedInvoice(to)) {
    const at = given === undefined ? now : new Date(given).toISOString()
    await approveInvoice(ctx, id, version, { difference: reason === null ? null : 'other', reason, seen: null, at })
    return invoiceView(ctx, visible, id)
  }
  const at = given === undefined ? now : new Date(given).toISOString()
  const isWithdrawn = entityType === 'carrier' && (isHeldInvoice(to) || isCanceledInvoice(to))
  if (isWithdrawn) await withdrawApproval(ctx, id)
  await writeMove(ctx, invoice, {
    from,
    to,
    at,
    reason,
    ...(isWithdrawn && {
      columns: WITHDRAWN,
      before: { differenceKind: invoice.differenceKind },
      after: { differenceKind: null },
    }),
  })
  if (isCanceledInvoice(to)) await freeBilled(ctx, id)
  if (isHeldInvoice(from)) await closeProblem(ctx, id)
  if (isHeldInvoice(to))
    await openProblem(ctx, id, { kind: 'other', text: reason!, waitsFor: 'us', stopsTerm: false, isTold: false })
  return invoiceView(ctx, visible, id)
}
