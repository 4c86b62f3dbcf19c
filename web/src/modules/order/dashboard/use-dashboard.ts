import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { listEmails } from '@waybill/contract/email'
import { getKsefStanding } from '@waybill/contract/invoice/ksef/standing'
import { listWaitingOrders, sumOrders, type WaitingOrder } from '@waybill/contract/order/day'
import { listMentions } from '@waybill/contract/order/note'
import { countOrders, orderApi, type OrderRow } from '@waybill/contract/order/order'
import { FIRST_ORDER_STATUS, SUMMED_STATUSES, UNDER_WAY_STATUSES } from '@waybill/contract/order/status'
import { callApi, callRows } from '../../../kit/api/call-api.ts'
import { daysOf, type DayRange } from '../../../kit/list/filter/filters.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { currentSession, hasAccess } from '../../../kit/session/session.ts'
import { readGroupFilter } from '../../../kit/session/token-store.ts'

/** Whose orders the dashboard shows. */
export type DashboardScope = 'mine' | 'department' | 'all'

/** As many lines as are taken in at a glance; the list has the rest. */
const LINES = 10
const LINES_OF_A_DAY = 25

interface Narrowing {
  mine?: boolean
  departmentId?: number[]
}

/** Whose orders are shown, as the address says it: by the names that the orders list reads as well. */
export function useDashboardScope(): {
  scope: DashboardScope
  narrowing: Narrowing
  address: Record<string, unknown>
  choose: (scope: DashboardScope) => void
} {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const ownDepartment = currentSession()?.profile.departmentId ?? null
  const asked = Array.isArray(search.departmentId) ? Number(search.departmentId[0]) : Number.NaN
  const scope = search.mine === '1' ? 'mine' : Number.isSafeInteger(asked) && asked > 0 ? 'department' : 'all'
  const addressOf = (wanted: DashboardScope, departmentId: number | null): Record<string, unknown> =>
    wanted === 'mine' ? { mine: '1' } : wanted === 'department' ? { departmentId: [String(departmentId)] } : {}
  return {
    scope,
    narrowing: scope === 'mine' ? { mine: true } : scope === 'department' ? { departmentId: [asked] } : {},
    address: addressOf(scope, asked),
    choose: (wanted) =>
      void navigate({ to: '.', search: addressOf(wanted, ownDepartment) as never, resetScroll: false }),
  }
}

const SHARED = { placeholderData: keepPreviousData, refetchOnMount: 'always', meta: { showsRefusals: true } } as const

interface Asked {
  key: readonly unknown[]
  narrowing: Narrowing
}

/** What the dashboard shows of an order. */
const SHOWN = [
  'id',
  'number',
  'status',
  'customer',
  'from',
  'to',
  'viaCount',
  'delay',
  'deviations',
  'disposition',
  'caseWorker',
  'customerPriceCents',
] as const satisfies readonly (keyof OrderRow)[]
export type DashboardOrder = Pick<OrderRow, (typeof SHOWN)[number]>

function useRows({ key, narrowing }: Asked, name: string, query: Record<string, unknown>) {
  return useQuery({
    ...SHARED,
    queryKey: [...key, name],
    queryFn: async ({ signal }): Promise<{ rows: readonly DashboardOrder[]; total: number; totalIsExact: boolean }> => {
      const asked = { state: 'active', ...narrowing, ...query }
      const { items, total, totalIsExact } = await callRows(orderApi, SHOWN, asked as never, signal)
      return { rows: items, total, totalIsExact }
    },
  })
}

/**
 * What the dashboard shows, each part by itself, so that one that is refused keeps none of the others.
 * `isAnswered` once each has an answer or a first refusal. `today` is a local date.
 */
export function useDashboard(narrowing: Narrowing, today: string) {
  const queries = useQueryClient()
  const key = [orderApi.path, 'dashboard', readGroupFilter()]
  useLiveChanges('order', () => void queries.invalidateQueries({ queryKey: key }))
  const day: DayRange = { from: today, to: today }
  const of = { key: [...key, narrowing, today], narrowing }
  const counts = useQuery({
    ...SHARED,
    queryKey: [...key, 'counts', narrowing],
    queryFn: ({ signal }) => callApi(countOrders, { query: { state: 'active', ...narrowing }, signal }),
  })
  const week = useQuery({
    ...SHARED,
    queryKey: [...key, 'week', narrowing, today],
    queryFn: ({ signal }) =>
      callApi(sumOrders, { query: { createdAt: daysOf('thisWeek', today), ...narrowing }, signal }),
  })
  const waiting = useQuery({
    ...SHARED,
    queryKey: [...key, 'waiting'],
    queryFn: ({ signal }): Promise<{ items: WaitingOrder[]; total: number }> => callApi(listWaitingOrders, { signal }),
  })
  const mentions = useQuery({
    ...SHARED,
    queryKey: [...key, 'mentions'],
    queryFn: ({ signal }) => callApi(listMentions, { signal }),
  })
  // Mails are told of by the list of all mails, each with the rule of its record.
  const mailCount = (status: 'failed' | 'held') => ({
    ...SHARED,
    queryKey: [...key, 'mails', status],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callApi(listEmails, { query: { status: [status], perPage: LINES }, signal }),
  })
  const failedMails = useQuery(mailCount('failed'))
  const heldMails = useQuery(mailCount('held'))
  const myHeldMails = useQuery({
    ...SHARED,
    queryKey: [...key, 'mails', 'mine'],
    queryFn: ({ signal }) => callApi(listEmails, { query: { status: ['held'], mine: true, perPage: LINES }, signal }),
  })
  // What KSeF asks for is the business of those who bill.
  const seesKsef = hasAccess(getKsefStanding.access)
  const ksef = useQuery({
    ...SHARED,
    queryKey: [...key, 'ksef'],
    queryFn: async ({ signal }) => {
      const { rejected, waiting, certificates } = await callApi(getKsefStanding, { signal })
      return rejected.length + waiting.filter(({ isLate }) => isLate).length + certificates.length
    },
    enabled: seesKsef,
  })
  useLiveChanges(seesKsef ? 'invoice' : null, () => void queries.invalidateQueries({ queryKey: [...key, 'ksef'] }))
  const parts = {
    counts,
    week,
    failedMails,
    heldMails,
    myHeldMails,
    mentions,
    waiting,
    delays: useRows(of, 'delays', { delayed: true, sort: 'dueAt', perPage: LINES }),
    loading: useRows(of, 'loading', {
      status: SUMMED_STATUSES,
      firstLoading: day,
      sort: 'firstLoadingAt',
      perPage: LINES_OF_A_DAY,
    }),
    unloading: useRows(of, 'unloading', {
      status: SUMMED_STATUSES,
      lastUnloading: day,
      sort: 'lastUnloadingAt',
      perPage: LINES_OF_A_DAY,
    }),
    new: useRows(of, 'new', { status: [FIRST_ORDER_STATUS], sort: 'firstLoadingAt', perPage: LINES }),
    ongoing: useRows(of, 'ongoing', { status: UNDER_WAY_STATUSES, delayed: false, sort: 'dueAt', perPage: LINES }),
  }
  const isAnswered = [...Object.values(parts), ...(seesKsef ? [ksef] : [])].every(
    ({ data, failureCount }) => data !== undefined || failureCount > 0,
  )
  return { ...parts, ksef, isAnswered }
}

export type DashboardRows = ReturnType<typeof useRows>

/**
 * The same rows as a list of their own, where the dashboard shows the first of them; `scope` is
 * the address of whose they are.
 */
export function listAddresses(scope: Record<string, unknown>, today: string) {
  const day = { from: today, to: today }
  return {
    ofStatus: (status: string) => ({ ...scope, status: [status] }),
    delays: { ...scope, delayed: '1', sort: 'dueAt' },
    loading: { ...scope, status: [...SUMMED_STATUSES], firstLoading: day, sort: 'firstLoadingAt' },
    unloading: { ...scope, status: [...SUMMED_STATUSES], lastUnloading: day, sort: 'lastUnloadingAt' },
    new: { ...scope, status: [FIRST_ORDER_STATUS], sort: 'firstLoadingAt' },
    ongoing: { ...scope, status: [...UNDER_WAY_STATUSES], sort: 'dueAt' },
  }
}
