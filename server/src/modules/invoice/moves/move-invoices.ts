import { sql } from 'kysely'
import { allowedInvoiceMoves, missingForInvoice, type InvoiceStatus } from '@waybill/contract/invoice/status'
import { auditMoved } from '../../../kit/records/audit.ts'
import { nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { STATUS_COLUMNS } from '../invoice.rules.ts'
import '../invoice.table.ts'

/**
 * Moves many invoices by the contract's table, all or none, in the caller's transaction: what a payment run does. The
 * caller has made sure that they may be known of, and of the version of what it rests on. Errors: `illegal_transition`,
 * `reason_missing`.
 */
export async function moveInvoicesTogether(
  ctx: Ctx,
  ids: readonly number[],
  { to, reason }: { to: InvoiceStatus; reason: string | null },
): Promise<void> {
  if (ids.length === 0) return
  const invoices = await ctx.db
    .selectFrom('invoice')
    .select(['id', 'entityType', 'status'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { entityType, status: from } of invoices) {
    const allowed = allowedInvoiceMoves(entityType, from)
    const move = allowed.find((one) => one.to === to)
    if (!move) throw new AppError('illegal_transition', { from, to, allowed: allowed.map((one) => one.to) })
    const [missing] = missingForInvoice(move, { reason })
    if (missing) throw fieldError('reason', missing)
  }
  const at = nowOf(ctx)
  await ctx.db
    .updateTable('invoice')
    .set((eb) => ({ status: to, statusDate: at, [STATUS_COLUMNS[to]]: at, version: eb('version', '+', 1) }))
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
  await auditMoved(
    ctx,
    'invoice',
    invoices.map(({ id, status: from }) => ({ id, from, to })),
    reason,
  )
  for (const { id: invoiceId, status: from } of invoices)
    await tell(ctx, { type: 'invoice.moved', invoiceId, from, to, reason })
}
