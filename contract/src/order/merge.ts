import type { FieldErrorCode } from '../errors.ts'
import { isMergeable, type OrderStatus } from './status.ts'

/** Spec §9: fewer orders are no merge. */
export const MERGE_LEAST = 2
/** More would not fit into one order, which has at most so many customers. */
export const MERGE_MOST = 50

/** Why an order cannot be merged, named as the error that is answered. */
export type MergeObstacle = Extract<
  FieldErrorCode,
  'merge_not_new' | 'merge_inactive' | 'merge_has_route' | 'merge_other_department' | 'merge_of_merged'
>

/** What is known of an order that is to be merged. */
export interface MergeCandidate {
  readonly id: number
  readonly status: OrderStatus
  readonly state: 'active' | 'inactive'
  readonly departmentId: number
  readonly hasRoute: boolean
  readonly isMergeResult: boolean
}

/**
 * What stands in the way of merging these orders, by their ids; empty = they may be merged. The first one's
 * department is the one that counts (domain, Merge).
 */
export function mergeObstacles(orders: readonly MergeCandidate[]): ReadonlyMap<number, readonly MergeObstacle[]> {
  const obstaclesOf = (order: MergeCandidate): MergeObstacle[] => [
    ...(isMergeable(order.status) ? [] : (['merge_not_new'] as const)),
    ...(order.state === 'active' ? [] : (['merge_inactive'] as const)),
    ...(order.isMergeResult ? (['merge_of_merged'] as const) : order.hasRoute ? (['merge_has_route'] as const) : []),
    ...(order.departmentId === orders[0]?.departmentId ? [] : (['merge_other_department'] as const)),
  ]
  return new Map(
    orders.flatMap((order) => (obstaclesOf(order).length === 0 ? [] : [[order.id, obstaclesOf(order)] as const])),
  )
}

/** Why a merge cannot be undone any more. */
export const UNMERGE_OBSTACLES = [
  'unmerge_left_new',
  'unmerge_edited',
  'unmerge_has_documents',
  'unmerge_has_mails',
  'unmerge_foreign',
] as const satisfies readonly FieldErrorCode[]
export type UnmergeObstacle = (typeof UNMERGE_OBSTACLES)[number]

/** A source's stop as it is put among those of others: the instants of its termin, null without one. */
export interface DatedStop {
  readonly startAt: string | null
  readonly endAt: string | null
  readonly isBefore: boolean
}

/**
 * The stops of several orders in one row, by date; each order's own stops keep their order, so that nothing is
 * dropped off before it is picked up. A *before* counts by its end, all others by their start; a stop without a date
 * follows the one before it. At the same moment the earlier order comes first. Answers where each stop is found:
 * `[order, stop]`.
 */
export function stopsByDate(orders: readonly (readonly DatedStop[])[]): [order: number, stop: number][] {
  const dueOf = ({ startAt, endAt, isBefore }: DatedStop): string => (isBefore ? endAt : startAt) ?? ''
  return orders
    .flatMap((stops, order) => {
      let due = ''
      return stops.map((stop, place) => {
        // Never before the stop that it follows.
        if (dueOf(stop) > due) due = dueOf(stop)
        return { order, place, due }
      })
    })
    .toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : a.order - b.order || a.place - b.place))
    .map(({ order, place }) => [order, place])
}
