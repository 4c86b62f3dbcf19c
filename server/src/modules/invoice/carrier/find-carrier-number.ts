import { sql } from 'kysely'
import type { z } from 'zod'
import type { findCarrierNumber as endpoint } from '@waybill/contract/invoice/invoice'
import { CANCELED_INVOICE } from '@waybill/contract/invoice/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import '../invoice.table.ts'

/** By the same rule as the unique index: a number that this finds is refused when it is saved. */
export async function findCarrierNumber(
  ctx: Ctx,
  { carrierCompanyId, number, exceptId }: z.output<typeof endpoint.query>,
): Promise<z.output<typeof endpoint.reply>> {
  const { rows } = await sql<{ id: number; title: string; isVisible: boolean }>`
    select invoice.id, coalesce(invoice.number, invoice."innerNumber") as title, ${visibleInvoices(ctx)} as "isVisible"
    from invoice
    where invoice."entityType" = 'carrier' and invoice."carrierCompanyId" = ${carrierCompanyId}
      and invoice_number_key(invoice.number) = invoice_number_key(${number})
      and vat_number_key(invoice.number) is not null and invoice.status <> ${sql.lit(CANCELED_INVOICE)}
      and invoice.id is distinct from ${exceptId ?? null}::bigint
    limit 1
  `.execute(ctx.db)
  const [found] = rows
  return {
    isTaken: found !== undefined,
    invoice: found?.isVisible ? { id: found.id, title: found.title } : null,
  }
}
