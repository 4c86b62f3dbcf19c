import { Button } from '@mantine/core'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  isHindered,
  MOST_HINDERED_ASKED,
  startInvoiceRun,
  type InvoiceRun,
  type MonthEndCustomer,
  type MonthEndProposal,
} from '@waybill/contract/invoice/month-end/month-end'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Light } from '../../../ui/marks/light.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from './month-end.module.css'
import { customerQuery, monthEndQuery, type Asked } from './use-month-end.ts'

interface RunAgainProps {
  run: InvoiceRun
  /** of the run, who got no invoice */
  customers: readonly number[]
  onStarted: (runId: number) => void
}

/** Sends once more what a run did not send, after a window has said what that would be now. */
export function RunAgain({ run, customers, onStarted }: RunAgainProps) {
  const { t } = useTranslation('month-end')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button className={classes.go} variant="filled" onClick={() => setOpen(true)}>
        {t('tryAgain.count', { count: customers.length })}
      </Button>
      {isOpen ? (
        <AgainWindow run={run} customers={customers} onStarted={onStarted} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

const NOTHING: readonly number[] = []

function AgainWindow({ run, customers, onStarted, onClose }: RunAgainProps & { onClose: () => void }) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const client = useQueryClient()
  const asked: Asked = { companyId: run.company.id, until: run.until, all: true }
  const monthEnd = useQuery({ ...monthEndQuery(asked), refetchOnMount: 'always', placeholderData: undefined })
  const ready = (monthEnd.data?.items ?? []).filter(
    ({ customer, readyCount }) => customers.includes(customer.id) && readyCount > 0,
  )
  // Each is worked out as an invoice is; who has more looks at them in the proposal.
  const shown = ready.slice(0, MOST_HINDERED_ASKED)
  const proposals = useQueries({
    queries: shown.map(({ customer }) => ({
      ...customerQuery(asked, customer.id, NOTHING),
      refetchOnMount: 'always' as const,
      placeholderData: undefined,
    })),
  })
  const error = monthEnd.error ?? proposals.find((one) => one.error !== null)?.error ?? null
  const isAsking = monthEnd.isFetching || proposals.some(({ isFetching }) => isFetching)
  const rows = shown.map((row, index) => ({ row, hindrance: hindranceOf(proposals[index]?.data) }))
  const sent = rows.flatMap(({ row, hindrance }) => (hindrance === null ? row : []))
  const sum = sent.reduce((cents, { netCents }) => cents + netCents, 0)
  const keyOf = useIntention()
  const start = useMutation({
    mutationFn: () => {
      const chosen = sent.map(({ customer, orderIds, netCents }) => ({ customerId: customer.id, orderIds, netCents }))
      const body = { companyId: asked.companyId, until: asked.until, customers: chosen }
      return callApi(startInvoiceRun, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (next) => {
      client.setQueryData(['month-end', 'run', next.id], next)
      onClose()
      onStarted(next.id)
    },
    onError: () => client.invalidateQueries({ queryKey: ['month-end'] }),
  })
  const isReady = !isAsking && error === null
  const gone = customers.length - ready.length
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={
        !isReady
          ? t('tryAgain.count', { count: customers.length })
          : sent.length === 0
            ? t('tryAgain.none')
            : t('tryAgain.ask', { count: sent.length })
      }
      closeLabel={t('close')}
      onSubmit={() => {
        if (isReady && sent.length > 0 && !start.isPending) start.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="filled" disabled={!isReady || sent.length === 0} loading={start.isPending}>
            {t('send.do')}
          </Button>
        </>
      }
    >
      {error !== null ? (
        <LoadError
          error={error}
          onRetry={() => {
            void monthEnd.refetch()
            for (const one of proposals) if (one.error !== null) void one.refetch()
          }}
        />
      ) : isAsking ? (
        <SkeletonLines lines={Math.min(customers.length + 1, 6)} label={t('loading')} />
      ) : (
        <>
          {start.error === null ? null : (
            <Notice tone="danger" isUrgent>
              {t('send.refused')}: {[...new Set(refusalWords(start.error))].join('. ')}
            </Notice>
          )}
          {sent.length === 0 ? null : <p>{t('send.means', { sum: format.euro(sum) })}</p>}
          <ul className={classes.againList}>
            {rows.map(({ row, hindrance }) => (
              <AgainRow key={row.customer.id} row={row} hindrance={hindrance} before={netBefore(run, row)} />
            ))}
          </ul>
          {gone === 0 ? null : <p className={classes.dim}>{t('tryAgain.gone', { count: gone })}</p>}
          {ready.length === shown.length ? null : (
            <p className={classes.dim}>{t('tryAgain.more', { count: ready.length - shown.length })}</p>
          )}
        </>
      )}
    </ModalFrame>
  )
}

type Hindrance = { kind: 'noReceiver' } | { kind: 'rateMissing'; date: string } | { kind: 'finding'; message: string }

/** The first thing that would keep the invoices of a customer back once more; null where nothing is known. */
function hindranceOf(proposal: MonthEndProposal | undefined): Hindrance | null {
  if (proposal === undefined || !isHindered(proposal)) return null
  const finding = proposal.invoices.flatMap(({ findings }) => findings)[0]
  if (finding !== undefined) return { kind: 'finding', message: finding.message }
  const date = proposal.invoices.flatMap(({ rateMissing }) => rateMissing ?? [])[0]
  if (date !== undefined) return { kind: 'rateMissing', date }
  return { kind: 'noReceiver' }
}

/** What the run would have billed of a customer. */
const netBefore = ({ items }: InvoiceRun, { customer }: MonthEndCustomer): number =>
  items.reduce(
    (cents, item) => (item.customer.id === customer.id && item.invoice === null ? cents + item.netCents : cents),
    0,
  )

interface AgainRowProps {
  row: MonthEndCustomer
  hindrance: Hindrance | null
  before: number
}

function AgainRow({ row: { customer, readyCount, netCents }, hindrance, before }: AgainRowProps) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const words = hindrance === null ? t('tryAgain.sent') : t('tryAgain.hindered')
  return (
    <li>
      <Light level={hindrance === null ? 'ok' : 'stop'} label={words} />
      <span className={classes.againText}>
        {customer.title}
        <span className={classes.dim}>
          {t('result.of', { count: readyCount })}
          {netCents === before ? null : `, ${t('tryAgain.before', { sum: format.euro(before) })}`}
        </span>
        {hindrance === null ? null : (
          <span className={classes.bad} data-wraps>
            {words}:{' '}
            {hindrance.kind === 'finding'
              ? hindrance.message
              : hindrance.kind === 'noReceiver'
                ? t('noReceiver')
                : t('tryAgain.noRate', { date: format.date(hindrance.date) })}
          </span>
        )}
      </span>
      <span className={classes.amount}>{format.euro(netCents)}</span>
    </li>
  )
}
