import { sql, type Selectable } from 'kysely'
import { SENT_EMAIL } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Reference } from '@waybill/contract/kit/fields'
import { delayAgainst } from '@waybill/contract/order/delay'
import { UNMERGE_OBSTACLES, type UnmergeObstacle } from '@waybill/contract/order/merge'
import { totalsOf } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { podState, podStateOfRoute, type Pod } from '@waybill/contract/order/papers/pod'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import {
  FIRST_ORDER_STATUS,
  isCanceled,
  isClearanceShown,
  ORDER_STATUSES,
  UNDO_SECONDS,
  type OrderStatus,
} from '@waybill/contract/order/status'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { instantText, type Tables } from '../../kit/database/db.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { creditOfOrder } from '../credit/index.ts'
import { CLEARANCE_COLUMNS, clearanceOfRoute, todayOf, type FoundClearance } from './clearance/clearance.query.ts'
import { transportOf } from '@waybill/contract/order/clearance/clearance'
import { orderWithId, ordersWithIds, visibleOrders, type OrderCondition } from './order.policy.ts'
import { STATUS_COLUMNS } from './order.table.ts'

/** The columns that a view shows as they are. */
const SHOWN_COLUMNS = [
  'id',
  'version',
  'number',
  'status',
  'state',
  'contactPersonId',
  'billingCustomerId',
  'customerOrderNumber',
  'departmentId',
  'caseWorkerId',
  'invoiceText',
  'description',
  'internalComments',
  'originalMessage',
  'disposition',
  'deviations',
  'customerPriceCents',
  'customerVatBp',
  'paymentPeriodDays',
  'vehicleTypeId',
  'isLiftRequired',
  'isTransshipmentForbidden',
  'creatorId',
  'createdAt',
  'mergedIntoId',
  'isMergeResult',
  'podWaiverReason',
  'firstLoadingAt',
  'lastUnloadingAt',
  'carrierCostCents',
  'incomeCents',
  'marginBp',
] as const satisfies (keyof Tables['order'])[]

const REFERENCES = [
  'customers',
  'managers',
  'contactPerson',
  'caseWorker',
  'vehicleType',
  'creator',
  'approvedExtras',
] as const satisfies (keyof Order)[]

const READ_COLUMNS = [
  ...SHOWN_COLUMNS,
  ...Object.values(STATUS_COLUMNS),
  'expectedLoadingAt',
  'expectedUnloadingAt',
] as const

type Stored<Table extends keyof Tables> = Selectable<Tables[Table]>

/** One row of the statement below: the order's columns and its children as JSON. */
interface Found
  extends Pick<
      Stored<'order'>,
      | (typeof SHOWN_COLUMNS)[number]
      | (typeof STATUS_COLUMNS)[OrderStatus]
      | 'expectedLoadingAt'
      | 'expectedUnloadingAt'
    >,
    Pick<Order, (typeof REFERENCES)[number]> {
  billing: { title: string; hasLimit: boolean } | null
  ofDepartment: { title: string; marginWarningBp: number; demandedInsuranceCents: number | null }
  proofs: Pod[]
  lastMove: { movedAt: string; actorId: number | null; version: number } | null
  cargo: (Stored<'cargo'> & {
    customerTitle: string | null
    unitTypeTitle: string | null
    cargoTypeTitle: string | null
  })[]
  specialHandling: Stored<'cargo_special_handling'>[]
  locations: (Stored<'location'> & { countryTitle: string; countryCode: string })[]
  cargoActions: Stored<'cargo_action'>[]
  routes: (Stored<'route'> & { assignment: Stored<'assignment'> | null; carrierTitle: string | null })[]
  drivers: { assignmentId: number; id: number; title: string }[]
}

/** What few orders have, and is asked for in a statement of its own. */
interface Beside extends Pick<Order, 'mergedInto' | 'sources' | 'credit'> {
  cargoSources: Reference[]
  sourceCount: number
  sinceMerge: Record<Exclude<UnmergeObstacle, 'unmerge_foreign'>, boolean> | null
  carriers: ({ routeId: number } & FoundClearance)[]
}

const NOTHING_BESIDE: Beside = {
  mergedInto: null,
  sources: [],
  credit: null,
  cargoSources: [],
  sourceCount: 0,
  sinceMerge: null,
  carriers: [],
}

const reference = (table: string, title: string, column: string) =>
  sql.raw(
    `(select json_build_object('id', r.id, 'title', r."${title}") from "${table}" r where r.id = "order"."${column}")`,
  )

/**
 * A record with all its children is one statement: each list is aggregated by itself (design §8).
 * It comes as one JSON text, which is read faster than sixty columns.
 */
const viewColumns = (language: Language) => sql`
  ${sql.raw(READ_COLUMNS.map((column) => `"order"."${column}"`).join(', '))},
  (select json_agg(json_build_object('id', c.id, 'title', c.title) order by oc.position) from order_customer oc
    join customer c on c.id = oc."customerId" where oc."orderId" = "order".id) as customers,
  coalesce((select json_agg(json_build_object('id', u.id, 'title', u."fullName") order by u."fullName", u.id)
    from order_manager om join "user" u on u.id = om."userId" where om."orderId" = "order".id), '[]') as managers,
  ${reference('contact_person', 'fullName', 'contactPersonId')} as "contactPerson",
  (select json_build_object('title', k.title, 'hasLimit', k."creditLimitCents" is not null) from customer k
    where k.id = "order"."billingCustomerId") as billing,
  (select json_build_object('title', d.abbreviation, 'marginWarningBp', company."marginWarningBp",
      'demandedInsuranceCents', d."demandedInsuranceCents")
    from department d join company on company.id = d."companyId" where d.id = "order"."departmentId") as "ofDepartment",
  ${reference('user', 'fullName', 'caseWorkerId')} as "caseWorker",
  (select json_build_object('id', r.id, 'title', ${shownTitle(language, 'r')}) from vehicle_type r
    where r.id = "order"."vehicleTypeId") as "vehicleType",
  ${reference('user', 'fullName', 'creatorId')} as creator,
  -- A merged order's goods travel with its result, and so does the paper that says they arrived (domain, Merge).
  coalesce((select json_agg(json_build_object('acceptance', d.acceptance, 'locationIds', d."locationIds",
      'routeId', (select a."routeId" from assignment a where a.id = d."orderCarrier")))
    from document d where d."ownerKind" = 'order' and d."ownerId" in ("order".id, "order"."mergedIntoId")
      and d."documentType" = 'PROOF_OF_DELIVERY'), '[]') as proofs,
  (select json_build_object('movedAt', m."movedAt", 'actorId', m."actorId", 'version', m.before -> 'version')
    from status_move m where m."orderId" = "order".id and m."undoneAt" is null
      order by m.id desc limit 1) as "lastMove",
  coalesce((select json_agg(extra order by extra."routeId" nulls first) from (
    select e."routeId", coalesce(sum(e."netPriceCents"), 0) as "priceCents",
      coalesce(sum(e."netCostCents"), 0) as "costCents"
    from order_extra e where e."orderId" = "order".id and e.state = 'approved' group by e."routeId"
  ) extra), '[]') as "approvedExtras",
  coalesce((select json_agg(row order by row.position) from (
    select cargo.*, cc.title as "customerTitle", ${shownTitle(language, 'unit')} as "unitTypeTitle",
      ${shownTitle(language, 'kind')} as "cargoTypeTitle"
    from cargo left join customer cc on cc.id = cargo."customerId"
      left join unit_type unit on unit.id = cargo."unitTypeId"
      left join cargo_type kind on kind.id = cargo."cargoTypeId"
    where cargo."orderId" = "order".id
  ) row), '[]') as cargo,
  coalesce((select json_agg(row) from (
    select sh.* from cargo_special_handling sh join cargo on cargo.id = sh."cargoId" where cargo."orderId" = "order".id
      order by sh."specialHandlingTypeId"
  ) row), '[]') as "specialHandling",
  coalesce((select json_agg(row order by row.position) from (
    select location.*, ${shownTitle(language, 'country')} as "countryTitle", country.code as "countryCode" from location
      join country on country.id = location."countryId" where location."orderId" = "order".id
  ) row), '[]') as locations,
  coalesce((select json_agg(row) from (
    select ca.* from cargo_action ca join cargo on cargo.id = ca."cargoId" where cargo."orderId" = "order".id
      order by cargo.position, ca.action desc
  ) row), '[]') as "cargoActions",
  coalesce((select json_agg(row order by row.n) from (
    select route.*, to_json(assignment) as assignment, carrier.title as "carrierTitle"
    from route left join assignment on assignment."routeId" = route.id
      left join carrier_company carrier on carrier.id = assignment."carrierCompanyId"
    where route."orderId" = "order".id
  ) row), '[]') as routes,
  coalesce((select json_agg(row) from (
    select ad."assignmentId", coalesce(ad."driverId", ad."userId") as id,
      coalesce(driver."fullName", own."fullName") as title
    from route join assignment on assignment."routeId" = route.id
      join assignment_driver ad on ad."assignmentId" = assignment.id
      left join driver on driver.id = ad."driverId" left join "user" own on own.id = ad."userId"
    where route."orderId" = "order".id order by ad.position
  ) row), '[]') as drivers
`

/** PostgreSQL writes instants inside JSON its own way; everywhere else they are RFC 3339 in UTC. */
const instant = (value: string | null): string | null => (value === null ? null : instantText(value))

/** A reference as the API shows it; null where nothing is referred to. */
export const titled = (id: number | null, title: string | null): Reference | null =>
  id === null ? null : { id, title: String(title) }

/** Of a row the columns named. */
export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  const picked: Partial<Pick<Row, Name>> = {}
  for (const name of names) picked[name] = row[name]
  return picked as Pick<Row, Name>
}

const CARGO_FIELDS = [
  'id',
  'customerId',
  'title',
  'cargoTypeId',
  'unitTypeId',
  'quantity',
  'packages',
  'lengthCm',
  'widthCm',
  'heightCm',
  'stackingFactor',
  'weightKg',
  'volumeM3',
  'isVolumeCalculated',
  'ldm',
  'isLdmCalculated',
  'valueCents',
  'instructions',
  'temperatureFrom',
  'temperatureTo',
  'marks',
  'adr',
] as const satisfies (keyof Tables['cargo'])[]

const LOCATION_FIELDS = [
  'id',
  'position',
  'routeId',
  'kind',
  'timeZone',
  'companyTitle',
  'address',
  'countryId',
  'countryCode',
  'postal',
  'city',
  'latitude',
  'longitude',
  'contactPerson',
  'phone',
  'reference',
  'comment',
  'specialInstructions',
  'customerPriceCents',
  'carrierPriceCents',
  'delayReason',
] as const satisfies (keyof Found['locations'][number])[]

const ROUTE_FIELDS = [
  'id',
  'status',
  'statusDates',
  'distanceKm',
  'isDistanceEstimated',
  'customerPriceCents',
] as const satisfies (keyof Tables['route'])[]

const ASSIGNMENT_FIELDS = [
  'id',
  'carrierCompanyId',
  'ownFleet',
  'driverText',
  'plateNumber',
  'disponentName',
  'disponentPhone',
  'disponentEmail',
  'costCents',
  'vatBp',
  'paymentPeriodDays',
  'vehicleTypeId',
  'signedBy',
  'extraData',
] as const satisfies (keyof Tables['assignment'])[]

function statusDatesOf(found: Found): Order['statusDates'] {
  return Object.fromEntries(
    ORDER_STATUSES.map((status) => [status, instant(found[STATUS_COLUMNS[status]])] as const).filter(
      ([, at]) => at !== null,
    ),
  ) as Order['statusDates']
}

/** A save writes kind and first day together. */
const terminOf = ({
  terminKind: kind,
  dateFrom,
  timeFrom,
  dateTo,
  timeTo,
}: Found['locations'][number]): Order['locations'][number]['termin'] =>
  kind === null || dateFrom === null ? null : { kind, dateFrom, timeFrom, dateTo, timeTo }

function locationsOf(found: Found): Order['locations'] {
  const actions = Map.groupBy(found.cargoActions, (one) => one.locationId)
  return found.locations.map((row) => ({
    ...pick(row, LOCATION_FIELDS),
    termin: terminOf(row),
    country: { id: row.countryId, title: row.countryTitle },
    cargoActions: (actions.get(row.id) ?? []).map(({ cargoId, action }) => ({ cargoId, action })),
    plannedAt: instant(row.plannedAt),
    arrivedAt: instant(row.arrivedAt),
    loadedAt: instant(row.loadedAt),
    unloadedAt: instant(row.unloadedAt),
    canceledAt: instant(row.canceledAt),
  }))
}

/** The assignment shows the first or last time of its stops (domain, Location). */
function timesOf(stops: Order['locations']) {
  const driven = stops.filter((stop) => !stop.canceledAt)
  const last = driven.findLast(isDropOff)
  return {
    plannedAt: driven.find((stop) => stop.plannedAt)?.plannedAt ?? null,
    arrivedAt: last?.arrivedAt ?? null,
    loadedAt: driven.find(isPickUp)?.loadedAt ?? null,
    unloadedAt: last?.unloadedAt ?? null,
  }
}

function routesOf(found: Found, locations: Order['locations']): Order['routes'] {
  const place = new Map(found.locations.map((row) => [row.id, row.routePosition]))
  return found.routes.map((row) => {
    const stops = locations
      .filter((stop) => stop.routeId === row.id)
      .toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
    const { assignment } = row
    const drivers = found.drivers
      .filter((driver) => driver.assignmentId === assignment?.id)
      .map(({ id, title }) => ({ id, title }))
    return {
      ...pick(row, ROUTE_FIELDS),
      number: `${found.number}/${row.n}`,
      locationIds: stops.map((stop) => stop.id),
      assignment: assignment && {
        ...pick(assignment, ASSIGNMENT_FIELDS),
        carrierCompany: titled(assignment.carrierCompanyId, row.carrierTitle),
        driverIds: drivers.map((driver) => driver.id),
        drivers,
        ...totalsOf(assignment.costCents, assignment.vatBp),
        ...timesOf(stops),
      },
    }
  })
}

/** How the proofs of delivery stand, by route; where nothing is driven any one that is accepted counts. */
function podsOf({ proofs, routes }: Found, stops: Order['locations']): Pick<Order, 'hasPod' | 'pods'> {
  const pods = routes.map(({ id }) => ({ routeId: id, state: podStateOfRoute(id, proofs, stops) }))
  const driven = pods.filter((_, index) => !isCanceled(routes[index]!.status))
  return {
    pods,
    hasPod: driven.length === 0 ? podState(proofs) === 'accepted' : driven.every(({ state }) => state === 'accepted'),
  }
}

/** How the carriers of the routes stand. */
function clearancesOf(
  ctx: Ctx,
  { routes, ofDepartment }: Found,
  { carriers }: Beside,
  cargo: Order['cargo'],
  stops: Order['locations'],
): Order['clearances'] {
  const demands = { today: todayOf(ctx), demandedCents: ofDepartment.demandedInsuranceCents }
  return routes.flatMap(({ id, status, assignment }) => {
    const known = carriers.find(({ routeId }) => routeId === id)
    if (known === undefined) return []
    const driven = stops.filter((stop) => stop.routeId === id)
    const route = { id, status, carrierCompanyId: assignment?.carrierCompanyId ?? null }
    return clearanceOfRoute(known, route, transportOf(driven, cargo, demands)) ?? []
  })
}

/** Why the merge that made an order cannot be undone; null where there is none to undo. */
function unmergeObstaclesOf({ sources, sourceCount, sinceMerge }: Beside): Order['unmergeObstacles'] {
  if (sinceMerge === null || sourceCount === 0) return null
  return UNMERGE_OBSTACLES.filter((one) => (one === 'unmerge_foreign' ? sources.length < sourceCount : sinceMerge[one]))
}

function toView(ctx: Ctx, found: Found, beside: Beside = NOTHING_BESIDE): Order {
  const { billing, ofDepartment } = found
  const locations = locationsOf(found)
  const handling = Map.groupBy(found.specialHandling, (one) => one.cargoId)
  const { lastMove } = found
  const undoUntil = lastMove === null ? 0 : Date.parse(lastMove.movedAt) + UNDO_SECONDS * 1000
  const cargo = found.cargo.map((row) => ({
    ...pick(row, CARGO_FIELDS),
    specialHandlingTypeIds: (handling.get(row.id) ?? []).map((one) => one.specialHandlingTypeId),
    customer: titled(row.customerId, row.customerTitle),
    unitType: titled(row.unitTypeId, row.unitTypeTitle),
    cargoType: titled(row.cargoTypeId, row.cargoTypeTitle),
    sourceOrder: beside.cargoSources.find((source) => source.id === row.sourceOrderId) ?? null,
  }))
  const mayUndo =
    lastMove !== null &&
    lastMove.actorId === (ctx.actor?.userId ?? null) &&
    lastMove.version === found.version &&
    undoUntil > ctx.clock.now().getTime()
  return {
    ...pick(found, SHOWN_COLUMNS),
    ...pick(found, REFERENCES),
    ...pick(beside, ['mergedInto', 'sources', 'credit']),
    billingCustomer: titled(found.billingCustomerId, billing?.title ?? null),
    department: { id: found.departmentId, title: ofDepartment.title },
    marginWarningBp: ofDepartment.marginWarningBp,
    createdAt: instantText(found.createdAt),
    firstLoadingAt: instant(found.firstLoadingAt),
    lastUnloadingAt: instant(found.lastUnloadingAt),
    customerIds: found.customers.map((customer) => customer.id),
    managerIds: found.managers.map((manager) => manager.id),
    statusDates: statusDatesOf(found),
    delay: delayAgainst(
      found.status,
      { loadingAt: instant(found.expectedLoadingAt), unloadingAt: instant(found.expectedUnloadingAt) },
      ctx.clock.now(),
    ),
    ...podsOf(found, locations),
    clearances: clearancesOf(ctx, found, beside, cargo, locations),
    unmergeObstacles: unmergeObstaclesOf(beside),
    undoUntil: mayUndo ? new Date(undoUntil).toISOString() : null,
    cargo,
    locations,
    routes: routesOf(found, locations),
  }
}

const SOURCE_OF_CARGO = '"order".id in (select c."sourceOrderId" from cargo c where c."orderId" = shown.id)'

/**
 * Orders that merging ties to the one shown, as far as the caller may know of them:
 * what it was merged into, what it carries, and whence its cargo came.
 */
const mergeColumns = (ctx: Ctx) => {
  const visible = ctx.actor === null ? sql<boolean>`true` : visibleOrders(ctx)
  // The condition speaks of "order": the one shown must go by another name here.
  const known = (columns: string, tie: string) =>
    sql`lateral (select ${sql.raw(columns)} from "order" where ${sql.raw(tie)} and ${visible}) known`
  return sql`
    (select json_build_object('id', known.id, 'title', known.number)
      from (select "order"."mergedIntoId" as id) shown,
      ${known('"order".id, "order".number', '"order".id = shown.id')}) as "mergedInto",
    coalesce((select json_agg(json_build_object('id', known.id, 'title', known.number,
        'customer', json_build_object('id', known."customerId", 'title', known."customerTitle"),
        'customerPriceCents', known."customerPriceCents") order by known.id)
      from (select "order".id) shown, ${known('"order".*', '"order"."mergedIntoId" = shown.id')}), '[]') as sources,
    coalesce((select json_agg(json_build_object('id', known.id, 'title', known.number))
      from (select "order".id where "order"."isMergeResult") shown,
      ${known('"order".id, "order".number', SOURCE_OF_CARGO)}), '[]') as "cargoSources",
    (select count(*)::int from "order" source where source."mergedIntoId" = "order".id) as "sourceCount",
    case when "order"."isMergeResult" then json_build_object(
      'unmerge_left_new', "order".status <> ${sql.lit(FIRST_ORDER_STATUS)}
        or exists (select 1 from status_move m where m."orderId" = "order".id and m."undoneAt" is null),
      'unmerge_edited', exists (select 1 from audit_entry e where e."ownerKind" = 'order' and e."ownerId" = "order".id
        and e.action = 'updated')
        or exists (select 1 from order_extra e where e."orderId" = "order".id and e."sourceOrderId" is null),
      'unmerge_has_documents', exists (select 1 from document d where d."ownerKind" = 'order'
        and d."ownerId" = "order".id),
      'unmerge_has_mails', exists (select 1 from email e where e."ownerKind" = 'order' and e."ownerId" = "order".id
        and (e.status = ${sql.lit(SENT_EMAIL)} or e.tries > 0))
    ) end as "sinceMerge"
  `
}

/** What the clearance of each route goes by that has a carrier and is not unloaded. */
const CARRIERS = sql`
  coalesce((select json_agg(row) from (
    select route.id as "routeId", ${CLEARANCE_COLUMNS}
    from route join assignment on assignment."routeId" = route.id
    where route."orderId" = "order".id and assignment."carrierCompanyId" is not null
      and route.status in (${sql.join(ORDER_STATUSES.filter(isClearanceShown).map((status) => sql.lit(status)))})
  ) row), '[]') as carriers
`

/**
 * What the statement that reads every order leaves out, because most have none of it, and to begin a statement that
 * looks for it costs as much as to find it (decision 148): ties of merges, credit limits, papers of carriers. By the
 * ids of the orders that have some.
 */
async function readBeside(ctx: Ctx, orders: readonly Found[]): Promise<ReadonlyMap<number, Beside>> {
  const merged = orders.filter(({ isMergeResult, mergedIntoId }) => isMergeResult || mergedIntoId !== null)
  const limited = orders.filter(
    ({ status, isMergeResult, billing }) => status === FIRST_ORDER_STATUS && (isMergeResult || billing?.hasLimit),
  )
  const carried = orders.filter(({ routes }) =>
    routes.some(({ status, assignment }) => assignment?.carrierCompanyId != null && isClearanceShown(status)),
  )
  const ids = [...new Set([...merged, ...limited, ...carried].map(({ id }) => id))]
  if (ids.length === 0) return new Map()
  // For a list of ids of unknown length PostgreSQL would plan anew each time, which takes ten times as long.
  const areAsked = ids.length === 1 ? orderWithId(ids[0]!) : ordersWithIds(ids)
  const { rows } = await sql<{ id: number; beside: Partial<Beside> }>`
    select "order".id, to_json(beside) as beside from "order" cross join lateral (select ${sql.join([
      ...(merged.length > 0 ? [mergeColumns(ctx)] : []),
      ...(limited.length > 0 ? [sql`${creditOfOrder(ctx)} as credit`] : []),
      ...(carried.length > 0 ? [CARRIERS] : []),
    ])}) beside where ${areAsked}`.execute(ctx.db)
  return new Map(rows.map(({ id, beside }) => [id, { ...NOTHING_BESIDE, ...beside }]))
}

/**
 * Orders with everything, as the API shows them; `condition` says which, and is never left out.
 * One statement, however many, and one more for those that have what few have.
 */
export async function viewOrders(ctx: Ctx, condition: OrderCondition): Promise<Order[]> {
  const { rows } = await sql<{
    found: Found
  }>`select to_json(found) as found from (
    select ${viewColumns(ctx.language)} from "order" where ${condition} order by "order".id) found`.execute(ctx.db)
  const orders = rows.map(({ found }) => found)
  const beside = await readBeside(ctx, orders)
  return orders.map((found) => toView(ctx, found, beside.get(found.id)))
}

/** One order that the caller may know of. Error: `not_found`. */
export async function loadOrder(ctx: Ctx, id: number): Promise<Order> {
  const [order] = await viewOrders(ctx, sql<boolean>`${orderWithId(id)} and ${visibleOrders(ctx)}`)
  if (!order) throw new AppError('not_found')
  return order
}

/** The order of a route that the caller may know of. Error: `not_found`. */
export async function loadOrderOfRoute(ctx: Ctx, routeId: number): Promise<Order> {
  const [order] = await viewOrders(
    ctx,
    sql<boolean>`"order".id = (select r."orderId" from route r where r.id = ${routeId}) and ${visibleOrders(ctx)}`,
  )
  if (!order) throw new AppError('not_found')
  return order
}

/** One order whatever the row rule: for jobs and reactions, which work for nobody in particular. */
export async function orderAsItIs(ctx: Ctx, id: number): Promise<Order | undefined> {
  return (await viewOrders({ ...ctx, actor: null }, orderWithId(id)))[0]
}
