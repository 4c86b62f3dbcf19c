import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  isDoneRunItem,
  isRunOver,
  stopInvoiceRun,
  type InvoiceRun,
  type RunInvoice,
  type RunItemStatus,
} from '@waybill/contract/invoice/month-end/month-end'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Light, type LightLevel } from '../../../ui/marks/light.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { MendLink } from './mend-link.tsx'
import classes from './month-end.module.css'
import { RunAgain } from './run-again.tsx'
import { runQuery } from './use-month-end.ts'

const LEVELS: Readonly<Record<ReturnType<typeof standing>, LightLevel>> = {
  waiting: 'open',
  sending: 'running',
  sent: 'ok',
  failed: 'stop',
  stopped: 'open',
  awaited: 'look',
  undecided: 'running',
  rejected: 'stop',
}

/** What is sent may still wait for KSeF, or have been rejected there. */
const standing = ({ status, ksef }: RunInvoice) => (isDoneRunItem(status) && ksef !== null ? ksef.state : status)

interface RunProps {
  id: number
  /** the invoice of the run that the address names */
  itemId: number | null
  onItem: (id: number | null) => void
  /** back to what is proposed; with customers, these alone are ticked */
  onLeave: (again: readonly number[]) => void
  onStarted: (runId: number) => void
}

/** A run while it is sent, and what came of it: customer by customer a number, or why not. */
export function Run({ id, itemId, onItem, onLeave, onStarted }: RunProps) {
  const { t } = useTranslation('month-end')
  const { data: run, error, refetch } = useQuery(runQuery(id))
  const items = run?.items ?? []
  const current =
    items.find((one) => one.id === itemId) ?? items.find((item) => LEVELS[standing(item)] === 'stop') ?? items[0]
  const step = (by: 1 | -1) => {
    const next = current && items[items.indexOf(current) + by]
    if (next) onItem(next.id)
  }
  useShortcut({ key: 'j', label: t('keys.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('keys.previous'), run: () => step(-1) })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (run === undefined) return <SkeletonLines lines={12} label={t('loading')} />
  return (
    <>
      <div className={classes.columns}>
        <section className={classes.list} data-run aria-label={t('customers')}>
          <div className={classes.listHead}>
            <span />
            <span>{t('column.customer')}</span>
            <span>{t('column.invoice')}</span>
            <span data-end>{t('column.net')}</span>
          </div>
          <ul className={classes.rows}>
            {items.map((item) => (
              <RunRow key={item.id} item={item} isCurrent={item === current} onOpen={() => onItem(item.id)} />
            ))}
          </ul>
        </section>
        {current === undefined ? null : (
          <Result item={current} companyId={run.company.id} onClose={() => onItem(null)} />
        )}
      </div>
      {isRunOver(run.status) ? <Done run={run} onLeave={onLeave} onStarted={onStarted} /> : <Sending run={run} />}
    </>
  )
}

function RunRow({ item, isCurrent, onOpen }: { item: RunInvoice; isCurrent: boolean; onOpen: () => void }) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const words = t(`status.${standing(item)}`)
  return (
    <li className={classes.row} data-current={isCurrent || undefined} data-status={item.status}>
      <Light level={LEVELS[standing(item)]} label={words} />
      <button type="button" className={classes.open} aria-current={isCurrent || undefined} onClick={onOpen}>
        <span className={classes.name}>{item.customer.title}</span>
        <span className={classes.ready}>{item.ksef === null ? (item.invoice?.title ?? words) : words}</span>
        <span className={classes.amount}>{format.money(item.netCents)}</span>
      </button>
    </li>
  )
}

function Result({ item, companyId, onClose }: { item: RunInvoice; companyId: number; onClose: () => void }) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const { customer, status, invoice, fault, ksef } = item
  return (
    <section className={classes.detail} aria-label={customer.title}>
      <header className={classes.detailHead}>
        <span className={classes.onPhone}>
          <IconButton icon="chevronLeft" label={t('back')} onClick={onClose} />
        </span>
        <Light level={LEVELS[standing(item)]} label={t(`status.${standing(item)}`)} />
        <h2>{customer.title}</h2>
      </header>
      <div className={classes.result}>
        <p>
          {t('result.of', { count: item.orderCount })}, <b>{format.euro(item.netCents)}</b>
        </p>
        {invoice === null ? (
          <p>{t(`result.${status}`)}</p>
        ) : (
          <p>
            <Link to="/invoices/$id/edit" params={{ id: String(invoice.id) }}>
              {t('result.open', { number: invoice.title })}
            </Link>
          </p>
        )}
        {ksef === null ? null : (
          <div className={ksef.state === 'rejected' ? classes.faults : undefined}>
            <p>{t(`ksef.${ksef.state}`)}</p>
            {ksef.reason === null ? null : <p>{ksef.reason}</p>}
          </div>
        )}
        {fault === null ? null : (
          <div className={classes.faults} role="alert">
            {fault.fields.length === 0 ? <p>{fault.message}</p> : null}
            {fault.fields.map(({ path, message }) => (
              <p key={`${path} ${message}`}>
                {message} <MendLink path={path} customerId={customer.id} companyId={companyId} />
              </p>
            ))}
            <p className={classes.dim}>{t('result.noNumber')}</p>
          </div>
        )}
      </div>
    </section>
  )
}

const countOf = ({ items }: InvoiceRun, ...statuses: RunItemStatus[]): number =>
  items.filter(({ status }) => statuses.includes(status)).length

const isOut = (item: RunInvoice): boolean => standing(item) === 'sent' || standing(item) === 'awaited'

/** What of a run waits for KSeF, and what KSeF has rejected. */
function AtKsef({ items }: Pick<InvoiceRun, 'items'>) {
  const { t } = useTranslation('month-end')
  const count = (state: string) => items.filter((item) => standing(item) === state).length
  const [undecided, rejected] = [count('undecided'), count('rejected')]
  return (
    <>
      {undecided === 0 ? null : <span className={classes.dim}>{t('foot.undecided', { count: undecided })}</span>}
      {rejected === 0 ? null : <span className={classes.bad}>{t('foot.rejected', { count: rejected })}</span>}
    </>
  )
}

function Sending({ run }: { run: InvoiceRun }) {
  const { t } = useTranslation('month-end')
  const errorText = useErrorText()
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => callApi(stopInvoiceRun, { params: { id: run.id } }),
    onSuccess: (next) => client.setQueryData(['month-end', 'run', run.id], next),
    onError: (fault) =>
      notify({ tone: 'danger', title: t('notStopped'), detail: errorText(fault), closeLabel: t('close') }),
  })
  const done = countOf(run, 'sent', 'failed')
  const failed = countOf(run, 'failed')
  return (
    <footer className={classes.foot} role="status">
      <b>{t('foot.done', { done, of: run.items.length })}</b>
      <progress className={classes.progress} value={done} max={run.items.length} aria-label={t('status.sending')} />
      {failed === 0 ? null : <span className={classes.bad}>{t('foot.failed', { count: failed })}</span>}
      <AtKsef items={run.items} />
      <span className={classes.keys}>{t('foot.leave')}</span>
      <Button
        className={classes.go}
        variant="default"
        disabled={run.status === 'stopping'}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      >
        {t(run.status === 'stopping' ? 'stopping' : 'stop')}
      </Button>
    </footer>
  )
}

function Done({ run, onLeave, onStarted }: { run: InvoiceRun } & Pick<RunProps, 'onLeave' | 'onStarted'>) {
  const { t } = useTranslation('month-end')
  const failed = countOf(run, 'failed')
  const left = countOf(run, 'stopped')
  const numbers = run.items.flatMap((item) => (isOut(item) ? (item.invoice?.title ?? []) : []))
  const again = [...new Set(run.items.flatMap(({ customer, invoice }) => (invoice === null ? customer.id : [])))]
  return (
    <footer className={classes.foot} role="status">
      <b>{t('foot.sent', { count: numbers.length })}</b>
      {failed === 0 ? null : <span className={classes.bad}>{t('foot.failed', { count: failed })}</span>}
      {left === 0 ? null : <span className={classes.dim}>{t('foot.stopped', { count: left })}</span>}
      <AtKsef items={run.items} />
      <span className={classes.grow} />
      {numbers.length < 2 ? null : (
        <span className={classes.keys}>{t('foot.numbers', { first: numbers[0], last: numbers.at(-1) })}</span>
      )}
      <Button className={classes.go} variant="default" onClick={() => onLeave([])}>
        {t('toProposal')}
      </Button>
      {again.length === 0 ? null : (
        <>
          <Button className={classes.go} variant="default" onClick={() => onLeave(again)}>
            {t('again', { count: again.length })}
          </Button>
          <RunAgain run={run} customers={again} onStarted={onStarted} />
        </>
      )}
    </footer>
  )
}
