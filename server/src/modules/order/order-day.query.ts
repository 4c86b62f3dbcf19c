import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { EXACT_TOTAL } from '@waybill/contract/kit/paging'
import {
  LOADING_AHEAD_HOURS,
  POD_AFTER_DAYS,
  WAITING_KINDS,
  type FreightLoad,
  type getBilled,
  type listWaitingOrders,
  type sumOrders,
  type WaitingKind,
  type WaitingOrder,
} from '@waybill/contract/order/day'
import { marginBpOf } from '@waybill/contract/order/money'
import { CANCELED_ORDER, SUMMED_STATUSES } from '@waybill/contract/order/status'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import type { OrderScope } from './order.policy.ts'
import { narrowed } from './order-list.query.ts'
import './order.table.ts'

/** As many of a kind are counted, and as many lines shown: more than a person finishes in a day. */
const MOST_OF_A_KIND = 200
const MOST_LINES = 50

const HOUR = 3_600_000

interface Wait {
  status: 'new' | 'scheduled' | 'delivered'
  /** the order's date that says how urgent it is */
  at: 'firstLoadingAt' | 'deliveredAt'
  zone: 'fromTimeZone' | 'toTimeZone'
  /** what is missing; `before` is the moment up to which that date counts */
  needs: RawBuilder<boolean>
  before: (now: number) => number
}

const assignment = (condition: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`exists (select 1 from route r join assignment a on a."routeId" = r.id
    where r."orderId" = "order".id and r.status <> ${sql.lit(CANCELED_ORDER)} and ${condition})`

const POD = sql`select 1 from document d where d."ownerKind" = 'order' and d."ownerId" = "order".id
  and d."documentType" = 'PROOF_OF_DELIVERY'`

/** Whether the proof of delivery `d` speaks for the route `r`, by the rule of contract/src/order/papers/pod.ts. */
export const PROVES_ROUTE = sql`(d."locationIds" is null and not exists (select 1 from assignment a
    where a.id = d."orderCarrier" and a."routeId" <> r.id)
  or exists (select 1 from location l where l.id = any(d."locationIds") and l."routeId" = r.id))`

/** Some route that is driven has no proof of delivery of this kind. */
const LACKS_POD = (kind: RawBuilder<unknown>) => sql<boolean>`exists (select 1 from route r
  where r."orderId" = "order".id and r.status <> ${sql.lit(CANCELED_ORDER)}
    and not exists (${POD} and ${kind} and ${PROVES_ROUTE}))`

const WAITS: Readonly<Record<Exclude<WaitingKind, keyof typeof DIFFERENCES>, Wait>> = {
  carrier_missing: {
    status: 'new',
    at: 'firstLoadingAt',
    zone: 'fromTimeZone',
    needs: sql<boolean>`"order".disposition is distinct from 'OWN_FLEET'
      and not ${assignment(sql<boolean>`(a."ownFleet" or a."carrierCompanyId" is not null)`)}`,
    before: (now) => now + LOADING_AHEAD_HOURS * HOUR,
  },
  plate_missing: {
    status: 'scheduled',
    at: 'firstLoadingAt',
    zone: 'fromTimeZone',
    needs: assignment(sql<boolean>`a."plateNumber" is null`),
    before: (now) => now + LOADING_AHEAD_HOURS * HOUR,
  },
  pod_to_check: {
    status: 'delivered',
    at: 'deliveredAt',
    zone: 'toTimeZone',
    needs: sql<boolean>`exists (${POD} and d.acceptance = 'toCheck')`,
    before: (now) => now,
  },
  pod_accepted: {
    status: 'delivered',
    at: 'deliveredAt',
    zone: 'toTimeZone',
    needs: sql<boolean>`exists (${POD} and d.acceptance = 'accepted')
      and not ${LACKS_POD(sql`d.acceptance = 'accepted'`)}`,
    before: (now) => now,
  },
  pod_missing: {
    status: 'delivered',
    at: 'deliveredAt',
    zone: 'toTimeZone',
    needs: sql<boolean>`${LACKS_POD(sql`d.acceptance <> 'refused'`)} and "order"."podWaiverReason" is null`,
    before: (now) => now - POD_AFTER_DAYS * 24 * HOUR,
  },
  // The orders that went into a result are what is billed, not the result (domain, Merge).
  price_missing: {
    status: 'delivered',
    at: 'deliveredAt',
    zone: 'toTimeZone',
    needs: sql<boolean>`"order"."customerPriceCents" is null and not "order"."isMergeResult"`,
    before: (now) => now,
  },
  cost_missing: {
    status: 'delivered',
    at: 'deliveredAt',
    zone: 'toTimeZone',
    needs: assignment(sql<boolean>`a."carrierCompanyId" is not null and a."costCents" is null`),
    before: (now) => now,
  },
}

interface Found {
  kind: WaitingKind
  id: number
  number: string
  customerId: number
  customerTitle: string
  at: string
  timeZone: string | null
}

// Of these the caller may know of fewer. An array, so that the orders are looked up one by one.
const MOST_DIFFERING = 1000

/** By which column an order is found that is not what was billed. */
const DIFFERENCES = {
  billed_differs: sql<boolean>`b.differs`,
  billed_load_differs: sql<boolean>`b."loadDiffers"`,
}
const isDifference = (kind: WaitingKind): kind is keyof typeof DIFFERENCES => kind in DIFFERENCES

/** Orders whose price, cargo or way is not what was billed, the newest first. */
const billedOtherwise = (ctx: Ctx, visible: OrderScope, rank: number, kind: keyof typeof DIFFERENCES) =>
  sql`(${narrowed(ctx, visible, {})
    .where(
      sql<boolean>`"order".state = 'active' and "order".id = any(array(select b."orderId" from billed_order b
        where ${DIFFERENCES[kind]} order by b."orderId" desc limit ${sql.lit(MOST_DIFFERING)}))`,
    )
    .select([
      sql.lit(kind).as('kind'),
      sql.lit(rank).as('rank'),
      'order.id',
      'order.number',
      'order.customerId',
      'order.customerTitle',
      sql`coalesce("order"."deliveredAt", "order"."createdAt")`.as('at'),
      'order.toTimeZone as timeZone',
    ])
    .orderBy('order.id', 'desc')
    .limit(sql.lit(MOST_OF_A_KIND) as never)})`

interface Billed {
  invoiceId: number
  invoiceNumber: string
  billedCents: number
  load: FreightLoad
  loadNow: FreightLoad
}

/** What of an order's freight is billed. Error: `not_found` for an order that the caller may not know of. */
export async function billedOf(ctx: Ctx, visible: OrderScope, id: number): Promise<z.output<typeof getBilled.reply>> {
  const { rows } = await sql<Billed | { invoiceId: null }>`
    select b."invoiceId", b."invoiceNumber", b."billedCents", b."billedLoad" as load, b.load as "loadNow" from "order"
      left join billed_order b on b."orderId" = "order".id where "order".id = ${id} and ${visible()}
  `.execute(ctx.db)
  const [found] = rows
  if (!found) throw new AppError('not_found')
  if (found.invoiceId === null) return { billed: null }
  const { invoiceId, invoiceNumber, ...billed } = found
  return { billed: { invoice: { id: invoiceId, title: invoiceNumber }, ...billed } }
}

/** What needs a step of the caller, the case worker: by kind, the most urgent first, and within it the oldest date. */
export async function findWaiting(ctx: Ctx, visible: OrderScope): Promise<z.output<typeof listWaitingOrders.reply>> {
  const now = ctx.clock.now().getTime()
  const waits = WAITING_KINDS.flatMap((kind, rank) => {
    if (isDifference(kind))
      return hasPermission(actorOf(ctx), 'INVOICES_PROCESSING') ? [billedOtherwise(ctx, visible, rank, kind)] : []
    const { status, at, zone, needs, before } = WAITS[kind]
    const column = sql.ref(`order.${at}`)
    // Literals, so that the partial index is seen to fit.
    const rows = narrowed(ctx, visible, {})
      .where(
        sql<boolean>`"order".state = 'active' and "order".status = ${sql.lit(status)}
          and "order"."caseWorkerId" = ${actorOf(ctx).userId}`,
      )
      .where(sql<boolean>`${column} <= ${new Date(before(now)).toISOString()}`)
      .where(needs)
      .select([
        sql.lit(kind).as('kind'),
        sql.lit(rank).as('rank'),
        'order.id',
        'order.number',
        'order.customerId',
        'order.customerTitle',
        sql`${column}`.as('at'),
        `order.${zone} as timeZone`,
      ])
      .orderBy(column)
      .orderBy('order.id')
      .limit(sql.lit(MOST_OF_A_KIND) as never)
    return [sql`(${rows})`]
  })
  const { rows } = await ctx.db.executeQuery(
    plannedWithValues(
      sql<
        Found & { total: number }
      >`select waiting.*, count(*) over ()::int as total from (${sql.join(waits, sql` union all `)}) waiting
        order by rank, at, id limit ${sql.lit(MOST_LINES)}`.compile(ctx.db),
    ),
  )
  const items = rows.map(
    ({ kind, id, number, customerId, customerTitle, at, timeZone }): WaitingOrder => ({
      kind,
      order: { id, title: number },
      customer: { id: customerId, title: customerTitle },
      at,
      timeZone: timeZone ?? 'UTC',
    }),
  )
  return { items, total: rows[0]?.total ?? 0 }
}

/** Sums over orders that were created within some days; beyond 10,000 they stop, as a list's total does. */
export async function sumOfDays(
  ctx: Ctx,
  visible: OrderScope,
  query: z.output<typeof sumOrders.query>,
): Promise<z.output<typeof sumOrders.reply>> {
  const rows = narrowed(ctx, visible, { ...query, status: [...SUMMED_STATUSES] })
    .select(['order.customerPriceCents', 'order.extrasPriceCents', 'order.incomeCents'])
    .limit(sql.lit(EXACT_TOTAL + 1) as never)
  const { rows: found } = await ctx.db.executeQuery(
    plannedWithValues(
      sql<{ count: number; customerPriceCents: number; incomeCents: number; pricedCents: number }>`
        select count(*)::int as count, coalesce(sum("customerPriceCents"), 0)::bigint as "customerPriceCents",
          coalesce(sum("incomeCents"), 0)::bigint as "incomeCents",
          coalesce(sum("customerPriceCents" + "extrasPriceCents")
            filter (where "incomeCents" is not null), 0)::bigint as "pricedCents"
        from (${rows}) counted
      `.compile(ctx.db),
    ),
  )
  const { count, customerPriceCents, incomeCents, pricedCents } = found[0]!
  return {
    count: Math.min(count, EXACT_TOTAL),
    isExact: count <= EXACT_TOTAL,
    customerPriceCents,
    incomeCents,
    marginBp: marginBpOf(pricedCents, incomeCents),
  }
}
