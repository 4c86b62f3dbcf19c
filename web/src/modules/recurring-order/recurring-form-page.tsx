import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { orderApi } from '@waybill/contract/order/order'
import { getRecurringOrder } from '@waybill/contract/order/recurring/recurring-order'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { draftKeyOf } from '../../kit/form/state/use-form-record.ts'
import { useUnsaved } from '../../kit/form/state/use-kept-typing.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState, Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecurringForm } from './recurring-form.tsx'
import { firstValues, isMaking, laneOf, valuesOf, type ScheduleValues } from './recurring-values.ts'

// The orders of what was saved just now are made behind the answer.
const MAKING_MS = 1500

const idIn = (value: unknown): number | null => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** A recurring order that is made of an order; `?order=12` names it. */
export function RecurringCreatePage() {
  const { t } = useTranslation('recurring-order')
  const orderId = idIn((useSearch({ strict: false }) as { order?: unknown }).order)
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', orderId, 'recurring'],
    queryFn: ({ signal }) => callApi(orderApi.get, { params: { id: orderId! }, signal }),
    enabled: orderId !== null,
    gcTime: 0,
  })
  const draftKey = draftKeyOf({ path: `recurring-orders/of/${orderId}` }, 'new')
  const unsaved = useUnsaved<ScheduleValues>(draftKey)
  if (orderId === null)
    return (
      <Nothing>
        <EmptyState icon="refresh" title={t('noOrder')}>
          {t('emptyText')}
        </EmptyState>
      </Nothing>
    )
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined || unsaved === undefined) return <SkeletonLines lines={12} label={t('new')} />
  const lane = laneOf(data)
  if (lane === null)
    return (
      <Nothing>
        <Notice tone="warn">{t('noStops', { number: data.number })}</Notice>
      </Nothing>
    )
  const first = firstValues(data, localToday())
  return (
    <RecurringForm
      key={data.id}
      one={null}
      order={data}
      lane={lane}
      first={first}
      draftKey={draftKey}
      unsaved={unsaved}
    />
  )
}

/** The screen where nothing can be made: why. */
function Nothing({ children }: { children: ReactNode }) {
  const { t } = useTranslation('recurring-order')
  return (
    <>
      <PageHead lead={<BackLink to="/recurring-orders" label={t('back')} />} title={t('new')} />
      {children}
    </>
  )
}

export function RecurringEditPage() {
  const { t } = useTranslation('recurring-order')
  const id = idIn((useParams({ strict: false }) as { id?: unknown }).id)
  const { data, error, refetch } = useQuery({
    queryKey: ['recurring-orders', id],
    queryFn: ({ signal }) => callApi(getRecurringOrder, { params: { id: id! }, signal }),
    refetchOnMount: 'always',
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data !== undefined && isMaking(state.data) ? MAKING_MS : false),
  })
  const draftKey = draftKeyOf({ path: 'recurring-orders' }, id ?? 'new')
  const unsaved = useUnsaved<ScheduleValues>(draftKey)
  if (error && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined || unsaved === undefined) return <SkeletonLines lines={12} label={t('one')} />
  return (
    <RecurringForm
      key={data.id}
      one={data}
      order={null}
      lane={data.lane}
      first={valuesOf(data)}
      draftKey={draftKey}
      unsaved={unsaved}
    />
  )
}
