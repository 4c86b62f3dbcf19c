import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { EXACT_TOTAL } from '@waybill/contract/kit/paging'
import { countMatchingOrders, countOrders, orderApi } from '@waybill/contract/order/order'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useChosenColumns } from '../../../kit/list/columns/chosen-columns.ts'
import { useSavedViews } from '../../../kit/list/columns/saved-views.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'
import { ListPage } from '../../../kit/list/page/list-page.tsx'
import type { RowInHand } from '../../../kit/list/page/row-in-hand.ts'
import type { RowSelection } from '../../../kit/list/page/row-selection.ts'
import { narrowingOf, useList, type List } from '../../../kit/list/page/use-list.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { readGroupFilter } from '../../../kit/session/token-store.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { useFileDrop } from '../../../ui/fields/use-file-drop.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { TabBar, type Tab } from '../../../ui/page/tab-bar.tsx'
import { ORDER_PHONE_GRID, useOrderColumns } from './columns.tsx'
import classes from './list.module.css'
import { useOrderFilters } from './filters.ts'
import { orderPath } from '../values/paths.ts'
import type { TouchedStatus } from './row-status.tsx'
import { fieldsShown, statusBadgeId, type ListedOrder } from './rows.ts'
import { impliedFilters, ORDER_VIEWS, viewFilters, viewInForce, type OrderView } from './views.ts'

const ViewModal = lazy(() =>
  import('../../../kit/list/columns/view-modal.tsx').then((file) => ({ default: file.ViewModal })),
)
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

const showActions = (selection: RowSelection<ListedOrder>, list: List<ListedOrder>) => (
  <Suspense>
    <OrderBulkActions selection={selection} list={list} />
  </Suspense>
)

/** All orders, and my orders: the same list, narrowed by `mine` in its address (spec §2). */
export function OrderListPage() {
  const { t } = useTranslation('order-list')
  const [touched, setTouched] = useState<TouchedStatus | null>(null)
  // The badge that opened the menu closes it.
  const touch = useCallback(
    (row: ListedOrder, badge: HTMLElement) => setTouched((before) => (before?.badge === badge ? null : { row, badge })),
    [],
  )
  const columns = useOrderColumns(touch)
  const shown = useChosenColumns(orderApi.path, columns).columns
  const list = useList<typeof orderApi, ListedOrder>(orderApi, {
    filters: useOrderFilters(),
    live: 'order',
    fields: fieldsShown(shown),
  })
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
  const navigate = useNavigate()
  // Customers' mails: they are read among the order mails.
  const { 'data-over': _over, ...drop } = useFileDrop((files) => {
    void import('../intake/waiting-files.ts').then(({ waitWith }) => {
      waitWith(files)
      return navigate({ to: '/intake' as string })
    })
  })
  const mayCreate = hasAccess(orderApi.create.access)
  return (
    <div className={classes.drop} {...drop}>
      <ListPage
        list={list}
        title={t(isMine ? 'titleMine' : 'title')}
        note={counts.note}
        create={mayCreate ? { to: '/orders/create', label: t('newOrder') } : null}
        importTo="/orders/import"
        tabs={
          <ViewTabs
            list={list as List<unknown>}
            current={current}
            tabs={counts.tabs}
            onSelect={(view) => list.change({ filters: viewFilters(view, today) })}
          />
        }
        implied={impliedFilters(current, today)}
        columns={columns}
        rowName={(row: ListedOrder) => row.number}
        pathOf={orderPath}
        emptyText={t(isMine ? 'emptyMine' : 'empty')}
        peek={showPeek}
        rowKey={{
          key: 's',
          label: t('keyStatus'),
          run: ({ id }) => document.getElementById(statusBadgeId(id))?.click(),
        }}
        bulk={showActions}
        phoneGrid={ORDER_PHONE_GRID}
      >
        <Suspense>
          {touched === null ? null : (
            <OrderRowStatus key={touched.row.id} {...touched} onClose={() => setTouched(null)} />
          )}
        </Suspense>
      </ListPage>
    </div>
  )
}

// As many as stand side by side; the rest is in the menu of the views.
const MOST_SAVED_TABS = 8
// Counted apart from the list and not with every change: eight views of a thousand people are eight thousand counts.
const COUNTED_MS = 60_000

function ViewTabs({
  list,
  current,
  tabs,
  onSelect,
}: {
  list: List<unknown>
  current: OrderView | null
  tabs: readonly Tab<OrderView>[]
  onSelect: (view: OrderView) => void
}) {
  const { t } = useTranslation(['order-list', 'list-page'])
  const { number } = useFormat()
  const saved = useSavedViews(list)
  const [isSaving, setSaving] = useState(false)
  const shown = saved.views.toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn)).slice(0, MOST_SAVED_TABS)
  const counts = useQueries({
    queries: shown.map(({ query }) => ({
      queryKey: [orderApi.path, 'view-count', readGroupFilter(), query],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callApi(countMatchingOrders, { query: narrowingOf(orderApi, query), signal } as never),
      staleTime: COUNTED_MS,
      refetchInterval: COUNTED_MS,
      meta: { showsRefusals: true },
    })),
  })
  const inUse = shown.find(({ id }) => id === saved.current?.id)
  return (
    <TabBar<OrderView | SavedKey | ''>
      label={t('views')}
      tabs={[
        ...tabs,
        ...shown.map((view, place): Tab<SavedKey> => {
          const found = counts[place]?.data
          return {
            key: `view-${view.id}`,
            label: view.name,
            ...(found === undefined ? {} : { count: `${number(found.total)}${found.totalIsExact ? '' : '+'}` }),
          }
        }),
      ]}
      current={inUse === undefined ? (current ?? '') : `view-${inUse.id}`}
      onSelect={(key) => {
        const view = shown.find(({ id }) => key === `view-${id}`)
        if (view !== undefined) saved.show(view)
        // An address that says nothing would begin with the person's own view again.
        else if (key === 'all' && saved.standard !== undefined) list.show(ALL_ORDERS)
        else if (key !== '') onSelect(key as OrderView)
      }}
    >
      {saved.current === undefined && list.query !== '' ? (
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.saveView}
          leftSection={<Icon name="plus" />}
          onClick={() => setSaving(true)}
        >
          {t('list-page:views.saveTab')}
        </Button>
      ) : null}
      {isSaving ? (
        <Suspense>
          <ViewModal
            view={null}
            list={list.path}
            query={list.query}
            columns={saved.columns}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      ) : null}
    </TabBar>
  )
}

type SavedKey = `view-${number}`
const ALL_ORDERS = 'state=active'

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
