import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { ERRORS, fill, type ErrorCode } from '@waybill/contract/errors'
import { FIELD_ERRORS } from '@waybill/contract/errors/all'
import type { Reference } from '@waybill/contract/kit/fields'
import { localOf } from '@waybill/contract/kit/local-time'
import type { OrderWrite } from '@waybill/contract/order/order'
import type { getOrderOrigin } from '@waybill/contract/order/recurring/order-origin'
import type { PatternLane } from '@waybill/contract/order/recurring/pattern'
import {
  MADE_TOLD,
  RECURRING_A_PAGE,
  RECURRING_SHOWN,
  type listRecurringOrders,
  type RecurringOrder,
  type RecurringOrders,
  type RecurringRow,
  type RecurringShown,
} from '@waybill/contract/order/recurring/recurring-order'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'
import { AppError } from '../../kit/context/errors.ts'
import { escapeLike } from '../../kit/records/paging.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { visibleOrders } from '../order/index.ts'
import { isKept, visibleRecurring } from './recurring-order.policy.ts'
import type { StoredFault } from './recurring-order.table.ts'

const seenOrder = (ctx: Ctx, orderId: RawBuilder<unknown>) =>
  sql`(select "order".id from "order" where "order".id = ${orderId} and ${visibleOrders(ctx)})`

const shared = sql`recurring_order.*,
  (select json_build_object('id', c.id, 'title', c.title) from customer c
    where c.id = recurring_order."customerId") as customer,
  (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
    where u.id = recurring_order."keeperId") as keeper,
  (select count(*)::int from recurring_day d where d."recurringOrderId" = recurring_order.id) as "madeCount",
  ${isKept} as "isKept"`

interface Stored extends Omit<RecurringOrder, 'template' | 'fault' | 'source' | 'today'> {
  template: OrderWrite
  fault: StoredFault | null
  isKept: boolean
  lane: PatternLane
  zone: string
  seenSourceId: number | null
  sourceNumber: string
  fromCountryCode: string
  fromPostal: string | null
  fromCity: string | null
  toCountryCode: string
  toPostal: string | null
  toCity: string | null
}

/** What an order was refused for, in the caller's language. */
function wordsOf(ctx: Ctx, { code, fields }: StoredFault): string[] {
  const words = fields.map((field) => fill(FIELD_ERRORS[field.code][ctx.language], field.params))
  return words.length > 0 ? [...new Set(words)] : [ERRORS[code as ErrorCode].text[ctx.language]]
}

function faultOf(ctx: Ctx, { state, isKept: hasKeeper, fault }: Stored): RecurringOrder['fault'] {
  if (state !== 'active') return null
  if (!hasKeeper) return { reason: 'keeper', day: null, messages: [] }
  return fault && { reason: 'refused', day: fault.day, messages: wordsOf(ctx, fault) }
}

/** Titles of what a template names, in one statement. */
async function titlesOf(ctx: Ctx, body: OrderWrite) {
  const carriers = body.routes.flatMap(({ assignment }) => assignment?.carrierCompanyId ?? [])
  const units = body.cargo.flatMap(({ unitTypeId }) => unitTypeId ?? [])
  const people = [...body.managerIds, ...(body.caseWorkerId === null ? [] : [body.caseWorkerId])]
  const countries = body.locations.map(({ countryId }) => countryId)
  const { rows } = await sql<{ kind: string; id: number; title: string }>`
    select 'customer' as kind, id, title from customer where id = any(${body.customerIds}::bigint[])
    union all select 'carrier', id, title from carrier_company where id = any(${carriers}::bigint[])
    union all select 'user', id, "fullName" from "user" where id = any(${people}::bigint[])
    union all select 'unit', unit.id, ${shownTitle(ctx.language, 'unit')} from unit_type unit
      where unit.id = any(${units}::bigint[])
    union all select 'country', id, code from country where id = any(${countries}::bigint[])
  `.execute(ctx.db)
  const known = new Map(rows.map(({ kind, id, title }) => [`${kind} ${id}`, title]))
  const titleOf = (kind: string, id: number | null): string | null => known.get(`${kind} ${id}`) ?? null
  const referenceTo = (kind: string, id: number | null): Reference | null => {
    const title = titleOf(kind, id)
    return id === null || title === null ? null : { id, title }
  }
  return { titleOf, referenceTo }
}

async function templateView(ctx: Ctx, body: OrderWrite): Promise<RecurringOrder['template']> {
  const { titleOf, referenceTo } = await titlesOf(ctx, body)
  return {
    customers: body.customerIds.flatMap((id) => referenceTo('customer', id) ?? []),
    caseWorker: referenceTo('user', body.caseWorkerId),
    managers: body.managerIds.flatMap((id) => referenceTo('user', id) ?? []),
    customerPriceCents: body.customerPriceCents,
    cargo: body.cargo.map(({ title, quantity, unitTypeId, weightKg, ldm }) => ({
      title,
      quantity,
      unitType: titleOf('unit', unitTypeId),
      weightKg,
      ldm,
    })),
    stops: body.locations.map(({ kind, countryId, postal, city, companyTitle, termin }) => ({
      kind,
      countryCode: titleOf('country', countryId)!,
      postal,
      city,
      companyTitle,
      termin,
    })),
    routes: body.routes.flatMap(({ assignment }) =>
      assignment === null
        ? []
        : [
            {
              carrierCompany: referenceTo('carrier', assignment.carrierCompanyId),
              ownFleet: assignment.ownFleet,
              costCents: assignment.costCents,
            },
          ],
    ),
  }
}

/** A recurring order that the caller may see. Error: `not_found`. */
export async function recurringOrderView(ctx: Ctx, id: number): Promise<RecurringOrder> {
  const { rows } = await sql<Stored>`
    select ${shared}, co."timeZone" as zone, json_build_object('id', dep.id, 'title', dep.abbreviation) as department,
      ${seenOrder(ctx, sql`recurring_order."sourceOrderId"`)} as "seenSourceId",
      coalesce((select json_agg(json_build_object('day', d.day, 'isGone', d."orderId" is null,
          'order', json_build_object('id', ${seenOrder(ctx, sql`d."orderId"`)}, 'number', d."orderNumber"))
          order by d.day desc)
        from (select * from recurring_day one where one."recurringOrderId" = recurring_order.id
          order by one.day desc limit ${sql.lit(MADE_TOLD)}) d), '[]') as made
    from recurring_order join department dep on dep.id = recurring_order."departmentId"
      join company co on co.id = dep."companyId"
    where recurring_order.id = ${id} and ${visibleRecurring(ctx)}
  `.execute(ctx.db)
  const [row] = rows
  if (!row) throw new AppError('not_found')
  return {
    ...row,
    today: localOf(nowOf(ctx), row.zone).date,
    template: await templateView(ctx, row.template),
    source: { id: row.seenSourceId, number: row.sourceNumber },
    fault: faultOf(ctx, row),
  }
}

/** Which recurring orders a list shows. */
function shownBy(show: RecurringShown): RawBuilder<boolean> {
  switch (show) {
    case 'all':
      return sql<boolean>`true`
    case 'followUp':
      return sql<boolean>`(recurring_order.state = 'active' and (recurring_order.fault is not null or not ${isKept}))`
    default:
      return sql<boolean>`recurring_order.state = ${sql.lit(show)}`
  }
}

/** Every word of what was typed stands in the title, the customer's or a town. */
const searched = (q: string): RawBuilder<boolean>[] =>
  q
    .split(/\s+/)
    .filter(Boolean)
    .map(
      (word) => sql<boolean>`(recurring_order."searchKey" like search_key(${`%${escapeLike(word)}%`})
        or recurring_order."customerId" in (select c.id from customer c
          where c."searchKey" like search_key(${`%${escapeLike(word)}%`})))`,
    )

const rowOf = (ctx: Ctx, row: Stored): RecurringRow => ({
  ...row,
  from: { countryCode: row.fromCountryCode, postal: row.fromPostal, city: row.fromCity },
  to: { countryCode: row.toCountryCode, postal: row.toPostal, city: row.toCity },
  faultReason: faultOf(ctx, row)?.reason ?? null,
})

/** Recurring orders by the day of their next order, those without one last. */
export async function recurringOrders(
  ctx: Ctx,
  { show, q, customerId, page, ...left }: z.output<typeof listRecurringOrders.query>,
): Promise<RecurringOrders> {
  noFilterLeft(left)
  const narrowed = [
    visibleRecurring(ctx),
    ...(q === undefined ? [] : searched(q)),
    ...(customerId === undefined ? [] : [sql<boolean>`recurring_order."customerId" = ${customerId}`]),
  ]
  const where = sql.join([...narrowed, shownBy(show)], sql` and `)
  // The rows of the page first, and what is shown beside them of these alone.
  const { rows } = await sql<Stored>`
    select ${shared} from (select id, "nextDay" from recurring_order where ${where}
        order by "nextDay", id limit ${sql.lit(RECURRING_A_PAGE)} offset ${(page - 1) * RECURRING_A_PAGE}) page
      join recurring_order on recurring_order.id = page.id
      order by page."nextDay", page.id
  `.execute(ctx.db)
  const counts = RECURRING_SHOWN.map((one) => sql`${sql.lit(one)}, count(*) filter (where ${shownBy(one)})::int`)
  const { rows: sums } = await sql<{ counts: RecurringOrders['counts'] }>`
    select json_build_object(${sql.join(counts)}) as counts from recurring_order
      where ${sql.join(narrowed, sql` and `)}
  `.execute(ctx.db)
  return { items: rows.map((row) => rowOf(ctx, row)), total: sums[0]!.counts[show], counts: sums[0]!.counts }
}

/** Which recurring order made an order that the caller may see. Error: `not_found`. */
export async function orderOrigin(ctx: Ctx, orderId: number): Promise<z.output<(typeof getOrderOrigin)['reply']>> {
  const { rows } = await sql<{ recurringOrder: Reference | null }>`
    select (select json_build_object('id', recurring_order.id, 'title', recurring_order.title)
        from recurring_day d join recurring_order on recurring_order.id = d."recurringOrderId"
        where d."orderId" = "order".id and ${visibleRecurring(ctx)}) as "recurringOrder"
      from "order" where "order".id = ${orderId} and ${visibleOrders(ctx)}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}
