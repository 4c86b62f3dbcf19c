import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { EXACT_TOTAL } from '@waybill/contract/kit/paging'
import { countOrders, orderApi, type OrderRow } from '@waybill/contract/order/order'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'
import { ListPage } from '../../../kit/list/page/list-page.tsx'
import type { RowInHand } from '../../../kit/list/page/row-in-hand.ts'
import type { RowSelection } from '../../../kit/list/page/row-selection.ts'
import { useList, type List } from '../../../kit/list/page/use-list.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { TabBar, type Tab } from '../../../ui/page/tab-bar.tsx'
import { ORDER_PHONE_GRID, useOrderColumns } from './columns.tsx'
import { useOrderFilters } from './filters.ts'
import { orderPath } from '../values/paths.ts'
import type { TouchedStatus } from './row-status.tsx'
import { statusBadgeId } from './rows.ts'
import { impliedFilters, ORDER_VIEWS, viewFilters, viewInForce, type OrderView } from './views.ts'

const OrderPeek = lazy(() => import('./peek.tsx').then((file) => ({ default: file.OrderPeek })))

const showPeek = (id: number, hand: RowInHand) => (
  <Suspense fallback={null}>
    <OrderPeek id={id} hand={hand} />
  </Suspense>
)

const fetchStatus = () => import('./row-status.tsx')
const OrderRowStatus = lazy(() => fetchStatus().then((file) => ({ default: file.OrderRowStatus })))
const fetchActions = () => import('./bulk-actions.tsx')
const OrderBulkActions = lazy(() => fetchActions().then((file) => ({ default: file.OrderBulkActions })))

const showActions = (selection: RowSelection<OrderRow>, list: List<OrderRow>) => (
  <Suspense>
    <OrderBulkActions selection={selection} list={list} />
  </Suspense>
)

/** All orders, and my orders: the same list, narrowed by `mine` in its address (spec §2). */
export function OrderListPage() {
  const { t } = useTranslation('order-list')
  const list = useList(orderApi, { filters: useOrderFilters(), live: 'order' })
  const [touched, setTouched] = useState<TouchedStatus | null>(null)
  // The badge that opened the menu closes it.
  const touch = useCallback(
    (row: OrderRow, badge: HTMLElement) => setTouched((before) => (before?.badge === badge ? null : { row, badge })),
    [],
  )
  const columns = useOrderColumns(touch)
  const today = localToday()
  const isMine = list.view.filters.mine === true
  const counts = useOrderCounts(list.view)
  useScreenTitle(isMine ? t('titleMine') : null)
  const current = viewInForce(list.view.filters, today)
  const queries = useQueryClient()
  // What is said around the rows: the counts of the views, and the order that is looked into.
  useLiveChanges(
    'order',
    () =>
      void queries.invalidateQueries({
        queryKey: [orderApi.path],
        predicate: ({ queryKey }) => queryKey.includes('counts') || queryKey.includes('peek'),
      }),
  )
  useFetchOnTouch(fetchActions)
  useFetchOnTouch(fetchStatus)
  const mayCreate = hasAccess(orderApi.create.access)
  return (
    <ListPage
      list={list}
      title={t(isMine ? 'titleMine' : 'title')}
      note={counts.note}
      create={mayCreate ? { to: '/orders/create', label: t('newOrder') } : null}
      importTo="/orders/import"
      tabs={
        <ViewTabs
          current={current}
          tabs={counts.tabs}
          onSelect={(view) => list.change({ filters: viewFilters(view, today) })}
        />
      }
      implied={impliedFilters(current, today)}
      columns={columns}
      rowName={(row: OrderRow) => row.number}
      pathOf={orderPath}
      emptyText={t(isMine ? 'emptyMine' : 'empty')}
      peek={showPeek}
      rowKey={{ key: 's', label: t('keyStatus'), run: ({ id }) => document.getElementById(statusBadgeId(id))?.click() }}
      bulk={showActions}
      phoneGrid={ORDER_PHONE_GRID}
    >
      <Suspense>
        {touched === null ? null : (
          <OrderRowStatus key={touched.row.id} {...touched} onClose={() => setTouched(null)} />
        )}
      </Suspense>
    </ListPage>
  )
}

function ViewTabs({
  current,
  tabs,
  onSelect,
}: {
  current: OrderView | null
  tabs: readonly Tab<OrderView>[]
  onSelect: (view: OrderView) => void
}) {
  const { t } = useTranslation('order-list')
  return (
    <TabBar<OrderView | ''>
      label={t('views')}
      tabs={tabs}
      current={current ?? ''}
      onSelect={(view) => (view === '' ? undefined : onSelect(view))}
    />
  )
}

/** How many orders each view holds, as far as the server counts them, under the list's state, department and owner. */
function useOrderCounts({
  state,
  filters,
}: {
  state: 'active' | 'inactive'
  filters: Readonly<Record<string, unknown>>
}): { tabs: readonly Tab<OrderView>[]; note: string } {
  const { t } = useTranslation('order-list')
  const { number } = useFormat()
  const { mine, departmentId } = filters as { mine?: boolean; departmentId?: number[] }
  const answer = useQuery({
    queryKey: [orderApi.path, 'counts', { state, mine, departmentId }],
    queryFn: ({ signal }) => callApi(countOrders, { query: { state, mine, departmentId }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    // The list itself says what is wrong; tabs without counts still work.
    meta: { showsRefusals: true },
  })
  const counts = answer.data
  const written = (count: number) => `${number(count)}${count >= EXACT_TOTAL ? '+' : ''}`
  const all = counts === undefined ? 0 : Object.values(counts.byStatus).reduce((sum, count) => sum + count, 0)
  const held: Partial<Record<OrderView, number>> =
    counts === undefined
      ? {}
      : { all, open: counts.open, delayed: counts.delayed, delivered: counts.byStatus.delivered }
  const tabs = ORDER_VIEWS.map((key): Tab<OrderView> => {
    const count = held[key]
    return {
      key,
      label: t(`view.${key}`),
      ...(count === undefined
        ? {}
        : { count: written(count), countTone: key === 'delayed' && count > 0 ? 'danger' : 'plain' }),
    }
  })
  return { tabs, note: counts === undefined ? '' : t(`note.${state}`, { count: all, number: written(all) }) }
}
