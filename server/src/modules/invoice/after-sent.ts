import { tell, type Ctx } from '../../kit/context/context.ts'
import { freeBilled, lockInvoice, sentCorrectionGroups } from './invoice.repository.ts'
import { cancelsOut } from './invoice.rules.ts'
import { settleInvoices } from './moves/settle-invoice.ts'
import { writeMove } from './moves/write-move.ts'

type Row = NonNullable<Awaited<ReturnType<typeof lockInvoice>>>

/**
 * A correction that, with those before it, takes the original back in full cancels it,
 * and its freight may be billed anew (domain, Invoices).
 */
async function cancelIfTakenBack(ctx: Ctx, original: Row): Promise<void> {
  if (!cancelsOut([...original.vatGroups, ...(await sentCorrectionGroups(ctx, original.id))])) return
  await writeMove(ctx, original, { from: original.status, to: 'canceled' })
  await freeBilled(ctx, original.id)
}

/** What an invoice that was just sent does to its original, in the caller's transaction; nothing where it has none. */
export async function afterSent(
  ctx: Ctx,
  { id, correctionOfId }: { id: number; correctionOfId: number | null },
): Promise<void> {
  await tell(ctx, { type: 'invoice.wentOut', invoiceId: id })
  if (correctionOfId === null) return
  const original = (await lockInvoice(ctx, correctionOfId))!
  await tell(ctx, { type: 'invoice.corrected', invoiceId: id, originalId: original.id })
  await cancelIfTakenBack(ctx, original)
  await settleInvoices(ctx, [original.id], null)
}
