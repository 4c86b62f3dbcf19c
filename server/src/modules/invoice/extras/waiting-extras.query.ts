import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { WaitingExtra } from '@waybill/contract/invoice/waiting-extras'
import { APPROVED_EXTRA, type ExtraKind, type ExtraUnit } from '@waybill/contract/order/extra'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { extraText } from '../invoice.rules.ts'

interface Found extends Omit<WaitingExtra, 'kind' | 'unit' | 'lineText'> {
  kind: ExtraKind
  unit: ExtraUnit
  /** of the order that is billed */
  number: string
}

// Each once: of a merge's result the customer's invoice knows the sources, the carrier's the result.
const OF_ITS_ORDERS = sql`from invoice_order link join order_extra e
    on e."orderId" = link."orderId" or e."sourceOrderId" = link."orderId"
  join "order" o on o.id = e."orderId" join "order" billed on billed.id = coalesce(e."sourceOrderId", e."orderId")`

const SHOWN = sql`distinct e.id, e.version, json_build_object('id', o.id, 'title', o.number)::jsonb as "onOrder",
  billed.id as "orderId", billed.number, e.kind, e.text, e.quantity::double precision as quantity, e.unit,
  e."priceCents", e."netPriceCents", e."netCostCents", e.note, e.state = 'open' as "isOpen"`

/** What waits of the extras of an invoice's orders; see the contract. Error: `not_found`. */
export async function waitingExtras(ctx: Ctx, invoiceId: number): Promise<{ items: WaitingExtra[] }> {
  const { rows: invoices } = await sql<{ entityType: string; language: Language | null }>`
    select "entityType", language from invoice where id = ${invoiceId} and ${visibleInvoices(ctx)}
  `.execute(ctx.db)
  const [invoice] = invoices
  if (invoice === undefined) throw new AppError('not_found')
  const { rows } =
    invoice.entityType === 'customer'
      ? await sql<Found>`
          select ${SHOWN} ${OF_ITS_ORDERS}
          where link."invoiceId" = ${invoiceId} and billed.id = link."orderId" and e."priceCents" is not null
            and (e.state = 'open' or (e.state = ${APPROVED_EXTRA}
              and not exists (select 1 from invoice_line line where line."extraId" = e.id and line."billsExtra")))
          order by e.id
        `.execute(ctx.db)
      : await sql<Found>`
          select ${SHOWN} ${OF_ITS_ORDERS}
          where link."invoiceId" = ${invoiceId} and e."orderId" = link."orderId" and e."costCents" is not null
            and e.state = 'open' and exists (select 1 from route r join assignment a on a."routeId" = r.id
              where r."orderId" = e."orderId" and (e."routeId" is null or e."routeId" = r.id)
                and a."carrierCompanyId" = (select i."carrierCompanyId" from invoice i where i.id = ${invoiceId}))
          order by e.id
        `.execute(ctx.db)
  return {
    items: rows.map(({ number, ...extra }) => ({
      ...extra,
      lineText: extraText(extra, number, invoice.language ?? 'en'),
    })),
  }
}
