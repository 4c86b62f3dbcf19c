import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { addDays, startOfDay } from '@waybill/contract/kit/local-time'
import { transportOf } from '@waybill/contract/order/clearance/clearance'
import { delayAgainst } from '@waybill/contract/order/delay'
import {
  MOST_BARS,
  MOST_WAITING,
  type Attached,
  type Board,
  type BoardBar,
  type BoardCarrier,
  type BoardStop,
  type BoardVehicle,
  type BusySpan,
  type getAttached,
  type getBoard,
  type WaitingCard,
} from '@waybill/contract/order/planning/board'
import { spanOf as spanOfStops } from '@waybill/contract/order/planning/warnings'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import {
  CANCELED_ORDER,
  FIRST_ORDER_STATUS,
  NOT_SUMMED_STATUSES,
  UNDER_WAY_STATUSES,
  type OrderStatus,
} from '@waybill/contract/order/status'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { instantText } from '../../../kit/database/db.ts'
import { plannedWithValues } from '../../../kit/database/prepared.ts'
import { noFilterLeft } from '../../../kit/records/filters.ts'
import { shownTitle } from '../../../kit/records/titles.ts'
import {
  CLEARANCE_COLUMNS,
  clearanceOfRoute,
  papersOf,
  todayOf,
  type FoundClearance,
} from '../clearance/clearance.query.ts'
import { visibleOrders } from '../order.policy.ts'
import { titled } from '../order-view.query.ts'

type Query = z.output<typeof getBoard.query>

/** Tours that began so long ago and were to end long ago are found by their being late alone. */
export const LONGEST_TOUR_DAYS = 21

/** A plate by its letters and figures alone, as `vehicle."plateKey"` is. */
export const plateKeyOf = (column: RawBuilder<unknown>) =>
  sql`upper(regexp_replace(${column}, '[^[:alnum:]]', '', 'g'))`

export const statuses = (list: readonly string[]) => sql.join(list.map((status) => sql.lit(status)))

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
      'endAt', l."endAt", 'dateFrom', l."dateFrom", 'dateTo', l."dateTo",
      'plannedAt', l."plannedAt", 'arrivedAt', l."arrivedAt",
      'loadedAt', l."loadedAt", 'unloadedAt', l."unloadedAt", 'canceledAt', l."canceledAt",
      'cargoActions', load.actions,
      'ldmOn', load."ldmOn", 'ldmOff', load."ldmOff", 'kgOn', load."kgOn", 'kgOff', load."kgOff")
    order by ${place})
  from location l join country on country.id = l."countryId",
    lateral (select
        coalesce(json_agg(json_build_object('cargoId', ca."cargoId", 'action', ca.action)), '[]') as actions,
        coalesce(sum(cargo.ldm) filter (where ca.action = 'PICK_UP'), 0) as "ldmOn",
        coalesce(sum(cargo.ldm) filter (where ca.action = 'DROP_OFF'), 0) as "ldmOff",
        coalesce(sum(cargo."weightKg") filter (where ca.action = 'PICK_UP'), 0) as "kgOn",
        coalesce(sum(cargo."weightKg") filter (where ca.action = 'DROP_OFF'), 0) as "kgOff"
      from cargo_action ca join cargo on cargo.id = ca."cargoId" where ca."locationId" = l.id) load
  where ${condition} and l."canceledAt" is null), '[]')`

type FoundStop = Omit<BoardStop, 'isLoading' | 'isUnloading' | 'doneAt'> & {
  kind: string
  dateFrom: string | null
  dateTo: string | null
  loadedAt: string | null
  unloadedAt: string | null
  cargoActions: { cargoId: number; action: 'PICK_UP' | 'DROP_OFF' }[]
}

/** PostgreSQL writes instants inside JSON its own way. */
const instant = (value: string | null): string | null => (value === null ? null : instantText(value))
const thousandths = (value: number): number => Math.round(value * 1000) / 1000

function stopOf(stop: FoundStop): BoardStop {
  const { loadedAt, unloadedAt } = stop
  const isLoading = isPickUp(stop)
  const isUnloading = isDropOff(stop)
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
  cargo: { id: number; weightKg: number | null; valueCents: number | null }[]
  demandedCents: number | null
}

/** What the stops ask of a carrier's papers: by the customer's termins alone, and by the plan as well. */
function transportsOf(ctx: Ctx, { stops, cargo, demandedCents }: FoundOrder) {
  const asked = stops.map((stop) => ({
    ...stop,
    termin:
      stop.dateFrom === null
        ? null
        : { kind: 'fix' as const, dateFrom: stop.dateFrom, timeFrom: null, dateTo: stop.dateTo, timeTo: null },
  }))
  const demands = { today: todayOf(ctx), demandedCents }
  return {
    asks: transportOf(
      asked.map((stop) => ({ ...stop, plannedAt: null })),
      cargo,
      demands,
    ),
    transport: transportOf(asked, cargo, demands),
  }
}

type FoundBar = FoundOrder &
  FoundClearance &
  Omit<BoardBar, 'stops' | 'delay' | 'customer' | 'carrierCompany' | 'clearance' | 'asks'> & {
    carrierId: number | null
    carrierTitle: string | null
  }

const ORDER_COLUMNS = sql`"order".id as "orderId", "order".version, "order"."departmentId", "order".disposition,
  "order"."customerId", "order"."customerTitle", "order"."customerPriceCents",
  (select d."demandedInsuranceCents" from department d where d.id = "order"."departmentId") as "demandedCents",
  coalesce((select json_agg(json_build_object('id', c.id, 'weightKg', c."weightKg", 'valueCents', c."valueCents"))
    from cargo c where c."orderId" = "order".id), '[]') as cargo`

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
const openPrices = (
  now: string,
) => sql`(select json_build_object('asked', count(*), 'priced', count(answer."priceCents"),
    'declined', count(*) filter (where answer."isDeclined"), 'limitCents', round."limitCents",
    'bestCents', min(answer."priceCents") filter (where answer."holdsUntil" is null
      or answer."holdsUntil" >= ${now}::timestamptz::date))
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
      ${openPrices(now)} as prices, ${attached(now)} as attached, ${CLEARANCE_COLUMNS},
      ${stopsWhere(sql`l."routeId" = route.id`, sql`l."routePosition"`)} as stops
    from "order" join route on route."orderId" = "order".id
      left join assignment on assignment."routeId" = route.id
      left join carrier_company carrier on carrier.id = assignment."carrierCompanyId"
    where ${touches(span, now)} and route.status <> ${sql.lit(CANCELED_ORDER)} and ${visibleOrders(ctx)}
      and ${ofDepartments(query.departmentId)}
    order by "order"."firstLoadingAt", route.id limit ${sql.lit(MOST_BARS + 1)}
  `
  const { rows } = await ctx.db.executeQuery(plannedWithValues(statement.compile(ctx.db)))
  return rows.map((found): BoardBar => {
    const {
      customerId,
      customerTitle,
      carrierId,
      carrierTitle,
      cargo: _cargo,
      demandedCents: _demanded,
      ...known
    } = found
    const { papers, release, ...bar } = known
    const stops = found.stops.map(stopOf)
    const { asks, transport } = transportsOf(ctx, found)
    const route = { id: bar.routeId, status: bar.status, carrierCompanyId: carrierId }
    const clearance = clearanceOfRoute({ papers, release }, route, transport)
    return {
      ...bar,
      customer: { id: customerId, title: customerTitle },
      carrierCompany: titled(carrierId, carrierTitle),
      delay: delayOf(bar.status, stops, now),
      clearance: clearance && { isCleared: clearance.isCleared, reasons: clearance.reasons },
      stops,
      asks,
    }
  })
}

/** Orders that nobody has given a route yet, those that load first before the others. */
async function waitingOf(ctx: Ctx, { departmentId }: Query): Promise<WaitingCard[]> {
  const { rows } = await sql<FoundOrder & Omit<WaitingCard, 'stops' | 'customer' | 'asks'>>`
    select ${ORDER_COLUMNS}, "order".number, "order"."firstLoadingAt",
      (select json_build_object('id', kind.id, 'title', ${shownTitle(ctx.language, 'kind')}) from vehicle_type kind
        where kind.id = "order"."vehicleTypeId") as "vehicleType",
      ${stopsWhere(sql`l."orderId" = "order".id`, sql`l.position`)} as stops
    from "order"
    where "order".state = 'active' and "order".status = ${sql.lit(FIRST_ORDER_STATUS)} and ${visibleOrders(ctx)}
      and ${ofDepartments(departmentId)} and not exists (select 1 from route where route."orderId" = "order".id)
    order by "order"."firstLoadingAt" nulls last, "order".id limit ${sql.lit(MOST_WAITING + 1)}
  `.execute(ctx.db)
  return rows.map((found) => {
    const { customerId, customerTitle, stops, cargo: _cargo, demandedCents: _demanded, ...card } = found
    return {
      ...card,
      customer: { id: customerId, title: customerTitle },
      stops: stops.map(stopOf),
      asks: transportsOf(ctx, found).asks,
    }
  })
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

/** Whom carriers are written to, and what is on file of them. */
async function carriersOf(ctx: Ctx, ids: readonly number[]): Promise<BoardCarrier[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BoardCarrier>`
    select carrier.id,
      (select json_build_object('fullName', one."fullName", 'phone', one.phone, 'email', one.email)
        from carrier_contact one where one."carrierCompanyId" = carrier.id order by one.position limit 1) as contact,
      ${papersOf(sql`carrier.id`, sql`null::bigint`)} as papers
    from carrier_company carrier where carrier.id = any(${[...ids]}::bigint[]) order by carrier.id
  `.execute(ctx.db)
  return rows
}

/** When vehicles are on the road for routes that the caller may not know of: the times, and nothing else. */
async function busyOf(ctx: Ctx, span: Span): Promise<BusySpan[]> {
  const { rows } = await sql<{ vehicleId: number; stops: FoundStop[] }>`
    select vehicle.id as "vehicleId", ${stopsWhere(sql`l."routeId" = route.id`, sql`l."routePosition"`)} as stops
    from "order" join route on route."orderId" = "order".id join assignment on assignment."routeId" = route.id
      join vehicle on vehicle."plateKey" = ${plateKeyOf(sql`assignment."plateNumber"`)} and vehicle.state = 'active'
    where ${touches(span, nowOf(ctx))} and route.status <> ${sql.lit(CANCELED_ORDER)} and not ${visibleOrders(ctx)}
      and "order"."firstLoadingAt" is not null
    order by "order"."firstLoadingAt", route.id limit ${sql.lit(MOST_BARS)}
  `.execute(ctx.db)
  return rows.flatMap(({ vehicleId, stops }) => {
    const way = spanOfStops(stops.map(stopOf))
    return way === null ? [] : [{ vehicleId, startAt: isoOf(way.start), endAt: isoOf(way.end) }]
  })
}

const isoOf = (epoch: number): string => new Date(epoch).toISOString()

/** What hangs on a route by now. Error: `not_found`, also for a route that the caller may not know of. */
export async function attachedOf(ctx: Ctx, routeId: number): Promise<z.output<typeof getAttached.reply>> {
  const { rows } = await sql<{ attached: Attached[] }>`
    select ${attached(nowOf(ctx))} as attached
    from route join "order" on "order".id = route."orderId"
      left join assignment on assignment."routeId" = route.id
    where route.id = ${routeId} and ${visibleOrders(ctx)}
  `.execute(ctx.db)
  const [found] = rows
  if (found === undefined) throw new AppError('not_found')
  return found
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
