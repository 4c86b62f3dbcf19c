import { sql } from 'kysely'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'

/** A transport of an invoice; `isDriven`: the carrier of the invoice drives it, so that its link is theirs. */
export interface InvoicedRoute {
  id: number
  orderId: number
  isDriven: boolean
}

/**
 * The transport about which the carrier of an invoice is written to: the first of its routes that this carrier still
 * drives, else the first that it drove. Null where the invoice names none.
 */
export async function invoicedRoute(ctx: Ctx, invoiceId: number): Promise<InvoicedRoute | null> {
  const { rows } = await sql<InvoicedRoute>`
    select r.id, r."orderId", a.id is not null and (share.given or r.status <> ${sql.lit(CANCELED_ORDER)}) as "isDriven"
      from invoice i
        join invoice_order link on link."invoiceId" = i.id
        join route r on r."orderId" = link."orderId"
        left join assignment a on a."routeId" = r.id and a."carrierCompanyId" = i."carrierCompanyId"
        cross join lateral (select
          exists (select 1 from invoice_allocation one where one."invoiceId" = i.id and one."routeId" = r.id) as given,
          exists (select 1 from invoice_allocation one where one."invoiceId" = i.id) as "isShared") share
      where i.id = ${invoiceId} and (share.given or (not share."isShared" and (a.id is not null
        or exists (select 1 from former_carrier f
          where f."routeId" = r.id and f."carrierCompanyId" = i."carrierCompanyId"))))
      order by "isDriven" desc, r.id limit 1
  `.execute(ctx.db)
  return rows[0] ?? null
}
