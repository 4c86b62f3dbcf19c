import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  confirmPaymentFile,
  getPaymentFile,
  mayConfirmRun,
  mayReturnPayment,
  mayTakeReturnBack,
  mayVoidRun,
  returnPayment,
  takeReturnBack,
  voidPaymentFile,
  type Payment,
  type PaymentFile,
} from '@waybill/contract/payment-file/payment-file'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { ReasonWindow } from '../../kit/form/page/reason-window.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { downloadRun, shortHash } from './download-run.ts'
import classes from './payment-file.module.css'
import { RunBadge } from './run-badge.tsx'

type Asked = { kind: 'confirm' } | { kind: 'void' } | { kind: 'return' | 'takeBack'; payment: Payment }

/** One run: its file, its payments, and what can still be done with it. */
export function RunPanel({ id, onStep }: { id: number; onStep: (by: 1 | -1) => void }) {
  const { t } = useTranslation(['payment-file', 'common'])
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const {
    data: run,
    error,
    refetch,
  } = useQuery({
    queryKey: ['payment-files', 'one', id],
    queryFn: ({ signal }) => callApi(getPaymentFile, { params: { id }, signal }),
  })
  const [asked, setAsked] = useState<Asked | null>(null)
  const refuse = (fault: unknown) =>
    notify({
      tone: 'danger',
      title: t('payment-file:panel.refused'),
      detail: refusalWords(fault).join('. '),
      closeLabel: t('common:close'),
    })
  const act = useMutation({
    mutationFn: ({ of, what, reason }: { of: PaymentFile; what: Asked; reason: string }) => {
      const call = { params: { id }, version: of.version }
      if (what.kind === 'confirm') return callApi(confirmPaymentFile, call)
      if (what.kind === 'void') return callApi(voidPaymentFile, { ...call, body: { reason } })
      const body = { reason, invoiceId: what.payment.invoices[0]!.id }
      return callApi(what.kind === 'return' ? returnPayment : takeReturnBack, { ...call, body })
    },
    onSuccess: (changed) => client.setQueryData(['payment-files', 'one', id], changed),
    onSettled: () => void client.invalidateQueries({ queryKey: ['payment-files'] }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (run === undefined)
    return (
      <aside className={classes.aside}>
        <SkeletonLines lines={12} label={t('payment-file:list.title')} />
      </aside>
    )
  const confirm = () =>
    asked !== null &&
    act.mutate({ of: run, what: asked, reason: '' }, { onError: refuse, onSettled: () => setAsked(null) })
  return (
    <aside className={classes.aside} data-panel aria-label={t('payment-file:panel.title', { number: run.number })}>
      <header className={classes.panelHead}>
        <h2>{t('payment-file:panel.title', { number: run.number })}</h2>
        <RunBadge run={run} />
        <span className={classes.grow} />
        <IconButton icon="arrowUp" label={t('payment-file:list.previous')} onClick={() => onStep(-1)} />
        <IconButton icon="arrowDown" label={t('payment-file:list.next')} onClick={() => onStep(1)} />
      </header>
      <RunFacts run={run} onDownload={() => downloadRun(run.id).catch(refuse)} />
      <Payments run={run} onAsk={setAsked} />
      <RunFoot run={run} onAsk={setAsked} />
      <ConfirmModal
        isOpen={asked?.kind === 'confirm'}
        title={t('payment-file:confirm.title', { number: run.number })}
        tone="primary"
        confirmLabel={t('payment-file:confirm.do')}
        cancelLabel={t('payment-file:cancel')}
        closeLabel={t('common:close')}
        isBusy={act.isPending}
        onConfirm={confirm}
        onCancel={() => setAsked(null)}
      >
        {t('payment-file:confirm.text')}
      </ConfirmModal>
      {asked === null || asked.kind === 'confirm' ? null : (
        <ReasonOf
          run={run}
          asked={asked}
          onGive={(reason) => act.mutateAsync({ of: run, what: asked, reason })}
          onClose={() => setAsked(null)}
        />
      )}
    </aside>
  )
}

interface ReasonOfProps {
  run: PaymentFile
  asked: Exclude<Asked, { kind: 'confirm' }>
  onGive: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Why a file is given up, a payment has come back, or did not: of each one its own words. */
function ReasonOf({ run, asked, onGive, onClose }: ReasonOfProps) {
  const { t } = useTranslation('payment-file')
  const { kind } = asked
  return (
    <ReasonWindow
      of={{ path: `payment-files/${kind}`, id: asked.kind === 'void' ? run.id : asked.payment.id }}
      title={
        asked.kind === 'void'
          ? t('void.title', { number: run.number })
          : t(`${asked.kind}.title`, { name: asked.payment.carrierCompany.title })
      }
      doLabel={t(`${kind}.do`)}
      onGive={onGive}
      onClose={onClose}
    >
      <p>{t(`${kind}.text`)}</p>
    </ReasonWindow>
  )
}

function RunFacts({ run, onDownload }: { run: PaymentFile; onDownload: () => void }) {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  const by = (at: string | null, who: PaymentFile['createdBy']) =>
    at === null ? null : [format.dateTime(at), who?.title].filter(Boolean).join(', ')
  return (
    <dl className={classes.facts}>
      <dt>{t('fact.file')}</dt>
      <dd>
        {run.deletedAt === null ? (
          <button type="button" className={classes.open} onClick={onDownload}>
            {run.fileName}
          </button>
        ) : (
          <>
            {run.fileName} <span className={classes.dim}>{t('fact.deleted', { date: format.day(run.deletedAt) })}</span>
          </>
        )}
      </dd>
      <dt>{t('fact.hash')}</dt>
      <dd className={classes.mono} title={run.sha256}>
        {shortHash(run.sha256)}
      </dd>
      <dt>{t('fact.made')}</dt>
      <dd>{by(run.createdAt, run.createdBy)}</dd>
      <dt>{t('fact.payOn')}</dt>
      <dd>{format.weekdayDate(run.executionDate)}</dd>
      <dt>{t('fact.from')}</dt>
      <dd>
        {run.debtor.title}, {run.debtor.countryCode} … {run.debtor.ibanTail}
      </dd>
      {run.confirmedAt === null ? null : (
        <>
          <dt>{t('fact.confirmed')}</dt>
          <dd>{by(run.confirmedAt, run.confirmedBy)}</dd>
        </>
      )}
      {run.voidedAt === null ? null : (
        <>
          <dt>{t('fact.voided')}</dt>
          <dd>
            {by(run.voidedAt, run.voidedBy)}: {run.voidReason}
          </dd>
        </>
      )}
    </dl>
  )
}

function Payments({ run, onAsk }: { run: PaymentFile; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  return (
    <div className={classes.payments}>
      <table className={classes.sums}>
        <thead>
          <tr>
            <th scope="col">{t('column.paymentTo')}</th>
            <th scope="col">{t('column.invoicesShort')}</th>
            <th scope="col">€</th>
            <th scope="col" aria-label={t('return.do')} />
          </tr>
        </thead>
        <tbody>
          {run.payments.map((payment) => (
            <tr key={payment.id} data-returned={payment.returnedAt === null ? undefined : true}>
              <th scope="row">
                {payment.carrierCompany.title}
                <span className={classes.dim}>
                  {payment.invoices.map(({ id, title }, index) => (
                    <span key={id}>
                      {index === 0 ? '' : ', '}
                      <Link to="/invoices/$id/edit" params={{ id: String(id) }}>
                        {title}
                      </Link>
                    </span>
                  ))}
                </span>
                {payment.returnedAt === null ? null : (
                  <span className={classes.late}>
                    {t('return.was', { date: format.dayShort(payment.returnedAt), reason: payment.returnReason })}
                  </span>
                )}
              </th>
              <td className={classes.dim}>{payment.invoices.length}</td>
              <td data-money>{format.money(payment.amountCents)}</td>
              <td>
                <PaymentButton run={run} payment={payment} onAsk={onAsk} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('panel.invoices', { count: run.invoiceCount })}</th>
            <td />
            <td>{format.money(run.totalCents)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** A payment came back; or it was said so by mistake. */
function PaymentButton({ run, payment, onAsk }: { run: PaymentFile; payment: Payment; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation('payment-file')
  const name = payment.carrierCompany.title
  if (payment.returnedAt === null)
    return mayReturnPayment(run.status) ? (
      <IconButton icon="undo" label={t('return.of', { name })} onClick={() => onAsk({ kind: 'return', payment })} />
    ) : null
  return mayTakeReturnBack(run.status) ? (
    <IconButton icon="redo" label={t('takeBack.of', { name })} onClick={() => onAsk({ kind: 'takeBack', payment })} />
  ) : null
}

function RunFoot({ run, onAsk }: { run: PaymentFile; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation('payment-file')
  if (!mayConfirmRun(run.status) && !mayVoidRun(run.status)) return null
  const returned = run.payments.filter(({ returnedAt }) => returnedAt !== null).flatMap(({ invoices }) => invoices)
  return (
    <footer className={classes.panelFoot}>
      <p>
        {t('panel.willBePaid', { count: run.invoiceCount - returned.length })}{' '}
        {returned.length === 0 ? null : t('panel.goBack', { count: returned.length })}
      </p>
      {run.needsSecondPerson ? <p className={classes.late}>{t('panel.secondPerson')}</p> : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onAsk({ kind: 'void' })}>
          {t('void.do')}
        </Button>
        <span className={classes.grow} />
        <Button
          variant="filled"
          disabled={run.needsSecondPerson}
          title={run.needsSecondPerson ? t('panel.secondPerson') : undefined}
          onClick={() => onAsk({ kind: 'confirm' })}
        >
          {t('confirm.do')}
        </Button>
      </div>
    </footer>
  )
}
