import { sql } from 'kysely'
import type { BlockReason } from '@waybill/contract/invoice/month-end/month-end'
import { APPROVED_EXTRA } from '@waybill/contract/order/extra'
import { awaitsPod, CANCELED_ORDER, UNLOADED_STATUSES, type OrderStatus } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'

interface Asked {
  companyId: number
  /** `YYYY-MM-DD` */
  until: string
  /** one customer, with its orders of other companies of ours */
  customerId?: number
  /** left out: those that pay at the end of a period alone */
  all?: boolean
}

/** An order, or its extras, that could be billed, or nearly. */
export interface MonthEndRow {
  id: number
  number: string
  customerOrderNumber: string | null
  customerId: number
  customerTitle: string
  companyId: number
  companyTitle: string
  day: string | null
  fromCity: string | null
  fromCountryCode: string | null
  toCity: string | null
  toCountryCode: string | null
  isExtrasOnly: boolean
  extraCount: number
  netCents: number | null
  draftId: number | null
  draftNumber: string | null
  reason: BlockReason | null
}

interface Found extends Omit<MonthEndRow, 'reason' | 'netCents'> {
  priceCents: number | null
  extrasCents: number
  /** of the transport */
  status: OrderStatus
  lacksNumber: boolean
  hasPodToCheck: boolean
  hasPod: boolean
}

function reasonOf(row: Found, companyId: number): BlockReason | null {
  if (row.companyId !== companyId) return 'other_company'
  if (row.draftId !== null) return 'on_draft'
  if (!row.isExtrasOnly && !row.priceCents) return 'no_price'
  if (row.lacksNumber) return 'order_number_missing'
  if (row.isExtrasOnly || !awaitsPod(row.status)) return null
  if (row.hasPodToCheck) return 'pod_to_check'
  return row.hasPod ? 'not_completed' : 'pod_missing'
}

// No house ends a month with more; what is beyond it comes with the next run.
const MOST_ROWS = 20_000

/**
 * What was delivered until a day and is not billed, by customer and day: the freight of orders, and approved extras of
 * orders whose freight is billed or that were canceled. A merged order is where its transport is.
 */
export async function monthEndRows(ctx: Ctx, { companyId, until, customerId, all }: Asked): Promise<MonthEndRow[]> {
  const whose =
    customerId !== undefined
      ? sql`o."billingCustomerId" = ${customerId}
          and (${ctx.companyFilter}::bigint is null or d."companyId" = ${ctx.companyFilter})`
      : all
        ? sql`d."companyId" = ${companyId}`
        : sql`d."companyId" = ${companyId} and c."paymentOption" = 'end_of_period'`
  // Of the orders asked for alone, so that a run that asks for each of its customers does not read them all each time.
  const isApproved = sql`e.state = ${APPROVED_EXTRA} and e."priceCents" is not null`
  const { rows } = await sql<Found>`
    with asked as materialized (
      select o.id from "order" o
        join department d on d.id = o."departmentId"
        join customer c on c.id = o."billingCustomerId"
      where ${whose} and not o."isMergeResult" and o.state = 'active'
    ), extra as (
      select asked.id as "orderId", e.id, e."netPriceCents", e."decidedAt"
        from asked join order_extra e on e."orderId" = asked.id and e."sourceOrderId" is null
        where ${isApproved}
      union all
      select asked.id, e.id, e."netPriceCents", e."decidedAt"
        from asked join order_extra e on e."sourceOrderId" = asked.id
        where ${isApproved}
    ), unbilled as materialized (
      select "orderId", count(*)::int as count, sum("netPriceCents")::bigint as cents, max("decidedAt") as "decidedAt"
      from extra
      where not exists (select 1 from invoice_line line where line."extraId" = extra.id and line."billsExtra")
      group by 1
    ), found as (
      select o.id, o.number, o."customerOrderNumber", c.id as "customerId", c.title as "customerTitle",
        d."companyId", us.title as "companyTitle", o."fromCity", o."fromCountryCode", o."toCity", o."toCountryCode",
        coalesce(carried.status, o.status) as status, o."customerPriceCents" as "priceCents",
        coalesce(carried.id, o.id) as "transportId",
        (coalesce(o."lastUnloadingAt", carried."lastUnloadingAt", o."deliveredAt", o."canceledAt")
          at time zone coalesce(o."toTimeZone", carried."toTimeZone", us."timeZone"))::date as "unloadedOn",
        (unbilled."decidedAt" at time zone us."timeZone")::date as "decidedOn",
        coalesce(unbilled.count, 0) as "extraCount", coalesce(unbilled.cents, 0) as "extrasCents",
        c."needsOrderNumber" and o."customerOrderNumber" is null as "lacksNumber",
        billing."invoiceId"
      from "order" o
        join department d on d.id = o."departmentId"
        join company us on us.id = d."companyId"
        join customer c on c.id = o."billingCustomerId"
        left join "order" carried on carried.id = o."mergedIntoId"
        left join unbilled on unbilled."orderId" = o.id
        left join invoice_line billing on billing."orderId" = o.id and billing."billsFreight"
      where ${whose} and not o."isMergeResult" and o.state = 'active'
        and coalesce(carried.status, o.status) = any(${[...UNLOADED_STATUSES, CANCELED_ORDER]}::text[])
        and (unbilled."orderId" is not null
          or (billing.id is null and coalesce(carried.status, o.status) <> ${CANCELED_ORDER})
          or exists (select 1 from invoice i where i.id = billing."invoiceId" and i.number is null))
    )
    select found.id, found.number, found."customerOrderNumber", found."customerId", found."customerTitle",
      found."companyId", found."companyTitle", found."fromCity", found."fromCountryCode", found."toCity",
      found."toCountryCode", coalesce(found."unloadedOn", found."decidedOn") as day,
      (found."invoiceId" is not null and draft.id is null) or found.status = ${CANCELED_ORDER} as "isExtrasOnly",
      found."extraCount", found."extrasCents", found."priceCents", found."lacksNumber",
      draft.id as "draftId", draft."innerNumber" as "draftNumber",
      found.status,
      pods."hasPod", pods."hasPodToCheck"
    from found
      left join invoice draft on draft.id = found."invoiceId" and draft.number is null
      left join lateral (select coalesce(bool_or(p.acceptance = 'accepted'), false) as "hasPod",
          coalesce(bool_or(p.acceptance = 'toCheck'), false) as "hasPodToCheck"
        from document p where p."ownerKind" = 'order' and p."ownerId" = found."transportId"
          and p."documentType" = 'PROOF_OF_DELIVERY') pods on true
    where coalesce(case when found."invoiceId" is not null or found.status = ${CANCELED_ORDER} then found."decidedOn"
        else found."unloadedOn" end, found."unloadedOn") <= ${until}::date
    order by found."customerTitle", found."customerId", found."unloadedOn", found.id limit ${MOST_ROWS}
  `.execute(ctx.db)
  return rows.map((row) => {
    const { priceCents, extrasCents, status: _status, lacksNumber: _lacks, hasPod: _pod, ...more } = row
    const { hasPodToCheck: _check, ...rest } = more
    const netCents = row.isExtrasOnly ? extrasCents : priceCents ? priceCents + extrasCents : null
    return { ...rest, netCents, reason: reasonOf(row, companyId) }
  })
}
