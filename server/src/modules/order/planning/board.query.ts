import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { addDays, startOfDay } from '@waybill/contract/kit/local-time'
import { delayAgainst } from '@waybill/contract/order/delay'
import {
  MOST_BARS,
  MOST_WAITING,
  type Board,
  type BoardBar,
  type BoardCarrier,
  type BoardStop,
  type BoardVehicle,
  type BusySpan,
  type getBoard,
  type WaitingCard,
} from '@waybill/contract/order/planning/board'
import {
  CANCELED_ORDER,
  FIRST_ORDER_STATUS,
  NOT_SUMMED_STATUSES,
  UNDER_WAY_STATUSES,
  type OrderStatus,
} from '@waybill/contract/order/status'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { instantText } from '../../../kit/database/db.ts'
import { plannedWithValues } from '../../../kit/database/prepared.ts'
import { noFilterLeft } from '../../../kit/records/filters.ts'
import { shownTitle } from '../../../kit/records/titles.ts'
import { visibleOrders } from '../order.policy.ts'
import { titled } from '../order-view.query.ts'

type Query = z.output<typeof getBoard.query>

/** Tours that began so long ago and were to end long ago are found by their being late alone. */
const LONGEST_TOUR_DAYS = 21

/** A plate by its letters and figures alone, as `vehicle."plateKey"` is. */
const plateKeyOf = (column: RawBuilder<unknown>) => sql`upper(regexp_replace(${column}, '[^[:alnum:]]', '', 'g'))`

const statuses = (list: readonly string[]) => sql.join(list.map((status) => sql.lit(status)))

interface Span {
  startAt: string
  endAt: string
  timeZone: string
}

/** The days asked for as instants: in the zone of the company of the department asked for, else of the caller's. */
async function spanOf(ctx: Ctx, { from, days, departmentId, ...left }: Query): Promise<Span> {
  noFilterLeft(left)
  const { rows } = await sql<{ timeZone: string }>`
    select c."timeZone" from department d join company c on c.id = d."companyId"
      order by d.id = ${departmentId?.[0] ?? 0} desc,
        d.id = (select u."departmentId" from "user" u where u.id = ${actorOf(ctx).userId}) desc nulls last, d.id
      limit 1
  `.execute(ctx.db)
  const timeZone = rows[0]?.timeZone ?? 'UTC'
  return { timeZone, startAt: startOfDay(from, timeZone), endAt: startOfDay(addDays(from, days), timeZone) }
}

/** Orders whose way touches the span, and those that should have ended by now but are still under way. */
const touches = ({ startAt, endAt }: Span, now: string) => {
  const earliest = new Date(Date.parse(startAt) - LONGEST_TOUR_DAYS * 86_400_000).toISOString()
  const late = sql`"order".status in (${statuses(UNDER_WAY_STATUSES)}) and "order"."dueAt" < ${now}
    and "order"."firstLoadingAt" < ${endAt}`
  return sql<boolean>`"order".state = 'active' and "order".status not in (${statuses(NOT_SUMMED_STATUSES)})
    and (("order"."firstLoadingAt" >= ${earliest} and "order"."firstLoadingAt" < ${endAt}
        and coalesce("order"."lastUnloadingAt", "order"."firstLoadingAt") >= ${startAt})
      or (${now} >= ${startAt} and ${late}))`
}

const ofDepartments = (ids: readonly number[] | undefined) =>
  ids === undefined ? sql`true` : sql`"order"."departmentId" = any(${[...ids]}::bigint[])`

/** The stops that fulfil a condition, in the order in which they are driven, each with what comes on and goes off. */
const stopsWhere = (condition: RawBuilder<unknown>, place: RawBuilder<unknown>) => sql`coalesce((
  select json_agg(json_build_object('id', l.id, 'kind', l.kind, 'city', l.city, 'countryCode', country.code,
      'timeZone', l."timeZone", 'latitude', l.latitude, 'longitude', l.longitude, 'startAt', l."startAt",
      'endAt', l."endAt", 'plannedAt', l."plannedAt", 'arrivedAt', l."arrivedAt",
      'loadedAt', l."loadedAt", 'unloadedAt', l."unloadedAt", 'canceledAt', l."canceledAt",
      'picks', load.picks, 'drops', load.drops,
      'ldmOn', load."ldmOn", 'ldmOff', load."ldmOff", 'kgOn', load."kgOn", 'kgOff', load."kgOff")
    order by ${place})
  from location l join country on country.id = l."countryId",
    lateral (select count(*) filter (where ca.action = 'PICK_UP')::int as picks,
        count(*) filter (where ca.action = 'DROP_OFF')::int as drops,
        coalesce(sum(cargo.ldm) filter (where ca.action = 'PICK_UP'), 0) as "ldmOn",
        coalesce(sum(cargo.ldm) filter (where ca.action = 'DROP_OFF'), 0) as "ldmOff",
        coalesce(sum(cargo."weightKg") filter (where ca.action = 'PICK_UP'), 0) as "kgOn",
        coalesce(sum(cargo."weightKg") filter (where ca.action = 'DROP_OFF'), 0) as "kgOff"
      from cargo_action ca join cargo on cargo.id = ca."cargoId" where ca."locationId" = l.id) load
  where ${condition} and l."canceledAt" is null), '[]')`

type FoundStop = Omit<BoardStop, 'isLoading' | 'isUnloading' | 'doneAt'> & {
  kind: string
  loadedAt: string | null
  unloadedAt: string | null
  picks: number
  drops: number
}

/** PostgreSQL writes instants inside JSON its own way. */
const instant = (value: string | null): string | null => (value === null ? null : instantText(value))
const thousandths = (value: number): number => Math.round(value * 1000) / 1000

function stopOf({ kind, loadedAt, unloadedAt, picks, drops, ...stop }: FoundStop): BoardStop {
  const isLoading = kind === 'loading' || picks > 0
  const isUnloading = kind === 'unloading' || drops > 0
  const done = isUnloading ? unloadedAt : isLoading ? loadedAt : null
  return {
    id: stop.id,
    isLoading,
    isUnloading,
    city: stop.city,
    countryCode: stop.countryCode,
    timeZone: stop.timeZone,
    latitude: stop.latitude,
    longitude: stop.longitude,
    startAt: instant(stop.startAt),
    endAt: instant(stop.endAt),
    plannedAt: instant(stop.plannedAt),
    arrivedAt: instant(stop.arrivedAt),
    doneAt: instant(done),
    ldmOn: thousandths(stop.ldmOn),
    ldmOff: thousandths(stop.ldmOff),
    kgOn: thousandths(stop.kgOn),
    kgOff: thousandths(stop.kgOff),
  }
}

interface FoundOrder {
  customerId: number
  customerTitle: string
  stops: FoundStop[]
}

type FoundBar = FoundOrder &
  Omit<BoardBar, 'stops' | 'delay' | 'customer' | 'carrierCompany'> & {
    carrierId: number | null
    carrierTitle: string | null
  }

const ORDER_COLUMNS = sql`"order".id as "orderId", "order".version, "order"."departmentId", "order".disposition,
  "order"."customerId", "order"."customerTitle", "order"."customerPriceCents"`

/** Late by what the stops of the route wait for (domain, Delays). */
const delayOf = (status: OrderStatus, stops: readonly BoardStop[], now: string) =>
  delayAgainst(
    status,
    {
      loadingAt: stops.find((stop) => stop.isLoading && stop.doneAt === null)?.endAt ?? null,
      unloadingAt: stops.findLast((stop) => stop.isUnloading)?.endAt ?? null,
    },
    now,
  )

/** The request for prices of a route that is open; a route whose carrier is known has none any more. */
const openPrices = sql`(select json_build_object('asked', count(*), 'priced', count(answer."priceCents"),
    'declined', count(*) filter (where answer."isDeclined"), 'bestCents', min(answer."priceCents"),
    'limitCents', round."limitCents")
  from price_round round join price_answer answer on answer."roundId" = round.id
  where round."routeId" = route.id and round."closedAt" is null and assignment."carrierCompanyId" is null
  group by round.id)`

/** What does not come back when an act on the route is undone. */
const attached = (now: string) => sql`to_json(array_remove(array[
  case when exists (select 1 from price_round asked where asked."routeId" = route.id) then 'prices' end,
  case when exists (select 1 from carrier_release r where r."routeId" = route.id) then 'release' end,
  case when exists (select 1 from upload_link link where link."assignmentId" = assignment.id
    and link."revokedAt" is null and link."expiresAt" > ${now}) then 'uploadLink' end,
  case when exists (select 1 from driver_link link where link."routeId" = route.id
    and link."assignmentId" = assignment.id and link."revokedAt" is null) then 'driverLink' end,
  case when exists (select 1 from price_round asked where asked."routeId" = route.id
    and asked."closedAt" is null) then 'openPrices' end], null))`

async function barsOf(ctx: Ctx, query: Query, span: Span): Promise<BoardBar[]> {
  const now = nowOf(ctx)
  const statement = sql<FoundBar>`
    select ${ORDER_COLUMNS}, "order"."incomeCents", "order"."marginBp", route.id as "routeId",
      "order".number || '/' || route.n as number, route.status, route."distanceKm",
      not exists (select 1 from route other where other."orderId" = "order".id and other.id <> route.id) as "isOnly",
      coalesce(assignment."ownFleet", false) as "ownFleet", assignment."carrierCompanyId" as "carrierId",
      carrier.title as "carrierTitle", assignment."plateNumber", assignment."vehicleTypeId",
      coalesce((select json_agg(coalesce(ad."driverId", ad."userId") order by ad.position) from assignment_driver ad
        where ad."assignmentId" = assignment.id), '[]') as "driverIds",
      coalesce((select string_agg(coalesce(driver."fullName", own."fullName"), ', ' order by ad.position)
        from assignment_driver ad left join driver on driver.id = ad."driverId"
          left join "user" own on own.id = ad."userId"
        where ad."assignmentId" = assignment.id), assignment."driverText") as "driverNames",
      ${openPrices} as prices, ${attached(now)} as attached,
      ${stopsWhere(sql`l."routeId" = route.id`, sql`l."routePosition"`)} as stops
    from "order" join route on route."orderId" = "order".id
      left join assignment on assignment."routeId" = route.id
      left join carrier_company carrier on carrier.id = assignment."carrierCompanyId"
    where ${touches(span, now)} and route.status <> ${sql.lit(CANCELED_ORDER)} and ${visibleOrders(ctx)}
      and ${ofDepartments(query.departmentId)}
    order by "order"."firstLoadingAt", route.id limit ${sql.lit(MOST_BARS + 1)}
  `
  const { rows } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  return rows.map(({ customerId, customerTitle, carrierId, carrierTitle, stops: found, ...bar }): BoardBar => {
    const stops = found.map(stopOf)
    return {
      ...bar,
      customer: { id: customerId, title: customerTitle },
      carrierCompany: titled(carrierId, carrierTitle),
      delay: delayOf(bar.status, stops, now),
      stops,
    }
  })
}

/** Orders that nobody has given a route yet, those that load first before the others. */
async function waitingOf(ctx: Ctx, { departmentId }: Query): Promise<WaitingCard[]> {
  const { rows } = await sql<FoundOrder & Omit<WaitingCard, 'stops' | 'customer'>>`
    select ${ORDER_COLUMNS}, "order".number, "order"."firstLoadingAt",
      (select json_build_object('id', kind.id, 'title', ${shownTitle(ctx.language, 'kind')}) from vehicle_type kind
        where kind.id = "order"."vehicleTypeId") as "vehicleType",
      ${stopsWhere(sql`l."orderId" = "order".id`, sql`l.position`)} as stops
    from "order"
    where "order".state = 'active' and "order".status = ${sql.lit(FIRST_ORDER_STATUS)} and ${visibleOrders(ctx)}
      and ${ofDepartments(departmentId)} and not exists (select 1 from route where route."orderId" = "order".id)
    order by "order"."firstLoadingAt" nulls last, "order".id limit ${sql.lit(MOST_WAITING + 1)}
  `.execute(ctx.db)
  return rows.map(({ customerId, customerTitle, stops, ...card }) => ({
    ...card,
    customer: { id: customerId, title: customerTitle },
    stops: stops.map(stopOf),
  }))
}

async function vehiclesOf(ctx: Ctx): Promise<BoardVehicle[]> {
  const { rows } = await sql<BoardVehicle>`
    select vehicle.id, vehicle.title as plate, vehicle.kind, vehicle.ldm, vehicle."payloadKg",
      vehicle."nextInspectionOn",
      (select json_build_object('id', k.id, 'title', k.title) from carrier_company k
        where k.id = vehicle."carrierCompanyId") as "carrierCompany",
      (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
        where u.id = vehicle."driverId") as driver,
      (select json_build_object('id', kind.id, 'title', ${shownTitle(ctx.language, 'kind')}) from vehicle_type kind
        where kind.id = vehicle."vehicleTypeId") as "vehicleType"
    from vehicle where vehicle.state = 'active' and vehicle.kind in ('truck', 'carrier') order by vehicle.title
  `.execute(ctx.db)
  return rows
}

/** What bounds the use of carriers: of licence and insurance the one that is valid longest, of both the earlier end. */
async function carriersOf(ctx: Ctx, ids: readonly number[]): Promise<BoardCarrier[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BoardCarrier>`
    select k.id, k."blockedReason" is not null as "isBlocked",
      (select json_build_object('fullName', one."fullName", 'phone', one.phone, 'email', one.email)
        from carrier_contact one where one."carrierCompanyId" = k.id order by one.position limit 1) as contact,
      case when k."licenceNotNeededReason" is not null then paper.insurance
        else least(paper.licence, paper.insurance) end as "papersEndOn"
    from carrier_company k, lateral (
      select max(d."expiredAt") filter (where d."documentType" = 'EU_LICENSE') as licence,
        max(d."expiredAt") filter (where d."documentType" = 'INSURANCE_DOCUMENT') as insurance
      from document d where d."ownerKind" = 'carrierCompany' and d."ownerId" = k.id) paper
    where k.id = any(${[...ids]}::bigint[]) order by k.id
  `.execute(ctx.db)
  return rows
}

/** When vehicles are on the road for orders that the caller may not know of: the times, and nothing else. */
async function busyOf(ctx: Ctx, span: Span): Promise<BusySpan[]> {
  const { rows } = await sql<BusySpan>`
    select vehicle.id as "vehicleId", "order"."firstLoadingAt" as "startAt",
      coalesce("order"."lastUnloadingAt", "order"."firstLoadingAt") as "endAt"
    from "order" join route on route."orderId" = "order".id join assignment on assignment."routeId" = route.id
      join vehicle on vehicle."plateKey" = ${plateKeyOf(sql`assignment."plateNumber"`)} and vehicle.state = 'active'
    where ${touches(span, nowOf(ctx))} and route.status <> ${sql.lit(CANCELED_ORDER)} and not ${visibleOrders(ctx)}
      and "order"."firstLoadingAt" is not null
    order by "order"."firstLoadingAt" limit ${sql.lit(MOST_BARS)}
  `.execute(ctx.db)
  return rows
}

/** The board of some days, as far as the caller may see it. */
export async function boardOf(ctx: Ctx, query: Query): Promise<Board> {
  const span = await spanOf(ctx, query)
  const [bars, waiting, vehicles, busy] = [
    await barsOf(ctx, query, span),
    await waitingOf(ctx, query),
    await vehiclesOf(ctx),
    await busyOf(ctx, span),
  ]
  const carrierIds = [
    ...bars.map(({ carrierCompany }) => carrierCompany?.id),
    ...vehicles.map(({ carrierCompany }) => carrierCompany?.id),
  ].filter((id) => id !== undefined)
  return {
    ...span,
    bars: bars.slice(0, MOST_BARS),
    waiting: waiting.slice(0, MOST_WAITING),
    vehicles,
    carriers: await carriersOf(ctx, [...new Set(carrierIds)]),
    busy,
    isCut: bars.length > MOST_BARS || waiting.length > MOST_WAITING,
  }
}
