import type { Order, OrderWrite } from '@waybill/contract/order/order'
import { FIRST_ORDER_STATUS, leastAdvanced, type OrderStatus, type RouteStatus } from '@waybill/contract/order/status'
import { terminRange } from '@waybill/contract/order/termin/termin'
import type { OrderChildren } from './order.table.ts'
import {
  cargoCustomer,
  customersOf,
  inOrder,
  measuresOf,
  stopsOf,
  type OrderPicture,
  type SaveFacts,
} from './order.rules.ts'

/** How many ids the new children of a body need. */
export const newChildren = (body: OrderWrite, before: Order | null) => ({
  cargo: body.cargo.filter((line) => line.id === undefined).length,
  location: body.locations.filter((stop) => stop.id === undefined).length,
  route: body.routes.filter((route) => route.id === undefined).length,
  assignment: body.routes.filter((route) => route.assignment && !storedRoute(route.id, before)?.assignment).length,
})

const storedRoute = (id: number | undefined, before: Order | null) => before?.routes.find((route) => route.id === id)

interface Given {
  body: OrderWrite
  before: Order | null
  facts: SaveFacts
  /** ids taken for the new children, in the order of the body */
  ids: Record<'cargo' | 'location' | 'route' | 'assignment', number[]>
  /** who is a manager of the order beside those named */
  managers: readonly (number | null)[]
  now: string
}

export interface Settled {
  children: OrderChildren
  picture: OrderPicture
  /** the order's status by its routes, or its own */
  status: OrderStatus
  statusSince: string
  lastRouteN: number
  /** whose the order is, for the lists' filters */
  parties: { customerIds: number[]; managerIds: number[]; carrierCompanyIds: number[] }
}

/**
 * What a body that passed the rules comes to: rows with ids, keys resolved, defaults filled,
 * and the picture that lists are derived from.
 * A first route begins where the order stands: planning takes its stops and its status over (domain, Order status).
 */
export function settle({ body, before, facts, ids, managers, now }: Given): Settled {
  const placed = inOrder(body.locations, before)
  const position = new Map(placed.map(({ index }, place) => [index, place + 1]))
  const cargoIds = body.cargo.map((line) => line.id ?? ids.cargo.shift()!)
  const locationIds = body.locations.map((stop) => stop.id ?? ids.location.shift()!)
  const routeIds = body.routes.map((route) => route.id ?? ids.route.shift()!)

  const drives = body.routes.map((route) => stopsOf(route, body, before, placed) as number[])
  const routeOf = new Map(
    drives.flatMap((stops, route) =>
      stops.map((stop, place) => [stop, { routeId: routeIds[route]!, routePosition: place + 1 }] as const),
    ),
  )

  let lastRouteN = facts.lastRouteN
  const isFirst = before !== null && before.routes.length === 0
  const start: Pick<Order['routes'][number], 'status' | 'statusDates'> = isFirst
    ? { status: before.status, statusDates: before.statusDates }
    : { status: FIRST_ORDER_STATUS, statusDates: { [FIRST_ORDER_STATUS]: now } }
  const routes = body.routes.map((route, index) => {
    const { status, statusDates } = storedRoute(route.id, before) ?? start
    // Of a stored route the number stays whatever stands here: it is never written again.
    if (route.id === undefined) lastRouteN += 1
    return {
      id: routeIds[index]!,
      n: lastRouteN,
      // A route has every status but `merged`.
      status: status as RouteStatus,
      statusDates,
      distanceKm: route.distanceKm,
      isDistanceEstimated: route.isDistanceEstimated,
      customerPriceCents: route.customerPriceCents,
    }
  })

  const assignments = body.routes.flatMap((route, index) => {
    if (route.assignment === null) return []
    const { driverIds, ...columns } = route.assignment
    const id = storedRoute(route.id, before)?.assignment?.id ?? ids.assignment.shift()!
    return [{ row: { id, routeId: routeIds[index]!, ...columns }, driverIds, ownFleet: columns.ownFleet }]
  })

  const locations = body.locations.map(
    ({ key: _key, cargoActions: _actions, termin, position: _position, ...stop }, index) => {
      const timeZone = stop.timeZone ?? facts.countries.get(stop.countryId)!.timeZone
      const { startAt, endAt } = termin ? terminRange(termin, timeZone) : { startAt: null, endAt: null }
      const when = {
        terminKind: termin?.kind ?? null,
        dateFrom: termin?.dateFrom ?? null,
        timeFrom: termin?.timeFrom ?? null,
        dateTo: termin?.dateTo ?? null,
        timeTo: termin?.timeTo ?? null,
      }
      const place = routeOf.get(index) ?? { routeId: null, routePosition: null }
      return {
        ...stop,
        ...when,
        ...place,
        id: locationIds[index]!,
        position: position.get(index)!,
        timeZone,
        startAt,
        endAt,
      }
    },
  )
  const actions = body.locations.flatMap((stop, index) =>
    stop.cargoActions.map(({ cargoId, cargoKey, action }) => ({
      cargoId: cargoId ?? cargoIds[body.cargo.findIndex((line) => line.key === cargoKey)]!,
      locationId: locationIds[index]!,
      action,
    })),
  )

  const customers = customersOf(body)
  const managerIds = [...new Set([...body.managerIds, ...managers])].filter((userId) => userId !== null)
  const status = leastAdvanced(routes.map((route) => route.status)) ?? before?.status ?? FIRST_ORDER_STATUS
  const since = routes.flatMap((route) => (route.status === status ? (route.statusDates[status] ?? []) : [])).toSorted()
  return {
    children: {
      customers: customers.map((customerId, index) => ({ customerId, position: index + 1 })),
      managers: managerIds.map((userId) => ({ userId })),
      cargo: body.cargo.map(({ key: _key, specialHandlingTypeIds: _handling, ...line }, index) => ({
        ...line,
        ...measuresOf(line as OrderWrite['cargo'][number]),
        id: cargoIds[index]!,
        position: index + 1,
        customerId: cargoCustomer(body.cargo[index]!, body, before),
      })),
      handling: body.cargo.flatMap((line, index) =>
        [...new Set(line.specialHandlingTypeIds)].map((specialHandlingTypeId) => ({
          cargoId: cargoIds[index]!,
          specialHandlingTypeId,
        })),
      ),
      locations,
      actions,
      routes,
      assignments: assignments.map(({ row }) => row),
      drivers: assignments.flatMap(({ row, driverIds, ownFleet }) =>
        driverIds.map((id, index) => ({
          assignmentId: row.id,
          position: index + 1,
          driverId: ownFleet ? null : id,
          userId: ownFleet ? id : null,
        })),
      ),
    },
    picture: {
      customerPriceCents: body.customerPriceCents,
      customerVatBp: body.customerVatBp,
      approvedExtras: before?.approvedExtras ?? [],
      locations: placed.map(({ stop, index }) => ({
        ...stop,
        timeZone: locations[index]!.timeZone,
        countryCode: facts.countries.get(stop.countryId)!.code,
        routeId: locations[index]!.routeId,
      })),
      routes: routes.map(({ id, status: own }, index) => ({
        id,
        status: own,
        assignment: body.routes[index]!.assignment,
      })),
    },
    status,
    statusSince: since[0] ?? now,
    lastRouteN,
    parties: {
      customerIds: customers,
      managerIds,
      carrierCompanyIds: [...new Set(assignments.flatMap(({ row }) => row.carrierCompanyId ?? []))],
    },
  }
}
