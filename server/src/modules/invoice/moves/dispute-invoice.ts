import { isSentInvoice } from '@waybill/contract/invoice/status'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import { lockInvoice } from '../invoice.repository.ts'

/**
 * Marks a customer's sent invoice as disputed, with the reason, or takes the mark off (`null`). Errors: `not_found`,
 * `stale_version`, `conflict` for one that is not sent, or is as it shall be.
 */
export async function disputeInvoice(ctx: Ctx, id: number, version: number, reason: string | null): Promise<Invoice> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await lockInvoice(ctx, id)
  const current = await invoiceView(ctx, visible, id)
  if (invoice?.version !== version) throw new AppError('stale_version', { current })
  if (invoice.entityType !== 'customer' || !isSentInvoice(invoice.status) || current.isDisputed === (reason !== null))
    throw new AppError('conflict')
  await ctx.db
    .updateTable('receivable')
    .set({
      disputedAt: reason === null ? null : nowOf(ctx),
      disputedById: reason === null ? null : actorOf(ctx).userId,
      disputeReason: reason,
    })
    .where('invoiceId', '=', id)
    .execute()
  await ctx.db
    .updateTable('invoice')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: id,
    action: reason === null ? 'disputeEnded' : 'disputed',
    reason,
  })
  return invoiceView(ctx, visible, id)
}
