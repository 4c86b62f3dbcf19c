import type { FieldErrorCode } from '../errors.ts'
import type { PodState } from './papers/pod.ts'
import { isDropOff, isPickUp, type Stop } from './schedule.ts'

/** Spec §4. `merged` belongs to orders alone; routes have all the others. */
export const ORDER_STATUSES = [
  'new',
  'scheduled',
  'in_transit',
  'arrived',
  'delivered',
  'completed',
  'canceled',
  'merged',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]
export type RouteStatus = Exclude<OrderStatus, 'merged'>

/** Where an order begins, and its routes. */
export const FIRST_ORDER_STATUS = 'new' as const satisfies OrderStatus

/** Spec §3. */
export const DISPOSITIONS = ['OWN_FLEET', 'FOR_SALE', 'WAITING_FOR_COMBINATION'] as const
export type Disposition = (typeof DISPOSITIONS)[number]

/** Spec §3: who caused it, and how grave. */
export const DEVIATIONS = [
  'CUSTOMER_LEVEL_1',
  'CUSTOMER_LEVEL_2',
  'CUSTOMER_LEVEL_3',
  'CARRIER_LEVEL_1',
  'CARRIER_LEVEL_2',
  'CARRIER_LEVEL_3',
  'DISPATCH_LEVEL_1',
  'DISPATCH_LEVEL_2',
  'DISPATCH_LEVEL_3',
] as const
export type Deviation = (typeof DEVIATIONS)[number]

/** What a move waits for, named as the error that is answered while it is missing. */
export type MoveNeed = Extract<
  FieldErrorCode,
  | 'pick_up_and_drop_off_missing'
  | 'assignment_missing'
  | 'carrier_not_cleared'
  | 'credit_limit'
  | 'route_missing'
  | 'loading_times_missing'
  | 'arrival_time_missing'
  | 'unloading_times_missing'
  | 'pod_missing'
  | 'pod_to_check'
  | 'reason_missing'
>

export interface OrderMove {
  readonly from: OrderStatus
  readonly to: OrderStatus
  /** `next` goes on, `back` takes a step back, `out` ends the order */
  readonly kind: 'next' | 'back' | 'out'
  readonly needsReason: boolean
  readonly adminOnly: boolean
  /** what the person is asked for when it is not known yet */
  readonly asks: 'loadingTimes' | 'arrivalTime' | 'unloadingTimes' | 'podOrWaiver' | null
  readonly needs: readonly MoveNeed[]
  /** which action may make it: the status action, or merging and unmerging alone */
  readonly by: 'status' | 'merge' | 'unmerge'
}

const next = (from: OrderStatus, to: OrderStatus, asks: OrderMove['asks'], ...needs: MoveNeed[]): OrderMove => ({
  from,
  to,
  kind: 'next',
  needsReason: false,
  adminOnly: false,
  asks,
  needs,
  by: 'status',
})
const withReason = (kind: 'back' | 'out', from: OrderStatus, to: OrderStatus, adminOnly = false): OrderMove => ({
  from,
  to,
  kind,
  needsReason: true,
  adminOnly,
  asks: null,
  needs: ['reason_missing'],
  by: 'status',
})
const merging = (by: 'merge' | 'unmerge', from: OrderStatus, to: OrderStatus): OrderMove => ({
  from,
  to,
  kind: by === 'merge' ? 'out' : 'back',
  needsReason: false,
  adminOnly: false,
  asks: null,
  needs: [],
  by,
})

/** A move to one of these takes the transport order back that a carrier has been sent. */
export const WITHDRAWING_STATUSES: readonly OrderStatus[] = ['new', 'canceled']

/** The steps of the orders that merging and unmerging move (domain, Merge). */
export const MERGE_STEP = { from: 'new', to: 'merged' } as const satisfies Record<string, OrderStatus>
export const UNMERGE_STEP = { from: 'merged', to: 'new' } as const satisfies Record<string, OrderStatus>

/** The one table of moves (domain, Order status): the server's guard and the web's buttons both read it. */
export const ORDER_MOVES: readonly OrderMove[] = [
  next(
    'new',
    'scheduled',
    null,
    'pick_up_and_drop_off_missing',
    'assignment_missing',
    'carrier_not_cleared',
    'credit_limit',
  ),
  next('scheduled', 'in_transit', 'loadingTimes', 'route_missing', 'loading_times_missing'),
  next('in_transit', 'arrived', 'arrivalTime', 'arrival_time_missing'),
  next('in_transit', 'delivered', 'unloadingTimes', 'unloading_times_missing'),
  next('arrived', 'delivered', 'unloadingTimes', 'unloading_times_missing'),
  next('delivered', 'completed', 'podOrWaiver', 'pod_missing', 'pod_to_check'),
  withReason('out', 'new', 'canceled'),
  withReason('out', 'scheduled', 'canceled'),
  withReason('back', 'scheduled', 'new'),
  withReason('back', 'in_transit', 'scheduled'),
  withReason('back', 'arrived', 'in_transit'),
  withReason('back', 'delivered', 'arrived'),
  withReason('back', 'delivered', 'in_transit'),
  withReason('back', 'completed', 'delivered', true),
  withReason('out', 'in_transit', 'canceled', true),
  withReason('out', 'arrived', 'canceled', true),
  withReason('back', 'canceled', 'new', true),
  merging('merge', MERGE_STEP.from, MERGE_STEP.to),
  merging('unmerge', UNMERGE_STEP.from, UNMERGE_STEP.to),
]

/**
 * Every step that a route may take, as the database checks it too (design §9, rule 5):
 * merging and unmerging move orders alone.
 */
export const ORDER_MOVE_PAIRS: readonly (readonly [from: RouteStatus, to: RouteStatus])[] = ORDER_MOVES.flatMap(
  ({ from, to, by }) => (by === 'status' && from !== 'merged' && to !== 'merged' ? [[from, to] as const] : []),
)

/** How long a move can be taken back without a reason: as long as its mails wait (domain, Order status). */
export const UNDO_SECONDS = 8

/** The moves that the status action may make from a status; administrators have some more. */
export const allowedMoves = (from: OrderStatus, { isAdmin }: { isAdmin: boolean }): OrderMove[] =>
  ORDER_MOVES.filter((move) => move.from === from && move.by === 'status' && (isAdmin || !move.adminOnly))

/**
 * What is known of a route (or of an order that has none yet) when a move is checked.
 * Times asked for in the move are merged in before.
 */
export interface MoveFacts {
  readonly disposition: Disposition | null
  readonly stops: readonly Stop[]
  readonly hasRoute: boolean
  /** a carrier or own fleet */
  readonly hasAssignment: boolean
  /** its carrier may be sent on it, or is none; own fleet always may */
  readonly isCleared: boolean
  /** how who is billed stands to the credit limit, this order included */
  readonly credit?: 'near' | 'over' | null
  readonly pod: PodState
  readonly podWaiverReason?: string | null
  readonly reason?: string | null
  /** the time given by hand with the move */
  readonly at?: string | null
}

const isGiven = (text: string | null | undefined): boolean => typeof text === 'string' && text.trim() !== ''
const allHave = (stops: readonly Stop[], time: 'loadedAt' | 'unloadedAt'): boolean =>
  stops.length > 0 && stops.every((stop) => Boolean(stop[time]))

const IS_MET: Readonly<Record<MoveNeed, (facts: MoveFacts) => boolean>> = {
  pick_up_and_drop_off_missing: ({ stops }) => {
    const dated = stops.filter((stop) => !stop.canceledAt && stop.termin)
    return dated.some(isPickUp) && dated.some(isDropOff)
  },
  assignment_missing: ({ hasAssignment, disposition }) => hasAssignment || disposition === 'OWN_FLEET',
  carrier_not_cleared: ({ isCleared }) => isCleared,
  credit_limit: ({ credit }) => credit !== 'over',
  route_missing: ({ hasRoute }) => hasRoute,
  loading_times_missing: ({ stops, at }) =>
    isGiven(at) ||
    allHave(
      stops.filter((stop) => !stop.canceledAt && isPickUp(stop)),
      'loadedAt',
    ),
  arrival_time_missing: ({ stops, at }) =>
    isGiven(at) || Boolean(stops.findLast((stop) => !stop.canceledAt && isDropOff(stop))?.arrivedAt),
  unloading_times_missing: ({ stops, at }) =>
    isGiven(at) ||
    allHave(
      stops.filter((stop) => !stop.canceledAt && isDropOff(stop)),
      'unloadedAt',
    ),
  pod_missing: ({ pod, podWaiverReason }) => pod !== 'missing' || isGiven(podWaiverReason),
  pod_to_check: ({ pod, podWaiverReason }) => pod !== 'toCheck' || isGiven(podWaiverReason),
  reason_missing: ({ reason }) => isGiven(reason),
}

/** Which of a move's needs are unmet, in the order in which a person would see to them; empty = it may be made. */
export const missingFor = (move: OrderMove, facts: MoveFacts): MoveNeed[] =>
  move.needs.filter((need) => !IS_MET[need](facts))

/** An order as far as its steps depend on it. */
interface MovingOrder {
  readonly disposition: Disposition | null
  readonly credit: 'near' | 'over' | null
  readonly hasPod: boolean
  readonly podWaiverReason: string | null
  readonly pods: readonly { readonly routeId: number; readonly state: PodState }[]
  readonly clearances: readonly { readonly routeId: number; readonly isCleared: boolean }[]
  readonly locations: readonly (Stop & { readonly id: number })[]
  readonly routes: readonly {
    readonly status: OrderStatus
    readonly id: number
    readonly locationIds: readonly number[]
    readonly assignment: { readonly ownFleet: boolean; readonly carrierCompanyId: number | null } | null
  }[]
}

/** How the proof of delivery of a route stands; none came for a route that is not saved. */
export const podOf = ({ pods }: Pick<MovingOrder, 'pods'>, route: number): PodState =>
  pods.find(({ routeId }) => routeId === route)?.state ?? 'missing'

/** Whether the carrier of a route may be sent on it; own fleet has no gate (decision 098). */
export const isRouteCleared = ({ clearances }: Pick<MovingOrder, 'clearances'>, route: number): boolean =>
  clearances.find(({ routeId }) => routeId === route)?.isCleared ?? true

/** What the routes that would move, or the order without any, still need for a step. */
export function unmetNeeds(move: OrderMove, order: MovingOrder): MoveNeed[] {
  const shared = { disposition: order.disposition, credit: order.credit, podWaiverReason: order.podWaiverReason }
  const moving = order.routes.filter((route) => route.status === move.from)
  const facts =
    moving.length === 0
      ? [
          {
            ...shared,
            stops: order.locations,
            hasRoute: false,
            hasAssignment: false,
            isCleared: true,
            pod: order.hasPod ? ('accepted' as const) : ('missing' as const),
          },
        ]
      : moving.map((route) => ({
          ...shared,
          stops: order.locations.filter(({ id }) => route.locationIds.includes(id)),
          hasRoute: true,
          pod: podOf(order, route.id),
          isCleared: isRouteCleared(order, route.id),
          hasAssignment:
            route.assignment !== null && (route.assignment.ownFleet || route.assignment.carrierCompanyId !== null),
        }))
  return [...new Set(facts.flatMap((one) => missingFor(move, one)))]
}

// Times and reasons are asked once for all orders that move together; they keep none of them back.
const SAID_WITH_THE_MOVE: readonly MoveNeed[] = [
  'loading_times_missing',
  'arrival_time_missing',
  'unloading_times_missing',
  'reason_missing',
]

/** What keeps an order from a step, however the dialog is filled in. */
export const obstaclesTo = (move: OrderMove, order: MovingOrder): MoveNeed[] =>
  unmetNeeds(move, order).filter((need) => !SAID_WITH_THE_MOVE.includes(need))

const ADVANCE: readonly RouteStatus[] = ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed']

/** Whether a status comes after another one on the way of an order; canceled comes after all. */
export const isFurther = (status: OrderStatus, than: OrderStatus): boolean => placeOf(status) > placeOf(than)

const placeOf = (status: OrderStatus): number =>
  isCanceled(status) ? ADVANCE.length : ADVANCE.findIndex((one) => one === status)

/**
 * The status of an order by those of its routes: the least advanced counts, canceled ones only if all are.
 * Null without routes: then the order's own stands (domain, Order status).
 */
export function leastAdvanced(statuses: readonly RouteStatus[]): RouteStatus | null {
  if (statuses.length === 0) return null
  return ADVANCE.find((status) => statuses.includes(status)) ?? 'canceled'
}

const DEACTIVATABLE: readonly OrderStatus[] = ['new', 'completed', 'canceled']

/** Domain, Active/inactive: an order can be put aside only before it is planned or after its end. */
export const mayDeactivateOrder = (status: OrderStatus): boolean => DEACTIVATABLE.includes(status)

/** It drives and costs nothing, and is not billed. */
export const CANCELED_ORDER = 'canceled' as const satisfies OrderStatus
export const isCanceled = (status: OrderStatus): boolean => status === CANCELED_ORDER

/** Nothing more is driven for it. */
export const hasEnded = (status: OrderStatus): boolean =>
  status === 'completed' || status === 'canceled' || status === 'merged'

/** The statuses in which there is still something to do. */
export const OPEN_STATUSES: readonly OrderStatus[] = ORDER_STATUSES.filter((status) => !hasEnded(status))

/** What was to be picked up is on the way or further; what was to be dropped off is there. */
export const isLoaded = (status: OrderStatus): boolean => status !== 'new' && status !== 'scheduled'
export const UNLOADED_STATUSES: readonly OrderStatus[] = ['delivered', 'completed']
export const isUnloaded = (status: OrderStatus): boolean => UNLOADED_STATUSES.includes(status)

/**
 * What figures are not summed over, and what they are:
 * not what was canceled, nor what went into a merged order, which shows the sum of its sources (domain, Merge).
 */
export const NOT_SUMMED_STATUSES: readonly OrderStatus[] = ['canceled', 'merged']
export const SUMMED_STATUSES: readonly OrderStatus[] = ORDER_STATUSES.filter(
  (status) => !NOT_SUMMED_STATUSES.includes(status),
)

/** A carrier or our own fleet is to drive it, drives it, or has driven it. */
export const PLANNED_STATUSES: readonly OrderStatus[] = ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed']
/** The same, as long as something is still to be driven or unloaded. */
export const UNDER_WAY_STATUSES: readonly OrderStatus[] = ['scheduled', 'in_transit', 'arrived']

/** Nobody has unloaded it yet: whether its carrier is cleared is looked at. */
export const isClearanceShown = (status: OrderStatus): boolean =>
  status === FIRST_ORDER_STATUS || UNDER_WAY_STATUSES.includes(status)

/** Nobody was told of it yet: it may be planned and left again. */
export const isNew = (status: OrderStatus): boolean => status === FIRST_ORDER_STATUS

/** Planned and not loaded yet. */
export const isScheduled = (status: OrderStatus): boolean => status === 'scheduled'
/** Loaded, and not at its last drop-off yet. */
export const isInTransit = (status: OrderStatus): boolean => status === 'in_transit'

/** Unloaded, and to be completed with its proof of delivery. */
export const DELIVERED_ORDER = 'delivered' as const satisfies OrderStatus
export const awaitsPod = (status: OrderStatus): boolean => status === DELIVERED_ORDER

/** Orders and routes can be deleted before they are planned; afterwards they are canceled, with a reason. */
export const mayDelete = (status: OrderStatus): boolean => status === 'new'

/** On the way, or driven: somebody must be named who drives. */
export const needsAssignment = (status: OrderStatus): boolean =>
  status !== 'new' && status !== 'canceled' && status !== 'merged'

/** Changes cannot be saved in a merged order (spec §4). */
export const isReadOnlyOrder = (status: OrderStatus): boolean => status === 'merged'

/** Only what nobody has begun to carry can be merged (domain, Merge). */
export const isMergeable = (status: OrderStatus): boolean =>
  ORDER_MOVES.some((move) => move.from === status && move.by === 'merge')
