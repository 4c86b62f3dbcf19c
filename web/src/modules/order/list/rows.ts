import type { QueryClient } from '@tanstack/react-query'
import type { Page } from '@waybill/contract/kit/paging'
import { orderApi, type Order, type OrderRow } from '@waybill/contract/order/order'
import { allowedMoves, type OrderMove } from '@waybill/contract/order/status'

/** Where an order may go from the list; nowhere while it is put aside. */
export const movesOfRow = ({ state, status }: Pick<OrderRow, 'state' | 'status'>, isAdmin: boolean): OrderMove[] =>
  state === 'active' ? allowedMoves(status, { isAdmin }) : []

/** The badge of a row's status, by which a key finds it and its menu is named. */
export const statusBadgeId = (id: number): string => `status-${id}`

/** What a row shows of an order that was just saved. */
export const seenIn = ({ version, status, state, delay, caseWorker }: Order): Partial<OrderRow> => ({
  version,
  status,
  state,
  delay,
  caseWorker,
})

/**
 * Shows a saved order where it stands in the lists and beside them; what else follows from it comes as every change
 * does, without anything moving.
 */
export function showInLists(queries: QueryClient, order: Order): void {
  queries.setQueriesData<Page<OrderRow>>({ queryKey: [orderApi.path, 'list'] }, (page) =>
    page === undefined
      ? page
      : { ...page, items: page.items.map((row) => (row.id === order.id ? { ...row, ...seenIn(order) } : row)) },
  )
  queries.setQueryData<Order>([orderApi.path, order.id, 'peek'], (shown) => (shown === undefined ? shown : order))
}
