import { sql } from 'kysely'
import { type ExtraKind } from '@waybill/contract/order/extra'
import { CANCELED_ORDER, SUMMED_STATUSES } from '@waybill/contract/order/status'
import type { LossReason, LossReport, LossRow, LossScope } from '@waybill/contract/order/report/losses'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import { narrowed } from './order-list.query.ts'
import { titled } from './order-view.query.ts'
import { managedBy, visibleOrders } from './order.policy.ts'

interface Query {
  /** days of the last unloading, both included */
  lastUnloading: { from: string; to: string }
  departmentId?: readonly number[] | undefined
  show: LossScope
}

/** Costs that nobody is charged for, and that are not refused: they can still be billed. */
const OPEN_EXTRA = sql<boolean>`(e.state <> 'refused' and e."netCostCents" > 0 and coalesce(e."netPriceCents", 0) = 0)`
const HAS_OPEN_EXTRA = sql<boolean>`exists (
  select 1 from order_extra e where e."orderId" = "order".id and ${OPEN_EXTRA})`

interface Found {
  id: number
  number: string
  unloadedOn: string
  customerId: number
  customerTitle: string
  customers: number
  fromCountryCode: string | null
  fromCity: string | null
  toCountryCode: string | null
  toCity: string | null
  priceCents: number
  costCents: number
  freightCents: number
  incomeCents: number
  caseWorkerId: number | null
  caseWorkerTitle: string | null
  trucks: number
}

interface FoundExtra {
  orderId: number
  kind: ExtraKind
  note: string | null
  isApproved: boolean
  isOpen: boolean
  costCents: number
  lossCents: number
}

/** Orders whose agreed cost is higher than their price, the greatest loss first, with why; at most so many of them. */
export async function ordersWithLoss(ctx: Ctx, { show, ...days }: Query, mostRows: number): Promise<LossReport> {
  const all = narrowed(ctx, (idsAre) => visibleOrders(ctx, idsAre), {
    status: [...SUMMED_STATUSES],
    money: ['loss'],
    lastUnloading: days.lastUnloading,
    ...(days.departmentId !== undefined && { departmentId: [...days.departmentId] }),
  })
  const isMine = managedBy([actorOf(ctx).userId])
  const shown = { all: sql<boolean>`true`, billable: HAS_OPEN_EXTRA, mine: isMine }[show]
  const counted = await ctx.db.executeQuery(
    plannedWithValues(
      sql<LossReport['counts'] & { count: number; incomeCents: number }>`
        select count(*)::int as "all", count(*) filter (where "isOpen")::int as billable,
          count(*) filter (where "isMine")::int as mine, count(*) filter (where "isShown")::int as count,
          coalesce(sum("incomeCents") filter (where "isShown"), 0)::bigint as "incomeCents"
        from (${all.select([
          'order.incomeCents',
          HAS_OPEN_EXTRA.as('isOpen'),
          isMine.as('isMine'),
          shown.as('isShown'),
        ])}) as loss`.compile(ctx.db),
    ),
  )
  const { count, incomeCents, ...counts } = counted.rows[0]!
  const found = await ctx.db.executeQuery(
    plannedWithValues(
      sql<Found>`${all
        .where(shown)
        .leftJoin('user as worker', 'worker.id', 'order.caseWorkerId')
        .select([
          'order.id',
          'order.number',
          sql`to_char("order"."lastUnloadingAt" at time zone coalesce("order"."toTimeZone", 'UTC'), 'YYYY-MM-DD')`.as(
            'unloadedOn',
          ),
          'order.customerId',
          'order.customerTitle',
          sql`cardinality("order"."customerIds")`.as('customers'),
          'order.fromCountryCode',
          'order.fromCity',
          'order.toCountryCode',
          'order.toCity',
          sql`coalesce("order"."customerPriceCents", 0) + "order"."extrasPriceCents"`.as('priceCents'),
          sql`coalesce("order"."carrierCostCents", 0) + "order"."extrasCostCents"`.as('costCents'),
          sql`coalesce("order"."customerPriceCents", 0) - coalesce("order"."carrierCostCents", 0)`.as('freightCents'),
          'order.incomeCents',
          'order.caseWorkerId',
          'worker.fullName as caseWorkerTitle',
          sql`(select count(*)::int from route r where r."orderId" = "order".id and r.status <> ${CANCELED_ORDER})`.as(
            'trucks',
          ),
        ])
        .orderBy('order.incomeCents')
        .orderBy('order.id')
        .limit(Number.isFinite(mostRows) ? mostRows : count)}`.compile(ctx.db),
    ),
  )
  const extras = await extrasOf(
    ctx,
    found.rows.map(({ id }) => id),
  )
  const rows = found.rows.map((row) => rowOf(row, extras.get(row.id) ?? []))
  const rest = count - rows.length
  return {
    rows,
    others:
      rest > 0 ? { count: rest, incomeCents: incomeCents - rows.reduce((sum, row) => sum + row.incomeCents, 0) } : null,
    sum: { count, incomeCents },
    counts,
  }
}

async function extrasOf(ctx: Ctx, orderIds: readonly number[]): Promise<Map<number, FoundExtra[]>> {
  const { rows } = await sql<FoundExtra>`
    select e."orderId", e.kind, e.note, e.state = 'approved' as "isApproved", ${OPEN_EXTRA} as "isOpen",
      e."netCostCents" as "costCents", e."netCostCents" - coalesce(e."netPriceCents", 0) as "lossCents"
    from order_extra e
    where e."orderId" = any(${orderIds}::bigint[]) and e.state <> 'refused' and e."netCostCents" > 0
    order by "lossCents" desc, e.id`.execute(ctx.db)
  return Map.groupBy(rows, ({ orderId }) => orderId)
}

const placeOf = (countryCode: string | null, city: string | null) =>
  countryCode === null ? null : { countryCode, city }

function rowOf(row: Found, extras: readonly FoundExtra[]): LossRow {
  const open = extras.filter(({ isOpen }) => isOpen)
  return {
    id: row.id,
    number: row.number,
    unloadedOn: row.unloadedOn,
    customer: { id: row.customerId, title: row.customerTitle },
    customers: row.customers,
    from: placeOf(row.fromCountryCode, row.fromCity),
    to: placeOf(row.toCountryCode, row.toCity),
    priceCents: row.priceCents,
    costCents: row.costCents,
    incomeCents: row.incomeCents,
    reasons: reasonsOf(row, extras),
    extras: open.length > 0 ? 'open' : extras.length > 0 ? 'charged' : 'none',
    openCents: open.reduce((sum, { costCents }) => sum + costCents, 0),
    caseWorker: titled(row.caseWorkerId, row.caseWorkerTitle),
  }
}

/** What is not approved yet is in no figure, and no reason. */
function reasonsOf({ freightCents, trucks }: Found, extras: readonly FoundExtra[]): LossReason[] {
  const lost = extras.filter(({ isApproved, lossCents }) => isApproved && lossCents > 0)
  const reasons: { lossCents: number; reason: LossReason }[] = lost.map(({ kind: extra, lossCents, note }) => ({
    lossCents,
    reason: { kind: 'extra', extra, lossCents, note },
  }))
  if (freightCents < 0) {
    // A second truck for the price of one is what made the freight dear.
    if (trucks > 1) reasons.push({ lossCents: -freightCents, reason: { kind: 'trucks', trucks } })
    reasons.push({ lossCents: -freightCents, reason: { kind: 'freight', lossCents: -freightCents } })
  }
  return reasons.toSorted((one, other) => other.lossCents - one.lossCents).map(({ reason }) => reason)
}
