import { sql } from 'kysely'
import { agreedDueDate, isCreditNote } from '@waybill/contract/invoice/carrier-terms'
import type { Allocation, Invoice, InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { OPEN_INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../kit/context/context.ts'
import { routeColumns, toCarrierRoute, type FoundRoute } from './carrier-route.query.ts'

interface Asked {
  body: Pick<InvoiceWrite, 'dueDate' | 'carrierCompanyId' | 'amountCents'>
  before: Pick<Invoice, 'id' | 'createdAt' | 'dueDate'> | null
  companyId: number | null
  allocations: readonly Allocation[]
}

/**
 * The due date of a carrier's invoice as it is saved: as it stands on the paper, or, left out or as it was proposed,
 * by what was agreed. That one moves when the proof of delivery arrives.
 */
export async function dueOf(
  ctx: Ctx,
  { body, before, companyId, allocations }: Asked,
): Promise<{ dueDate: string | null; isDueAgreed: boolean }> {
  const ids = allocations.map(({ routeId }) => routeId)
  if (ids.length === 0 || isCreditNote(body)) return { dueDate: body.dueDate, isDueAgreed: false }
  const carrier = sql`${body.carrierCompanyId}::bigint`
  const { rows } = await sql<FoundRoute>`select ${routeColumns(carrier, sql<boolean>`false`)}
    from route r join "order" o on o.id = r."orderId"
      left join assignment a on a."routeId" = r.id and a."carrierCompanyId" = ${carrier}
    where r.id = any(${ids}::bigint[])`.execute(ctx.db)
  const { rows: stored } = await sql<{
    timeZone: string | null
    wasAgreed: boolean | null
    stoppedDays: number | null
  }>`
    select (select "timeZone" from company where id = ${companyId}::bigint) as "timeZone",
        old."isDueAgreed" as "wasAgreed", old."stoppedDays"
      from (select 1) here left join invoice old on old.id = ${before?.id ?? null}::bigint`.execute(ctx.db)
  const { timeZone, wasAgreed, stoppedDays } = stored[0]!
  const arrivedOn = localOf(before?.createdAt ?? ctx.clock.now(), timeZone ?? 'UTC').date
  const agreed = agreedDueDate(
    arrivedOn,
    rows
      .map(toCarrierRoute)
      .map((route) => ({ periodDays: route.paymentPeriodDays, podArrivedOn: route.podArrivedOn })),
  )
  // The days while a problem was the carrier's to mend.
  const date = addDays(agreed.date, stoppedDays ?? 0)
  const isDueAgreed =
    body.dueDate === null || body.dueDate === date || (wasAgreed === true && body.dueDate === before?.dueDate)
  return { dueDate: isDueAgreed ? date : body.dueDate, isDueAgreed }
}

/** Invoices that wait for payment as agreed and are for a route of this order; each is locked. */
export async function dueWithOrder(ctx: Ctx, orderId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from invoice i
    where i.id in (select share."invoiceId" from invoice_allocation share join route r on r.id = share."routeId"
        where r."orderId" = ${orderId})
      and i."isDueAgreed" and i.status = any(${OPEN_INVOICE_STATUSES.carrier}::text[])
    order by i.id for update`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
