import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { getQuote } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { draftKeyOf } from '../../kit/form/state/use-form-record.ts'
import { useUnsaved } from '../../kit/form/state/use-kept-typing.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { currentSession } from '../../kit/session/session.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { QuoteForm } from './quote-form.tsx'
import { copyOf, emptyQuote, valuesOf, type QuoteValues } from './quote-values.ts'

const quoteQuery = (id: number | null) => ({
  queryKey: ['quotes', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getQuote, { params: { id: id! }, signal }),
  enabled: id !== null,
})

const idIn = (value: unknown): number | null => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** A new quote, also one that copies another; `?copy=12` names it. */
export function QuoteCreatePage() {
  const { t } = useTranslation('quote')
  const copied = idIn((useSearch({ strict: false }) as { copy?: unknown }).copy)
  const { data, error, refetch } = useQuery(quoteQuery(copied))
  const draftKey = draftKeyOf({ path: copied === null ? 'quotes' : `quotes/copy/${copied}` }, 'new')
  const unsaved = useUnsaved<QuoteValues>(draftKey)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (unsaved === undefined || (copied !== null && data === undefined))
    return <SkeletonLines lines={12} label={t('one')} />
  const profile = currentSession()?.profile
  const first = emptyQuote(localToday(), {
    departmentId: profile?.departmentId ?? null,
    caseWorkerId: profile?.id ?? null,
  })
  return (
    <QuoteForm
      key={copied}
      quote={null}
      draftKey={draftKey}
      unsaved={unsaved}
      first={data === undefined ? first : { ...copyOf(data, localToday()), caseWorkerId: first.caseWorkerId }}
    />
  )
}

export function QuoteEditPage() {
  const { t } = useTranslation('quote')
  const id = idIn((useParams({ strict: false }) as { id?: unknown }).id)
  const { data, error, refetch } = useQuery({ ...quoteQuery(id), refetchOnMount: 'always', gcTime: 0 })
  const draftKey = draftKeyOf({ path: 'quotes' }, id ?? 'new')
  const unsaved = useUnsaved<QuoteValues>(draftKey)
  if (error && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined || unsaved === undefined) return <SkeletonLines lines={12} label={t('one')} />
  return <QuoteForm key={data.id} quote={data} draftKey={draftKey} unsaved={unsaved} first={valuesOf(data)} />
}
