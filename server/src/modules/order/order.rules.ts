import { ldmOf, volumeOf } from '@waybill/contract/order/cargo'
import { NOT_HISTORY } from '@waybill/contract/order/derived'
import { laneKeyOf } from '@waybill/contract/order/lane'
import { orderBudget, type ExtraSums } from '@waybill/contract/order/money'
import type { Order, OrderWrite } from '@waybill/contract/order/order'
import { stopTimeFaults } from '@waybill/contract/order/stop-times'
import { skippedTimes } from '@waybill/contract/order/termin/termin-doubts'
import {
  expectedLoadingAt,
  expectedUnloadingAt,
  firstLoadingAt,
  isDropOff,
  isPickUp,
  lastUnloadingAt,
  planErrors,
} from '@waybill/contract/order/schedule'
import {
  hasEnded,
  isCanceled,
  isReadOnlyOrder,
  mayDeactivateOrder,
  mayDelete,
  needsAssignment,
  type OrderStatus,
} from '@waybill/contract/order/status'
import { AppError, type FieldFault } from '../../kit/context/errors.ts'

type CargoBody = OrderWrite['cargo'][number]
type LocationBody = OrderWrite['locations'][number]
type RouteBody = OrderWrite['routes'][number]

/** What the rules must know of records that the body names. */
export interface SaveFacts {
  /** the zone of the company that the order's department belongs to */
  timeZone: string
  countries: ReadonlyMap<number, { code: string; timeZone: string }>
  /** the customer of the contact person */
  contactCustomerId: number | null
  /** the carrier of each driver */
  carrierOfDriver: ReadonlyMap<number, number>
  /** the highest number that a route of the order ever had */
  lastRouteN: number
  /** the moment of the save, and when the order was written first, RFC 3339 */
  now: string
  createdAt: string
}

const fault = (path: string, code: FieldFault['code'], params?: FieldFault['params']): FieldFault =>
  params ? { path, code, params } : { path, code }

/** Stops in the order in which they are driven, each with its place in the body. */
export interface Placed {
  stop: LocationBody
  index: number
}

/**
 * The order of stops: that of the array, unless a `position` says otherwise.
 * One that came back as it was read says nothing (api, One record).
 * A stop put on a place that is taken goes before the one there, or after it where it moved down.
 */
export function inOrder(locations: readonly LocationBody[], before: Order | null): Placed[] {
  const stored = new Map(before?.locations.map(({ id, position }) => [id, position]))
  const ranked = locations.map((stop, index) => {
    const was = stop.id === undefined ? undefined : stored.get(stop.id)
    const isGiven = stop.position !== undefined && stop.position !== was
    return {
      stop,
      index,
      rank: isGiven ? stop.position! : index + 1,
      tie: !isGiven ? 0 : was !== undefined && stop.position! > was ? 1 : -1,
    }
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.tie - b.tie || a.index - b.index)
    .map(({ stop, index }) => ({ stop, index }))
}

/**
 * Where a part of the body names a child: its index, `gone` where it exists but the body leaves it out,
 * or null where nothing is meant.
 */
function findChild(
  list: readonly { id?: number | undefined; key?: string | undefined }[],
  stored: readonly { id: number }[],
  named: { id?: number | undefined; key?: string | undefined },
): number | 'gone' | null {
  const index = list.findIndex((child) =>
    named.id !== undefined ? child.id === named.id : child.key !== undefined && child.key === named.key,
  )
  if (index >= 0) return index
  return named.id !== undefined && stored.some((child) => child.id === named.id) ? 'gone' : null
}

function childFaults(
  name: string,
  list: readonly { id?: number | undefined; key?: string | undefined }[],
  stored: readonly { id: number }[],
): FieldFault[] {
  const known = new Set(stored.map((child) => child.id))
  const ids = new Set<number>()
  const keys = new Set<string>()
  return list.flatMap(({ id, key }, index) => {
    const faults: FieldFault[] = []
    if (id !== undefined && !known.has(id)) faults.push(fault(`${name}.${index}.id`, 'unknown_reference'))
    else if (id !== undefined && ids.has(id)) faults.push(fault(`${name}.${index}.id`, 'duplicate_key'))
    if (key !== undefined && keys.has(key)) faults.push(fault(`${name}.${index}.key`, 'duplicate_key'))
    if (id !== undefined) ids.add(id)
    if (key !== undefined) keys.add(key)
    return faults
  })
}

/** Which stops a route drives, as indexes of the body's locations. */
export function stopsOf(
  route: RouteBody,
  body: OrderWrite,
  before: Order | null,
  placed: readonly Placed[],
): (number | 'gone' | null)[] {
  const { locationIds, locationKeys } = route
  const stored = before?.locations ?? []
  // An only route takes over what the order alone had (domain, Route).
  if (body.routes.length === 1 && locationIds.length === 0 && locationKeys.length === 0)
    return placed.map(({ index }) => index)
  const named = [...locationIds.map((id) => ({ id })), ...locationKeys.map((key) => ({ key }))].map((one) =>
    findChild(body.locations, stored, one),
  )
  if (locationIds.length === 0 || locationKeys.length === 0) return named
  const rank = new Map(placed.map(({ index }, place) => [index, place]))
  return named.toSorted((a, b) => (rank.get(a as number) ?? -1) - (rank.get(b as number) ?? -1))
}

/** Customers named twice count once; the first is the one that lists show. */
export const customersOf = (body: OrderWrite): number[] => [...new Set(body.customerIds)]

/**
 * Whose a line of cargo is: named, else the first customer's.
 * What belonged to a customer who was replaced follows to the only one left.
 */
export function cargoCustomer(line: CargoBody, body: OrderWrite, before: Order | null): number {
  const customers = customersOf(body)
  const first = customers[0]!
  if (line.customerId === null) return first
  return customers.length === 1 && before?.customerIds.includes(line.customerId) ? first : line.customerId
}

function assignmentFaults(body: OrderWrite, before: Order | null, facts: SaveFacts): FieldFault[] {
  return body.routes.flatMap(({ id, assignment }, index) => {
    const path = `routes.${index}.assignment`
    const was = before?.routes.find((route) => route.id === id)
    const hasWho = assignment !== null && (assignment.ownFleet || assignment.carrierCompanyId !== null)
    const hadWho = was?.assignment != null && (was.assignment.ownFleet || was.assignment.carrierCompanyId !== null)
    const faults: FieldFault[] = []
    if (was && hadWho && !hasWho && needsAssignment(was.status) && body.disposition !== 'OWN_FLEET')
      faults.push(fault(path, 'assignment_missing'))
    if (assignment?.ownFleet && assignment.carrierCompanyId !== null)
      faults.push(fault(`${path}.carrierCompanyId`, 'carrier_or_own_fleet'))
    assignment?.driverIds.forEach((driverId, driver) => {
      if (assignment.driverIds.indexOf(driverId) < driver)
        faults.push(fault(`${path}.driverIds.${driver}`, 'duplicate_key'))
      else if (!assignment.ownFleet && facts.carrierOfDriver.get(driverId) !== assignment.carrierCompanyId)
        faults.push(fault(`${path}.driverIds.${driver}`, 'unknown_reference'))
    })
    return faults
  })
}

function planFaults(body: OrderWrite, before: Order | null, placed: readonly Placed[]): FieldFault[] {
  const cargo = body.cargo.map((line, index) => ({ ...line, line: index }))
  const inBody = (drive: readonly Placed[]) =>
    planErrors(
      drive.map(({ stop }) => stop),
      cargo,
    ).map(({ path, code }) => {
      const [stop, ...rest] = path.split('.')
      return fault(['locations', drive[Number(stop)]!.index, ...rest].join('.'), code)
    })
  const byRoute = body.routes.map((route) =>
    stopsOf(route, body, before, placed).flatMap((index) =>
      typeof index === 'number' ? [{ stop: body.locations[index]!, index }] : [],
    ),
  )
  // What is wrong in the whole is often wrong in a route too: said once.
  return [...new Map([placed, ...byRoute].flatMap(inBody).map((one) => [`${one.path} ${one.code}`, one])).values()]
}

/** Times at stops that cannot have been; one that was stored under an older rule may stay as it is. */
function timeFaults(before: Order | null, placed: readonly Placed[], facts: SaveFacts): FieldFault[] {
  const stops = placed.map(({ stop }) => stop)
  return stopTimeFaults(stops, facts).flatMap(({ stop: place, field, code }) => {
    const { stop, index } = placed[place]!
    const was = before?.locations.find(({ id }) => id === stop.id)?.[field] ?? null
    const isKept = was !== null && Date.parse(was) === Date.parse(stop[field]!)
    return isKept ? [] : [fault(`locations.${index}.${field}`, code)]
  })
}

const SAME_TERMIN = ['kind', 'dateFrom', 'timeFrom', 'dateTo', 'timeTo'] as const

/** Times of termins that the clocks of the stop skip; one that was stored under an older rule may stay as it is. */
function skippedFaults(body: OrderWrite, before: Order | null, facts: SaveFacts): FieldFault[] {
  return body.locations.flatMap(({ id, termin, timeZone, countryId }, index) => {
    const zone = timeZone ?? facts.countries.get(countryId)?.timeZone
    if (termin === null || zone === undefined) return []
    const was = before?.locations.find((stop) => stop.id === id)?.termin
    if (was && SAME_TERMIN.every((part) => was[part] === termin[part])) return []
    return skippedTimes(termin, zone).map(({ field, ...around }) =>
      fault(`locations.${index}.termin.${field}`, 'no_such_time', around),
    )
  })
}

/**
 * Refuses a body that contradicts itself or the order it changes. Errors: `validation` with every wrong path;
 * `in_use` for a child that is left out but still named, or a route that is planned already;
 * `conflict` for a merged order, and for new routes of an ended one.
 */
export function refuseWrongOrder(body: OrderWrite, before: Order | null, facts: SaveFacts): void {
  if (before && isReadOnlyOrder(before.status))
    throw new AppError('conflict', { fields: [fault('status', 'order_merged')] })
  if (before && hasEnded(before.status) && body.routes.some((route) => route.id === undefined))
    throw new AppError('conflict')

  const placed = inOrder(body.locations, before)
  const customers = customersOf(body)
  const faults: FieldFault[] = [
    ...childFaults('cargo', body.cargo, before?.cargo ?? []),
    ...childFaults('locations', body.locations, before?.locations ?? []),
    ...childFaults('routes', body.routes, before?.routes ?? []),
  ]
  // It shows the sum of its sources' prices, which stay theirs (domain, Merge).
  if (before?.isMergeResult && body.customerPriceCents !== before.customerPriceCents)
    faults.push(fault('customerPriceCents', 'read_only'))
  if (before && body.state !== before.state && body.state === 'inactive' && !mayDeactivateOrder(before.status))
    faults.push(fault('state', 'deactivation_too_early'))
  if (body.contactPersonId !== null && !customers.includes(facts.contactCustomerId ?? 0))
    faults.push(fault('contactPersonId', 'unknown_reference'))
  body.cargo.forEach((line, index) => {
    if (!customers.includes(cargoCustomer(line, body, before)))
      faults.push(fault(`cargo.${index}.customerId`, 'not_a_customer_of_order'))
    if (line.temperatureFrom !== null && line.temperatureTo !== null && line.temperatureTo < line.temperatureFrom)
      faults.push(fault(`cargo.${index}.temperatureTo`, 'too_small', { min: line.temperatureFrom }))
  })

  let isInUse =
    before?.routes.some((route) => !mayDelete(route.status) && !body.routes.some(({ id }) => id === route.id)) ?? false
  body.locations.forEach((stop, index) =>
    stop.cargoActions.forEach(({ cargoId, cargoKey }, action) => {
      const found = findChild(body.cargo, before?.cargo ?? [], { id: cargoId, key: cargoKey })
      if (found === 'gone') isInUse = true
      else if (found === null)
        faults.push(
          fault(
            `locations.${index}.cargoActions.${action}.${cargoId === undefined ? 'cargoKey' : 'cargoId'}`,
            'unknown_reference',
          ),
        )
    }),
  )
  const taken = new Set<number>()
  body.routes.forEach((route, index) => {
    const named = [
      ...route.locationIds.map((id, place) => ({ id, path: `locationIds.${place}` })),
      ...route.locationKeys.map((key, place) => ({ key, path: `locationKeys.${place}` })),
    ]
    for (const { path, ...one } of named) {
      const found = findChild(body.locations, before?.locations ?? [], one)
      if (found === 'gone') isInUse = true
      else if (found === null) faults.push(fault(`routes.${index}.${path}`, 'unknown_reference'))
      else if (taken.has(found)) faults.push(fault(`routes.${index}.${path}`, 'location_in_two_routes'))
      else taken.add(found)
    }
  })
  faults.push(...assignmentFaults(body, before, facts), ...timeFaults(before, placed, facts))
  faults.push(...skippedFaults(body, before, facts))
  // Names that mean nothing were told above; the plan is looked at once they are right.
  if (faults.length === 0 && !isInUse) faults.push(...planFaults(body, before, placed))
  if (faults.length > 0) throw new AppError('validation', { fields: faults.slice(0, 100) })
  if (isInUse) throw new AppError('in_use')
}

/**
 * A value by the dimensions until somebody types another (domain, Ldm). `isCalculated` null:
 * decided by whether they agree.
 */
function proposed(
  sent: number | null,
  isCalculated: boolean | null,
  calculated: number | null,
): { value: number | null; isCalculated: boolean } {
  const byDimensions = isCalculated ?? (sent === null || sent === calculated)
  return byDimensions ? { value: calculated, isCalculated: true } : { value: sent, isCalculated: false }
}

/** Volume and loading metres of a line as they are stored. */
export function measuresOf(
  line: CargoBody,
): Pick<Order['cargo'][number], 'volumeM3' | 'isVolumeCalculated' | 'ldm' | 'isLdmCalculated'> {
  const volume = proposed(line.volumeM3, line.isVolumeCalculated, volumeOf(line))
  const ldm = proposed(line.ldm, line.isLdmCalculated, ldmOf(line))
  return {
    volumeM3: volume.value,
    isVolumeCalculated: volume.isCalculated,
    ldm: ldm.value,
    isLdmCalculated: ldm.isCalculated,
  }
}

/** What lists show of an order is taken from this much of it; stops in the order in which they are driven. */
export interface OrderPicture {
  customerPriceCents: number | null
  customerVatBp: number | null
  approvedExtras: readonly ExtraSums[]
  locations: readonly (Pick<
    Order['locations'][number],
    | 'kind'
    | 'termin'
    | 'timeZone'
    | 'postal'
    | 'city'
    | 'countryCode'
    | 'plannedAt'
    | 'arrivedAt'
    | 'loadedAt'
    | 'unloadedAt'
    | 'canceledAt'
    | 'routeId'
  > & {
    cargoActions: readonly { action: 'PICK_UP' | 'DROP_OFF' }[]
  })[]
  routes: readonly { id: number; status: OrderStatus; assignment: { costCents: number | null } | null }[]
}

/**
 * The columns that are derived at every save and every move, so that no list reads its children (design §8).
 * Canceled routes cost and drive nothing.
 */
export function derivedColumns(order: OrderPicture) {
  const running = order.routes.filter((route) => !isCanceled(route.status))
  // Of an order that is canceled as a whole, lists go on showing where it was to go.
  const left = new Set(
    running.length === 0 ? [] : order.routes.flatMap((route) => (running.includes(route) ? [] : [route.id])),
  )
  const stops = order.locations.filter((stop) => !stop.canceledAt && !left.has(stop.routeId ?? 0))
  const from = stops.findIndex(isPickUp)
  const to = stops.findLastIndex(isDropOff)
  const budget = orderBudget({ ...order, routes: running, extras: order.approvedExtras })
  return {
    firstLoadingAt: firstLoadingAt(stops),
    lastUnloadingAt: lastUnloadingAt(stops),
    fromCountryCode: stops[from]?.countryCode ?? null,
    fromCity: stops[from]?.city ?? null,
    fromTimeZone: stops[from]?.timeZone ?? null,
    toCountryCode: stops[to]?.countryCode ?? null,
    toCity: stops[to]?.city ?? null,
    toTimeZone: stops[to]?.timeZone ?? null,
    laneKey: laneKeyOf(stops[from], stops[to]),
    viaCount: from >= 0 && to > from ? to - from - 1 : 0,
    expectedLoadingAt: expectedLoadingAt(stops),
    expectedUnloadingAt: expectedUnloadingAt(stops),
    carrierCostCents: budget.carrierCostCents,
    incomeCents: budget.incomeCents,
    marginBp: budget.marginBp,
  }
}

/** An order as its history compares it: without what time alone changes, or other records. */
export const historyOf = (order: Order): Record<string, unknown> =>
  Object.fromEntries(Object.entries(order).filter(([field]) => !NOT_HISTORY.includes(field as keyof Order)))
