import { sql } from 'kysely'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'

/**
 * The transport about which the carrier of an invoice is written to: the first of its routes that this carrier still
 * drives. Null where others drive them all by now: their dispatcher must not hear what this carrier bills.
 */
export async function drivenRoute(ctx: Ctx, invoiceId: number): Promise<{ id: number; orderId: number } | null> {
  const { rows } = await sql<{ id: number; orderId: number }>`
    select r.id, r."orderId" from invoice i
        join invoice_order link on link."invoiceId" = i.id
        join route r on r."orderId" = link."orderId"
        join assignment a on a."routeId" = r.id and a."carrierCompanyId" = i."carrierCompanyId"
      where i.id = ${invoiceId} and (
        exists (select 1 from invoice_allocation share where share."invoiceId" = i.id and share."routeId" = r.id)
        or (r.status <> ${sql.lit(CANCELED_ORDER)}
          and not exists (select 1 from invoice_allocation share where share."invoiceId" = i.id)))
      order by r.id limit 1
  `.execute(ctx.db)
  return rows[0] ?? null
}
