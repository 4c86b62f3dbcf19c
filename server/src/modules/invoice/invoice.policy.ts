import { sql, type RawBuilder } from 'kysely'
import { can } from '@waybill/contract/permissions'
import type { Ctx } from '../../kit/context/context.ts'
import type { OwnerRule } from '../../kit/context/context.ts'
import { keepCurrency } from './check/currency.repository.ts'

/**
 * Which invoices a query may touch: a condition over the table invoice. Every invoice query takes one (design §3, Row
 * rules).
 */
export type InvoiceCondition = RawBuilder<boolean>

/**
 * The invoices that the caller may know of: all, or one company's where an administrator has set the global filter
 * (domain, People and rights).
 */
export const visibleInvoices = (ctx: Ctx): InvoiceCondition =>
  ctx.companyFilter === null ? sql<boolean>`true` : sql<boolean>`invoice."companyId" = ${ctx.companyFilter}`

/** Files, mails and history of an invoice are seen by who processes invoices. */
export const invoiceOwner: OwnerRule = {
  read: can('INVOICES_PROCESSING'),
  write: can('INVOICES_PROCESSING'),
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from invoice where invoice.id = ${ownerId} and ${visibleInvoices(ctx)})`,
  title: (ownerId) =>
    sql<
      string | null
    >`(select coalesce(invoice.number, invoice."innerNumber") from invoice where invoice.id = ${ownerId})`,
  seesAll: () => true,
  keepCurrency,
}
