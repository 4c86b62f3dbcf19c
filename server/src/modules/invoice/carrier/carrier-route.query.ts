import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { agreedPeriodDays } from '@waybill/contract/invoice/carrier-terms'
import type { CarrierRoute, listCarrierRoutes as endpoint } from '@waybill/contract/invoice/invoice'
import { CANCELED_INVOICE } from '@waybill/contract/invoice/status'
import type { Page } from '@waybill/contract/kit/paging'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { noFilterLeft } from '../../../kit/records/filters.ts'
import { listPage, searchIn, type AnyQuery, type ListQuery } from '../../../kit/records/paging.ts'
import { ofCompany, PROVES_ROUTE } from '../../order/index.ts'
import '../invoice.table.ts'

type StoredPeriods = Record<'assignmentPeriodDays' | 'carrierPeriodDays', number | null>
export type FoundRoute = Omit<z.input<typeof CarrierRoute>, 'paymentPeriodDays'> & StoredPeriods

const stop = (direction: 'asc' | 'desc') => sql`
  select s.*, k.code from location s join country k on k.id = s."countryId"
  where s."routeId" = r.id and s."canceledAt" is null order by s."routePosition" ${sql.raw(direction)} limit 1`

const place = (direction: 'asc' | 'desc') =>
  sql`(select json_build_object('countryCode', s.code, 'city', s.city) from (${stop(direction)}) s)`

/** Shares in a route of other invoices of the carrier that are there. */
const sharesOf = (carrierId: RawBuilder<unknown>, routeId = sql`r.id`) => sql`
  from invoice_allocation other join invoice billed on billed.id = other."invoiceId"
  where other."routeId" = ${routeId} and billed."carrierCompanyId" = ${carrierId}
    and billed.status <> ${sql.lit(CANCELED_INVOICE)} and billed.state = 'active'`

/** What a carrier has invoiced for a route in euros; `counted` says which of its invoices (`billed`) count. */
export const invoicedSum = (
  carrierId: RawBuilder<unknown>,
  counted: RawBuilder<boolean>,
  routeId?: RawBuilder<unknown>,
): RawBuilder<number> => sql`(select coalesce(sum(other."netCents"), 0)::bigint ${sharesOf(carrierId, routeId)}
    and ${counted} and billed.currency = 'EUR')`

/** What a carrier has invoiced for a route before one of its invoices; all of it where that one is null. */
export async function invoicedBefore(
  ctx: Ctx,
  { routeId, carrierCompanyId }: { routeId: number; carrierCompanyId: number },
  invoiceId: number | null,
): Promise<number> {
  const counted = invoiceId === null ? sql<boolean>`true` : sql<boolean>`billed.id < ${invoiceId}`
  const sum = invoicedSum(sql`${carrierCompanyId}`, counted, sql`${routeId}`)
  const { rows } = await sql<{ cents: number }>`select ${sum} as cents`.execute(ctx.db)
  return rows[0]!.cents
}

/**
 * What a CarrierRoute shows of a route `r` of an order `o`, with the carrier's assignment `a` where it has it now;
 * `counted` says which of the carrier's invoices (`billed`) count.
 */
export const routeColumns = (carrierId: RawBuilder<unknown>, counted: RawBuilder<boolean>) => sql`
  r.id, o.number || '/' || r.n as title, json_build_object('id', o.id, 'title', o.number) as "order",
  ${place('asc')} as "from", ${place('desc')} as "to",
  (select coalesce(
      (coalesce(s."unloadedAt", s."loadedAt", s."arrivedAt", s."plannedAt") at time zone s."timeZone")::date,
      s."dateTo", s."dateFrom")::text from (${stop('desc')}) s) as day,
  a."costCents" + extras_owed(r.id) as "agreedCents", a."vatBp" as "agreedVatBp",
  a."paymentPeriodDays" as "assignmentPeriodDays",
  (select c."paymentPeriodDays" from carrier_company c where c.id = ${carrierId}) as "carrierPeriodDays",
  (select (min(d."createdAt") at time zone (select co."timeZone" from department dep
      join company co on co.id = dep."companyId" where dep.id = o."departmentId"))::date::text
    from document d where d."ownerKind" = 'order' and d."ownerId" = o.id
      and d."documentType" = 'PROOF_OF_DELIVERY' and d.acceptance <> 'refused' and ${PROVES_ROUTE}) as "podArrivedOn",
  ${invoicedSum(carrierId, counted)} as "invoicedCents"`

/** A found route as it is shown. */
export const toCarrierRoute = ({
  assignmentPeriodDays,
  carrierPeriodDays,
  ...route
}: FoundRoute): z.input<typeof CarrierRoute> => ({
  ...route,
  paymentPeriodDays: agreedPeriodDays({
    assignment: { paymentPeriodDays: assignmentPeriodDays },
    carrier: { paymentPeriodDays: carrierPeriodDays },
  }),
})

/** Whether the carrier drives a route, or did before another one took it. */
export const wasGivenTo = (carrierId: number, routeId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select 1 from assignment a where a."routeId" = ${routeId} and a."carrierCompanyId" = ${carrierId})
  or exists (select 1 from former_carrier f where f."routeId" = ${routeId} and f."carrierCompanyId" = ${carrierId}))`

const ROUTE_NUMBER = /(\d{2}-\d{5,})\/\d+/g

/** One page of the routes that a carrier's invoice can be written for. */
export function listCarrierRoutes(ctx: Ctx, query: z.output<typeof endpoint.query>): Promise<Page<CarrierRoute>> {
  const { carrierCompanyId, ids, orderId, q, withInvoiced = false, ...rest } = query
  const { page: _page, perPage: _perPage, cursor: _cursor, state: _state, ...left } = rest
  noFilterLeft(left)
  const carrier = sql`${carrierCompanyId}::bigint`
  // As an array, which the planner takes for short: of a carrier with thousands it goes to each route, instead of
  // through those of all carriers.
  const assigned = sql`select a."routeId" from assignment a where a."carrierCompanyId" = ${carrier}`
  const own = sql<boolean>`route.id = any(array(${assigned}))`
  const open = sql<boolean>`route.status <> ${sql.lit(CANCELED_ORDER)}
    and not exists (select 1 from route r where r.id = route.id and exists (select 1 ${sharesOf(carrier)}))`
  const given = sql<boolean>`route.id = any(array(${assigned} union
    select f."routeId" from former_carrier f where f."carrierCompanyId" = ${carrier}))`
  const conditions = [
    ofCompany(ctx),
    ...(ids === undefined
      ? withInvoiced
        ? [given]
        : [own, open]
      : [sql<boolean>`route.id = any(${ids}::bigint[])`, wasGivenTo(carrierCompanyId, sql`route.id`)]),
    ...(orderId === undefined ? [] : [sql<boolean>`route."orderId" = any(${orderId}::bigint[])`]),
    // An order is found by its number; that of a route begins with it.
    ...(q === undefined ? [] : [searchIn(q.replace(ROUTE_NUMBER, '$1'), 'order.searchKey', ['order.searchKey'])]),
  ]
  const filtered = conditions.reduce<AnyQuery>(
    (rows, condition) => rows.where(condition),
    (ctx.db.selectFrom('route') as unknown as AnyQuery).innerJoin('order', 'order.id', 'route.orderId'),
  )
  return listPage<CarrierRoute>({
    db: ctx.db,
    table: 'route',
    filtered,
    gathered: filtered,
    sorts: { id: { column: 'route.id', type: 'bigint' } },
    query: { ...(query as unknown as ListQuery), sort: '-id' },
    rows: (page) =>
      page
        .innerJoin('route as r', 'r.id', 'route.id')
        .innerJoin('order as o', 'o.id', 'r.orderId')
        .leftJoin('assignment as a', (join) =>
          join.onRef('a.routeId', '=', 'r.id').on('a.carrierCompanyId', '=', carrierCompanyId),
        )
        .select([sql`shown.*`] as never)
        .innerJoinLateral(
          sql`(select ${routeColumns(carrier, sql<boolean>`true`)})`.as('shown') as never,
          (join: { onTrue(): unknown }) => join.onTrue() as never,
        ),
    toRow: (found: never) => {
      const {
        pageId: _id,
        sortValue: _sort,
        pageTotal: _total,
        ...route
      } = found as FoundRoute & Record<string, unknown>
      return toCarrierRoute(route as FoundRoute) as CarrierRoute
    },
  })
}
