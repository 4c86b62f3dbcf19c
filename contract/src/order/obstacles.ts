import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id } from '../kit/fields.ts'
import { queryIds } from '../kit/paging.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import type { Order } from './order.ts'
import { missingFor, ORDER_STATUSES, type MoveNeed, type OrderMove } from './status.ts'

type Facts = Pick<Order, 'disposition' | 'hasPod' | 'podWaiverReason' | 'routes' | 'locations'>

/** What the routes that would move, or the order without any, still need for a step. */
export function unmetNeeds(move: OrderMove, order: Facts): MoveNeed[] {
  const shared = { disposition: order.disposition, hasPod: order.hasPod, podWaiverReason: order.podWaiverReason }
  const moving = order.routes.filter((route) => route.status === move.from)
  const facts =
    moving.length === 0
      ? [{ ...shared, stops: order.locations, hasRoute: false, hasAssignment: false }]
      : moving.map((route) => ({
          ...shared,
          stops: order.locations.filter(({ id: stopId }) => route.locationIds.includes(stopId)),
          hasRoute: true,
          hasAssignment:
            route.assignment !== null && (route.assignment.ownFleet || route.assignment.carrierCompanyId !== null),
        }))
  return [...new Set(facts.flatMap((one) => missingFor(move, one)))]
}

/** Times and reasons are asked once for all orders that move together; they keep none of them back. */
const SAID_WITH_THE_MOVE: readonly MoveNeed[] = [
  'loading_times_missing',
  'arrival_time_missing',
  'unloading_times_missing',
  'reason_missing',
]

/** What keeps an order from a step, however the dialog is filled in. */
export const obstaclesTo = (move: OrderMove, order: Facts): MoveNeed[] =>
  unmetNeeds(move, order).filter((need) => !SAID_WITH_THE_MOVE.includes(need))

/** Of up to 200 orders those that cannot go to a status, and what each is missing; the others are not in it. */
export const listObstacles = endpoint({
  method: 'GET',
  path: '/orders/obstacles',
  access: ORDER_ACCESS,
  summary: 'What keeps orders from a status',
  query: z.strictObject({ id: queryIds.min(1), to: z.enum(ORDER_STATUSES) }),
  reply: z.object({ items: z.array(z.object({ id, needs: z.array(z.string()) })) }),
})
