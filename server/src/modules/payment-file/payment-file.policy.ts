import { sql, type RawBuilder } from 'kysely'
import { can } from '@waybill/contract/permissions'
import type { Ctx, OwnerRule } from '../../kit/context/context.ts'
import { titleBy } from '../../kit/records/owners.ts'

/** The runs that the caller may know of: all, or one company's where an administrator has set the global filter. */
export const visibleRuns = (ctx: Ctx): RawBuilder<boolean> =>
  ctx.companyFilter === null ? sql<boolean>`true` : sql<boolean>`payment_file."companyId" = ${ctx.companyFilter}`

/** True where the caller may act for a company of ours. */
export const isOfFilter = (ctx: Ctx, companyId: number | null): boolean =>
  ctx.companyFilter === null || companyId === ctx.companyFilter

/** History and events of a run are seen by who processes invoices. */
export const paymentFileOwner: OwnerRule = {
  read: can('INVOICES_PROCESSING'),
  write: can('INVOICES_PROCESSING'),
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from payment_file where payment_file.id = ${ownerId} and ${visibleRuns(ctx)})`,
  title: titleBy('payment_file', 'number'),
  seesAll: () => true,
}
