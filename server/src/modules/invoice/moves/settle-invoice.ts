import { sql } from 'kysely'
import { isPaidInvoice, isSentInvoice } from '@waybill/contract/invoice/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { writeMove } from './write-move.ts'
import '../invoice.table.ts'

/**
 * Gives customers' invoices the status that what is open of them asks for, in the caller's transaction: paid once
 * nothing is, sent again where something is. A correction stays sent: nobody pays it. `at` is when the money came.
 */
export async function settleInvoices(
  ctx: Ctx,
  ids: readonly number[],
  reason: string | null,
  at?: string,
): Promise<void> {
  const invoices = await ctx.db
    .selectFrom('invoice')
    .innerJoin('receivable', 'receivable.invoiceId', 'invoice.id')
    .select(['invoice.id', 'invoice.version', 'invoice.status', 'invoice.correctionOfId', 'receivable.openCents'])
    .where(sql<boolean>`invoice.id = any(${ids}::bigint[])`)
    .orderBy('invoice.id')
    .forUpdate('invoice')
    .execute()
  for (const { status, openCents, correctionOfId, ...invoice } of invoices) {
    const when = at === undefined ? {} : { at }
    if (isSentInvoice(status) && openCents === 0 && correctionOfId === null)
      await writeMove(ctx, invoice, { from: status, to: 'paid', reason, ...when })
    if (isPaidInvoice(status) && openCents !== 0) await writeMove(ctx, invoice, { from: status, to: 'sent', reason })
  }
}
