import { sql, type RawBuilder } from 'kysely'
import { can } from '@waybill/contract/permissions'
import type { Ctx, OwnerRule } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'

/** The runs that the caller may know of: all, or one company's where an administrator has set the global filter. */
export const visibleInvoiceRuns = (ctx: Ctx): RawBuilder<boolean> =>
  ctx.companyFilter === null ? sql<boolean>`true` : sql<boolean>`invoice_run."companyId" = ${ctx.companyFilter}`

/** Errors: `not_found` for a company of ours that the global filter hides. */
export function refuseOtherCompany(ctx: Ctx, companyId: number): void {
  if (ctx.companyFilter !== null && ctx.companyFilter !== companyId) throw new AppError('not_found')
}

/** History and events of a run are seen by who processes invoices. */
export const invoiceRunOwner: OwnerRule = {
  read: can('INVOICES_PROCESSING'),
  write: can('INVOICES_PROCESSING'),
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from invoice_run where invoice_run.id = ${ownerId} and ${visibleInvoiceRuns(ctx)})`,
  title: () => sql<string | null>`null::text`,
  seesAll: () => true,
}
