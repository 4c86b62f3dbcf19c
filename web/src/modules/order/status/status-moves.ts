import type { Order } from '@waybill/contract/order/order'
import {
  allowedMoves,
  CANCELED_ORDER,
  isCanceled,
  ORDER_MOVES,
  unmetNeeds,
  type MoveNeed,
  type OrderMove,
  type OrderStatus,
} from '@waybill/contract/order/status'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'

/** A status that an order may go to now, and what it will ask for. */
export interface PossibleMove {
  move: OrderMove
  /** what is still to be said */
  asks: OrderMove['asks']
}

/** A status that the order cannot go to yet, and why. */
export interface DistantMove {
  to: OrderStatus
  why: { need: MoveNeed } | { first: OrderStatus } | { backTo: OrderStatus }
}

export interface StatusMenu {
  next: PossibleMove[]
  back: PossibleMove[]
  notYet: DistantMove[]
}

// What is asked in the dialog does not keep a move from being offered.
const ASKED: readonly MoveNeed[] = [
  'loading_times_missing',
  'arrival_time_missing',
  'unloading_times_missing',
  'pod_missing',
  'pod_to_check',
  'reason_missing',
]

type Stop = Order['locations'][number]

/** The stops for which a move asks a time: those that it needs and that have none yet. */
export function stopsAskedFor(order: Pick<Order, 'locations'>, asks: OrderMove['asks']): Stop[] {
  const driven = order.locations.filter((stop) => stop.canceledAt === null)
  if (asks === 'loadingTimes') return driven.filter((stop) => isPickUp(stop) && stop.loadedAt === null)
  if (asks === 'unloadingTimes') return driven.filter((stop) => isDropOff(stop) && stop.unloadedAt === null)
  if (asks === 'arrivalTime')
    return [driven.findLast(isDropOff)].filter((stop) => stop !== undefined && stop.arrivedAt === null) as Stop[]
  return []
}

/**
 * What the status button offers: what comes next, the ways back and out, and what is not
 * possible yet, with its reason.
 * The table is the contract's; the server decides by the same one.
 */
export function statusMenu(order: Order, { isAdmin }: { isAdmin: boolean }): StatusMenu {
  const allowed = allowedMoves(order.status, { isAdmin })
  const possible = (move: OrderMove): PossibleMove => {
    const isAsked =
      move.asks === 'podOrWaiver'
        ? unmetNeeds(move, order).some((need) => need === 'pod_missing' || need === 'pod_to_check')
        : stopsAskedFor(order, move.asks).length > 0
    return { move, asks: isAsked ? move.asks : null }
  }
  const blockers = (move: OrderMove) => unmetNeeds(move, order).filter((need) => !ASKED.includes(need))
  const next = allowed.filter(({ kind }) => kind === 'next')
  const blocked = next.flatMap((move): DistantMove[] =>
    blockers(move)
      .slice(0, 1)
      .map((need) => ({ to: move.to, why: { need } })),
  )
  return {
    next: next.filter((move) => blockers(move).length === 0).map(possible),
    back: allowed.filter(({ kind }) => kind !== 'next').map(possible),
    notYet: [
      ...blocked,
      ...laterThan(order.status, new Set(allowed.map(({ to }) => to))),
      ...canceledLater(order.status, { isAdmin }),
    ],
  }
}

/** That an order which is under way can be canceled only after steps back, and to where they lead. */
export function canceledLater(from: OrderStatus, { isAdmin }: { isAdmin: boolean }): DistantMove[] {
  if (isCanceled(from)) return []
  const backTo = cancelableBackAt(from, isAdmin)
  return backTo === null || backTo === from ? [] : [{ to: CANCELED_ORDER, why: { backTo } }]
}

// The first status on the way back from which the order can be canceled; null where no way leads there.
function cancelableBackAt(from: OrderStatus, isAdmin: boolean): OrderStatus | null {
  const queue = [from]
  for (const status of queue) {
    const moves = allowedMoves(status, { isAdmin })
    if (moves.some(({ to }) => isCanceled(to))) return status
    queue.push(...moves.flatMap(({ kind, to }) => (kind === 'back' && !queue.includes(to) ? to : [])))
  }
  return null
}

// Further along the way: each behind the status that comes before it.
function laterThan(from: OrderStatus, offered: ReadonlySet<OrderStatus>): DistantMove[] {
  const later: DistantMove[] = []
  const reached = new Set<OrderStatus>([from, ...offered])
  const queue = ORDER_MOVES.filter((move) => move.kind === 'next' && move.from === from).map(({ to }) => to)
  for (let status = queue.shift(); status !== undefined; status = queue.shift()) {
    for (const move of ORDER_MOVES.filter((one) => one.kind === 'next' && one.from === status)) {
      if (reached.has(move.to)) continue
      reached.add(move.to)
      later.push({ to: move.to, why: { first: status } })
      queue.push(move.to)
    }
  }
  return later
}
