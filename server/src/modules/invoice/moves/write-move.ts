import type { Updateable } from 'kysely'
import type { InvoiceStatus } from '@waybill/contract/invoice/status'
import { nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import type { Tables } from '../../../kit/database/db.ts'
import { audit } from '../../../kit/records/audit.ts'
import { STATUS_COLUMNS } from '../invoice.rules.ts'
import '../invoice.table.ts'

declare module '../../../kit/context/events.ts' {
  interface Events {
    'invoice.moved': { invoiceId: number; from: InvoiceStatus; to: InvoiceStatus; reason: string | null }
  }
}

interface Step {
  from: InvoiceStatus
  to: InvoiceStatus
  /** when it happened; now where left out */
  at?: string
  reason?: string | null
  /** what else changes with it */
  columns?: Updateable<Tables['invoice']>
  /** what its history says beside the status */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/**
 * Gives an invoice its next status, with the time, the history and the event, in the caller's transaction. The caller
 * holds its lock, has asked the table of moves, and gives the version that the lock read.
 */
export async function writeMove(
  ctx: Ctx,
  { id, version }: { id: number; version: number },
  { from, to, at = nowOf(ctx), reason = null, columns, before, after }: Step,
): Promise<void> {
  await ctx.db
    .updateTable('invoice')
    .set({ status: to, statusDate: at, [STATUS_COLUMNS[to]]: at, ...columns, version: version + 1 })
    .where('id', '=', id)
    .where('status', '=', from)
    .where('version', '=', version)
    .execute()
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: id,
    action: 'moved',
    before: { status: from, ...before },
    after: { status: to, ...after },
    reason,
  })
  await tell(ctx, { type: 'invoice.moved', invoiceId: id, from, to, reason })
}
