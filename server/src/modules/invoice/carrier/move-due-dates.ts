import { sql } from 'kysely'
import type { Ctx } from '../../../kit/context/context.ts'
import { audit } from '../../../kit/records/audit.ts'
import { bumpVersion } from '../../../kit/records/table-service.ts'
import { invoiceView } from '../invoice.query.ts'
import { dueWithOrder } from './agreed-due.query.ts'

/**
 * Reaction to `document.written`: the days of a carrier are counted from its proof of delivery, too, so that what is
 * due as agreed moves when one arrives, is refused, or goes.
 */
export async function moveDueDates(
  ctx: Ctx,
  { owner, documentTypes }: { owner: { kind: string; id: number }; documentTypes: readonly string[] },
): Promise<void> {
  if (owner.kind !== 'order' || !documentTypes.includes('PROOF_OF_DELIVERY')) return
  for (const id of await dueWithOrder(ctx, owner.id)) {
    const { dueDate, agreedDue, version } = await invoiceView(ctx, sql<boolean>`true`, id)
    if (agreedDue === null || agreedDue.date === dueDate) continue
    await bumpVersion(ctx, 'invoice', id, version, { dueDate: agreedDue.date })
    await audit(ctx, {
      ownerKind: 'invoice',
      ownerId: id,
      action: 'updated',
      before: { dueDate },
      after: { dueDate: agreedDue.date },
    })
  }
}
