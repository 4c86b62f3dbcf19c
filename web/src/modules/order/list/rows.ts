import type { QueryClient } from '@tanstack/react-query'
import type { Page } from '@waybill/contract/kit/paging'
import { orderApi, type Order, type OrderRow } from '@waybill/contract/order/order'
import { allowedMoves, type OrderMove } from '@waybill/contract/order/status'
import type { ListColumn } from '../../../kit/list/page/list-table.tsx'

/** What is read of every row: by these it is named, opened, moved on and changed together with others. */
const OF_EVERY_ROW = ['id', 'version', 'number', 'status', 'state'] as const satisfies readonly (keyof OrderRow)[]

/** A row of the list: what is done with it needs, and of the rest what the columns show. */
export type ListedOrder = Pick<OrderRow, (typeof OF_EVERY_ROW)[number]> & Partial<OrderRow>

/** What the list reads of its rows for these columns, in one order however they stand. */
export const fieldsShown = (columns: readonly ListColumn<ListedOrder>[]): readonly (keyof OrderRow)[] =>
  [...new Set([...OF_EVERY_ROW, ...columns.flatMap(({ meta }) => meta?.fields ?? [])])].toSorted() as (keyof OrderRow)[]

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
  queries.setQueriesData<Page<ListedOrder>>({ queryKey: [orderApi.path, 'list'] }, (page) =>
    page === undefined
      ? page
      : { ...page, items: page.items.map((row) => (row.id === order.id ? { ...row, ...seenIn(order) } : row)) },
  )
  queries.setQueryData<Order>([orderApi.path, order.id, 'peek'], (shown) => (shown === undefined ? shown : order))
}
