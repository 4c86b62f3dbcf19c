import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { getMailDrafts } from '@waybill/contract/order/intake/mail-draft'
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
import { copyOf, emptyQuote, quoteOfDraft, valuesOf, type QuoteValues } from './quote-values.ts'

const quoteQuery = (id: number | null) => ({
  queryKey: ['quotes', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getQuote, { params: { id: id! }, signal }),
  enabled: id !== null,
})

const idIn = (value: unknown): number | null => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const mailDraftsQuery = (mailId: number | null) => ({
  queryKey: ['intake-mails', mailId, 'drafts', 'quote'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callApi(getMailDrafts, { params: { id: mailId! }, query: { as: 'order' as const }, signal }),
  enabled: mailId !== null,
  refetchOnWindowFocus: false,
  gcTime: 0,
})

/** What a new quote begins with, by the address. */
function useBeginning() {
  const search = useSearch({ strict: false }) as { copy?: unknown; mail?: unknown; draft?: unknown }
  const copied = idIn(search.copy)
  const mailId = copied === null ? idIn(search.mail) : null
  const position = Number(search.draft ?? 0)
  const quote = useQuery(quoteQuery(copied))
  const drafts = useQuery(mailDraftsQuery(mailId))
  return {
    copied,
    mail: mailId === null ? null : { id: mailId, position },
    draft: drafts.data?.drafts.find((one) => one.position === position),
    copy: quote.data,
    isAwaited: (copied !== null && quote.data === undefined) || (mailId !== null && drafts.data === undefined),
    error: quote.error ?? drafts.error,
    refetch: () => void Promise.all([copied !== null && quote.refetch(), mailId !== null && drafts.refetch()]),
  }
}

/**
 * A new quote, also one that copies another, `?copy=12`, or that a mail asks for: `?mail=7`, and `draft` says which of
 * its drafts.
 */
export function QuoteCreatePage() {
  const { t } = useTranslation('quote')
  const { copied, mail, draft, copy, isAwaited, error, refetch } = useBeginning()
  const path =
    copied !== null ? `quotes/copy/${copied}` : mail !== null ? `quotes/mail/${mail.id}/${mail.position}` : 'quotes'
  const draftKey = draftKeyOf({ path }, 'new')
  const unsaved = useUnsaved<QuoteValues>(draftKey)
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (unsaved === undefined || isAwaited) return <SkeletonLines lines={12} label={t('one')} />
  const profile = currentSession()?.profile
  const first = emptyQuote(localToday(), {
    departmentId: profile?.departmentId ?? null,
    caseWorkerId: profile?.id ?? null,
  })
  return (
    <QuoteForm
      key={path}
      quote={null}
      mail={draft === undefined ? null : mail}
      draftKey={draftKey}
      unsaved={unsaved}
      first={
        copy !== undefined
          ? { ...copyOf(copy, localToday()), caseWorkerId: first.caseWorkerId }
          : draft === undefined
            ? first
            : quoteOfDraft(draft, first)
      }
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
  return (
    <QuoteForm key={data.id} quote={data} mail={null} draftKey={draftKey} unsaved={unsaved} first={valuesOf(data)} />
  )
}
