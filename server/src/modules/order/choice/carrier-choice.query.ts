import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import {
  MOST_CHOICES,
  MOST_PRICES,
  type CarrierChoice,
  type CarrierChoices,
  type listCarrierChoices,
} from '@waybill/contract/order/choice/carrier-choice'
import {
  areasAround,
  isNear,
  LANE_MONTHS,
  LEAST_FOREIGN,
  rankCarriers,
  RECENT_ROUTES,
  type Ranked,
} from '@waybill/contract/order/choice/ranking'
import {
  clearanceOf,
  isCleared,
  transportOf,
  type CarrierPapers,
  type CarrierRelease,
} from '@waybill/contract/order/clearance/clearance'
import { roundHalfAwayFromZero, toThousandths } from '@waybill/contract/kit/money'
import { postalArea } from '@waybill/contract/order/lane'
import { extrasOf, mostCostOf, withExtras } from '@waybill/contract/order/money'
import type { Order, OrderLocation, OrderRoute } from '@waybill/contract/order/order'
import { estimatedKm } from '@waybill/contract/order/planning/distance'
import { isDropOff, isPickUp, nextPickUp } from '@waybill/contract/order/schedule'
import { DEVIATIONS, isCanceled, PLANNED_STATUSES } from '@waybill/contract/order/status'
import { terminRange } from '@waybill/contract/order/termin/termin'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { instantText } from '../../../kit/database/db.ts'
import { searchIn } from '../../../kit/records/paging.ts'
import { shownTitle } from '../../../kit/records/titles.ts'
import { demandedCents, papersOf, RELEASE_JSON, todayOf } from '../clearance/clearance.query.ts'
import { ofCompany, visibleOrders } from '../order.policy.ts'
import { loadOrder } from '../order-view.query.ts'
import '../order.table.ts'

/** How long before the pick-up an unloading near it still means a truck that could come. */
const NEAR_DAYS = 3

const PLANNED = sql`${[...PLANNED_STATUSES]}::text[]`
const OF_CARRIERS = sql`${DEVIATIONS.filter((one) => one.startsWith('CARRIER'))}::text[]`

type Price = CarrierChoice['prices'][number]

interface Found {
  id: number
  title: string
  countryCode: string
  city: string | null
  phone: string | null
  email: string | null
  warnings: string | null
  papers: CarrierPapers
  release: CarrierRelease | null
  trips: number
  /** trips with a cost: how many, what for, and of those with a distance too; all of them, and those one may see */
  priced: Sums
  ownPriced: Sums
  foreign: number
  prices: (Omit<Price, 'perKmCents'> & { distanceKm: number | null })[]
  inTime: number
  measured: number
  deviations: number
  problemInvoices: number
  vehicleTypes: string[]
  before: { countryCode: string; city: string | null; at: string; latitude: number | null; longitude: number | null }
}

interface Sums {
  count: number
  cents: number
  /** of those that have a distance */
  roadCents: number
  km: number
}

const sumsJson = (condition: RawBuilder<unknown>) => sql`json_build_object(
  'count', count(*) filter (where ${condition}),
  'cents', coalesce(sum("costCents") filter (where ${condition}), 0),
  'roadCents', coalesce(sum("costCents") filter (where ${condition} and "distanceKm" > 0), 0),
  'km', coalesce(sum("distanceKm") filter (where ${condition} and "distanceKm" > 0), 0))`

interface Ends {
  from: OrderLocation | undefined
  to: OrderLocation | undefined
}

/** First pick-up and last drop-off of a route. */
function endsOf(order: Order, route: OrderRoute): Ends {
  const stops = stopsOf(order, route)
  return { from: stops.find(isPickUp), to: stops.findLast(isDropOff) }
}

const stopsOf = (order: Order, route: OrderRoute): OrderLocation[] =>
  route.locationIds
    .flatMap((id) => order.locations.find((stop) => stop.id === id) ?? [])
    .filter(({ canceledAt }) => canceledAt === null)

/** When it is loaded: by its plan, else from the beginning of its termin on; null while no date is known. */
function loadingOf(from: OrderLocation | undefined): string | null {
  if (from === undefined) return null
  return from.plannedAt ?? (from.termin && terminRange(from.termin, from.timeZone).endAt)
}

const NOBODY = sql`select null::bigint as id where false`

/** Routes that drove the lane, each with whether the caller may see its order. */
function laneOf(ctx: Ctx, { from, to }: Ends, routeId: number, since: string): RawBuilder<unknown> {
  const areas = { from: postalArea(from?.postal), to: postalArea(to?.postal) }
  if (!from || !to || areas.from === null || areas.to === null)
    return sql`select null::bigint as "carrierCompanyId", null::bigint as "costCents",
      null::double precision as "distanceKm", null::timestamptz as at, null::bigint as "orderId",
      null::text as number, false as "isVisible" where false`
  return sql`
    select a."carrierCompanyId", a."costCents", r."distanceKm", "order".id as "orderId",
        concat("order".number, '/', r.n) as number, ${visibleOrders(ctx)} as "isVisible",
        coalesce(f."loadedAt", f."plannedAt", f."startAt", t."endAt") as at
      from location f
        join location t on t."routeId" = f."routeId" and t.kind = 'unloading' and t."countryId" = ${to.countryId}
          and postal_area(t.postal) = any(${areasAround(areas.to)}::text[]) and t."canceledAt" is null
          and t."endAt" >= ${since}
        join route r on r.id = f."routeId" and r.status = any(${PLANNED}) and r.id <> ${routeId}
        join assignment a on a."routeId" = r.id and a."carrierCompanyId" is not null
        join "order" on "order".id = r."orderId" and ${ofCompany(ctx)}
      where f.kind = 'loading' and f."countryId" = ${from.countryId}
        and postal_area(f.postal) = any(${areasAround(areas.from)}::text[])
        and f."routeId" is not null and f."canceledAt" is null
        and not exists (select 1 from location e where e."routeId" = r.id and e."canceledAt" is null
          and (e.kind = 'loading' and e."routePosition" < f."routePosition"
            or e.kind = 'unloading' and e."routePosition" > t."routePosition"))`
}

/** Carriers that unload near the pick-up shortly before it, of orders that the caller may see. */
function nearOf(ctx: Ctx, from: OrderLocation | undefined, loadingAt: string | null): RawBuilder<unknown> {
  const area = postalArea(from?.postal)
  if (!from || area === null || loadingAt === null) return NOBODY
  return sql`
    select distinct a."carrierCompanyId" as id from location l
        join route r on r.id = l."routeId" and r.status = any(${PLANNED})
        join assignment a on a."routeId" = r.id and a."carrierCompanyId" is not null
        join "order" on "order".id = r."orderId" and ${visibleOrders(ctx)}
      where l.kind = 'unloading' and l."countryId" = ${from.countryId}
        and postal_area(l.postal) = any(${areasAround(area)}::text[])
        and l."endAt" between ${loadingAt}::timestamptz - make_interval(days => ${NEAR_DAYS}) and ${loadingAt}
        and l."routeId" is not null and l."canceledAt" is null
      limit ${sql.lit(MOST_CHOICES)}`
}

interface Question {
  order: Order
  route: OrderRoute
  ends: Ends
  loadingAt: string | null
  now: Date
  q: string | undefined
}

/** Everything that is told of the carriers in question, in one statement. */
async function findCarriers(ctx: Ctx, { order, route, ends, loadingAt, now, q }: Question): Promise<Found[]> {
  const since = new Date(now)
  since.setUTCMonth(since.getUTCMonth() - LANE_MONTHS)
  const yearAgo = new Date(now)
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1)
  const isAsked = searchIn(q ?? '', 'k.searchKey', ['k.titleKey'], { isForAnyWords: true })
  const candidates =
    q === undefined
      ? sql`(select "carrierCompanyId" as id from lane group by 1 order by count(*) desc, 1
          limit ${sql.lit(MOST_CHOICES)}) union (${nearOf(ctx, ends.from, loadingAt)})`
      : sql`(select k.id from carrier_company k where k.state = 'active' and ${isAsked} order by k."titleKey", k.id
          limit ${sql.lit(MOST_CHOICES)})`
  const { rows } = await sql<Found>`
    with lane as materialized (${laneOf(ctx, ends, route.id, since.toISOString())}),
    candidate as materialized (select k.id from carrier_company k where k.state = 'active'
      and k.id in (${candidates}) limit ${sql.lit(MOST_CHOICES)}),
    recent as materialized (
      select candidate.id, r.id as "routeId", a."vehicleTypeId", "order".deviations,
          ${visibleOrders(ctx)} as "isVisible"
        from candidate
          cross join lateral (select * from assignment newest where newest."carrierCompanyId" = candidate.id
            order by newest.id desc limit ${sql.lit(RECENT_ROUTES)}) a
          join route r on r.id = a."routeId" and r.status = any(${PLANNED}) and r.id <> ${route.id}
          join "order" on "order".id = r."orderId" and ${ofCompany(ctx)}),
    unloaded as materialized (
      select recent.id, recent."isVisible", l.city, l."countryId", l.latitude, l.longitude,
          coalesce(l."unloadedAt", l."arrivedAt", l."plannedAt", l."endAt") as at,
          coalesce(l."arrivedAt", l."unloadedAt") as "reachedAt", l."endAt"
        from recent join location l on l."routeId" = recent."routeId" and l.kind = 'unloading'
          and l."canceledAt" is null),
    driven as (
      select "carrierCompanyId" as id, count(*)::int as trips,
          count(*) filter (where not "isVisible" and "costCents" is not null)::int as foreign,
          ${sumsJson(sql`"costCents" is not null`)} as priced,
          ${sumsJson(sql`"costCents" is not null and "isVisible"`)} as "ownPriced",
          (array_agg(json_build_object('orderId', "orderId", 'number', number, 'at', at, 'priceCents', "costCents",
            'distanceKm', "distanceKm") order by at desc, "orderId" desc)
            filter (where "isVisible"))[1:${sql.lit(MOST_PRICES)}] as prices
        from lane group by 1),
    punctual as (
      select id, count(*) filter (where "reachedAt" <= "endAt")::int as "inTime", count(*)::int as measured
        from unloaded where "reachedAt" is not null and "endAt" is not null group by 1),
    latest as (
      select distinct on (u.id) u.id, json_build_object('countryCode', c.code, 'city', u.city, 'at', u.at,
          'latitude', u.latitude, 'longitude', u.longitude) as before
        from unloaded u join country c on c.id = u."countryId"
        where u."isVisible" and u.at <= ${loadingAt}::timestamptz order by u.id, u.at desc),
    strayed as (
      select id, count(*)::int as deviations from recent where deviations && ${OF_CARRIERS} group by 1)
    select k.id, k.title, c.code as "countryCode", k.city, k.warnings,
        (select contact.phone from carrier_contact contact where contact."carrierCompanyId" = k.id
          and contact.phone is not null order by contact.position limit 1) as phone,
        (select contact.email from carrier_contact contact where contact."carrierCompanyId" = k.id
          and contact.email is not null order by contact.position limit 1) as email,
        ${papersOf(sql`candidate.id`, sql`${order.id}::bigint`)} as papers,
        (select ${RELEASE_JSON} from carrier_release release where release."routeId" = ${route.id}
          and release."carrierCompanyId" = k.id order by release.id desc limit 1) as release,
        coalesce(driven.trips, 0) as trips, coalesce(driven.foreign, 0) as foreign, driven.priced,
        driven."ownPriced", coalesce(to_json(driven.prices), '[]') as prices,
        coalesce(punctual."inTime", 0) as "inTime", coalesce(punctual.measured, 0) as measured,
        coalesce(strayed.deviations, 0) as deviations, latest.before,
        (select count(*)::int from invoice i where i."carrierCompanyId" = k.id and i."entityType" = 'carrier'
          and i."createdAt" >= ${yearAgo.toISOString()} and i."inProgressAt" is not null) as "problemInvoices",
        array(select distinct ${shownTitle(ctx.language, 'v')} from vehicle_type v where v.id in (
          select link."vehicleTypeId" from carrier_vehicle_type link where link."carrierCompanyId" = k.id
          union all select recent."vehicleTypeId" from recent where recent.id = k.id) order by 1) as "vehicleTypes"
      from candidate join carrier_company k on k.id = candidate.id join country c on c.id = k."countryId"
        left join driven on driven.id = k.id left join punctual on punctual.id = k.id
        left join latest on latest.id = k.id left join strayed on strayed.id = k.id
  `.execute(ctx.db)
  return rows
}

const THOUSAND = 1000n
const perKm = (cents: number, km: number): number | null =>
  km > 0 ? roundHalfAwayFromZero(BigInt(cents) * THOUSAND, toThousandths(km)) : null

/** What it was driven for on average: no price of an order that one may not see can be worked out of it. */
function averagesOf({ priced, ownPriced, foreign }: Found): Pick<CarrierChoice, 'averageCents' | 'averagePerKmCents'> {
  const sums = foreign >= LEAST_FOREIGN ? priced : ownPriced
  if (!sums || sums.count === 0) return { averageCents: null, averagePerKmCents: null }
  return {
    averageCents: roundHalfAwayFromZero(sums.cents, sums.count),
    averagePerKmCents: perKm(sums.roadCents, sums.km),
  }
}

function beforeOf({ before }: Found, from: OrderLocation | undefined): CarrierChoice['before'] {
  if (!before) return null
  const { latitude, longitude, at, ...place } = before
  const isKnown = latitude !== null && longitude !== null && from?.latitude != null && from.longitude != null
  return {
    ...place,
    at: instantText(at),
    km: isKnown ? estimatedKm({ latitude, longitude }, { latitude: from.latitude!, longitude: from.longitude! }) : null,
  }
}

/** What the customer pays for a route: the order's price is that of its only one, unless it says otherwise. */
function revenueOf(order: Order, route: OrderRoute): { revenueCents: number | null; extrasCostCents: number } {
  const running = order.routes.filter(({ status }) => !isCanceled(status))
  const isOnly = running.length === 1
  const extras = extrasOf(order.approvedExtras.filter(({ routeId }) => isOnly || routeId === route.id))
  const price = route.customerPriceCents ?? (isOnly ? order.customerPriceCents : null)
  return { revenueCents: withExtras(price, extras.priceCents), extrasCostCents: extras.costCents }
}

/** An order and one of its routes that the caller may see. Error: `not_found`. */
async function loadRoute(ctx: Ctx, id: number, routeId: number): Promise<{ order: Order; route: OrderRoute }> {
  const order = await loadOrder(ctx, id)
  const route = order.routes.find((one) => one.id === routeId)
  if (!route) throw new AppError('not_found')
  return { order, route }
}

/** Carriers for a route of an order that the caller may see. Errors: the contract's. */
export async function carrierChoices(
  ctx: Ctx,
  { id, routeId }: z.output<typeof listCarrierChoices.params>,
  { q }: z.output<typeof listCarrierChoices.query>,
): Promise<CarrierChoices> {
  const { order, route } = await loadRoute(ctx, id, routeId)
  const ends = endsOf(order, route)
  const transport = transportOf(stopsOf(order, route), order.cargo, {
    today: todayOf(ctx),
    demandedCents: await demandedCents(ctx, order.departmentId),
  })
  const loadingAt = loadingOf(nextPickUp(stopsOf(order, route)) ?? ends.from)
  const found = await findCarriers(ctx, { order, route, ends, loadingAt, now: ctx.clock.now(), q })
  const items = found.map((one) => {
    const { papers, release, prices, inTime, measured, trips } = one
    const reasons = clearanceOf(papers, transport)
    const averages = averagesOf(one)
    const before = beforeOf(one, ends.from)
    const own = prices.find(({ priceCents }) => priceCents !== null)
    const ranked = {
      isCleared: isCleared(reasons, transport, release),
      trips,
      priceCents: own?.priceCents ?? averages.averageCents,
      onTime: { inTime, measured },
      kmToPickUp: before?.km ?? null,
      title: one.title,
    } satisfies Ranked
    return {
      ...ranked,
      ...averages,
      id: one.id,
      countryCode: one.countryCode,
      city: one.city,
      phone: one.phone,
      email: one.email,
      warnings: one.warnings,
      prices: prices.map(({ distanceKm, at, ...price }) => ({
        ...price,
        at: instantText(at),
        perKmCents: price.priceCents === null ? null : perKm(price.priceCents, distanceKm ?? 0),
      })),
      deviations: one.deviations,
      problemInvoices: one.problemInvoices,
      vehicleTypes: one.vehicleTypes,
      before,
      reasons,
      papers,
    }
  })
  const { revenueCents, extrasCostCents } = revenueOf(order, route)
  return {
    lane: laneShown(ends),
    distanceKm: route.distanceKm,
    ...transport,
    revenueCents,
    extrasCostCents,
    marginWarningBp: order.marginWarningBp,
    limitCents: mostCostOf(revenueCents, extrasCostCents, order.marginWarningBp),
    // Who has gone on since is not near any more.
    items: rankCarriers(q === undefined ? items.filter((one) => one.trips > 0 || isNear(one)) : items).map(
      ({ kmToPickUp: _km, ...item }) => item,
    ),
  }
}

function laneShown({ from, to }: Ends): CarrierChoices['lane'] {
  const endOf = (stop: OrderLocation | undefined) => {
    const area = postalArea(stop?.postal)
    return stop && area !== null ? { countryCode: stop.countryCode, area, city: stop.city } : null
  }
  const [first, last] = [endOf(from), endOf(to)]
  return first && last ? { from: first, to: last } : null
}
