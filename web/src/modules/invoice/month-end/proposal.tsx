import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { startInvoiceRun, type MonthEnd, type MonthEndCustomer } from '@waybill/contract/invoice/month-end/month-end'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { Light } from '../../../ui/marks/light.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { EmptyState, Notice } from '../../../ui/notices/notice.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { CustomerOrders } from './customer-orders.tsx'
import classes from './month-end.module.css'
import type { Choice } from './use-choice.ts'
import { useHindered } from './use-hindered.ts'
import type { Asked } from './use-month-end.ts'

interface ProposalProps {
  asked: Asked | null
  monthEnd: MonthEnd | undefined
  isBusy: boolean
  choice: Choice
  customerId: number | null
  isPaper: boolean
  onCustomer: (id: number | null) => void
  onPaper: (isPaper: boolean) => void
  onCompany: (id: number) => void
  onStarted: (runId: number) => void
}

/** Everybody who would be billed, with what is ready ticked, and beside it what one of them gets. */
export function Proposal({
  asked,
  monthEnd,
  isBusy,
  choice,
  customerId,
  isPaper,
  onCustomer,
  onPaper,
  onCompany,
  onStarted,
}: ProposalProps) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const client = useQueryClient()
  const customers = monthEnd?.items ?? []
  const current = customers.find(({ customer }) => customer.id === customerId) ?? customers[0]
  const chosen = customers.flatMap((one) => choice.chosen(one) ?? [])
  const sum = chosen.reduce((cents, { netCents }) => cents + netCents, 0)
  const orderCount = chosen.reduce((count, { orderIds }) => count + orderIds.length, 0)
  const blockedCount = customers.reduce((count, one) => count + one.blockedCount, 0)
  const hindered = useHindered(asked, customers)
  const hinderedCount = chosen.filter((one) => hindered?.has(one.customerId)).length
  const [isAsking, setAsking] = useState(false)
  const keyOf = useIntention()
  const start = useMutation({
    mutationFn: () => {
      const body = { companyId: asked!.companyId, until: asked!.until, customers: chosen }
      return callApi(startInvoiceRun, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (run) => {
      client.setQueryData(['month-end', 'run', run.id], run)
      onStarted(run.id)
    },
    onError: () => client.invalidateQueries({ queryKey: ['month-end'] }),
    onSettled: () => setAsking(false),
  })
  const step = (by: 1 | -1) => {
    const next = current && customers[customers.indexOf(current) + by]
    if (next) onCustomer(next.customer.id)
  }
  const tick = ({ customer, readyCount }: MonthEndCustomer) => {
    if (readyCount > 0) choice.setOff([customer.id], !choice.isOff(customer.id))
  }
  useShortcut({ key: 'j', label: t('keys.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('keys.previous'), run: () => step(-1) })
  useShortcut({ key: ' ', label: t('keys.tick'), run: () => tick(current!) }, current !== undefined)
  useShortcut({ key: 'v', label: t('keys.paper'), run: () => onPaper(!isPaper) }, current !== undefined)
  useShortcut({ key: 'Enter', mod: true, label: t('send.title'), run: () => setAsking(true) }, chosen.length > 0)

  const sendable = customers.filter(({ readyCount }) => readyCount > 0)
  const areAllOn = sendable.every(({ customer }) => !choice.isOff(customer.id))
  if (monthEnd === undefined) return <SkeletonLines lines={12} label={t('loading')} />
  if (customers.length === 0)
    return (
      <EmptyState icon="inbox" title={t('empty.title')}>
        {t(asked?.all ? 'empty.all' : 'empty.text')}
      </EmptyState>
    )
  return (
    <>
      {start.error === null ? null : (
        <div className={classes.notice}>
          <Notice tone="danger" isUrgent>
            {t('send.refused')}: {[...new Set(refusalWords(start.error))].join('. ')}
          </Notice>
        </div>
      )}
      <div className={classes.columns} aria-busy={isBusy}>
        <section className={classes.list} aria-label={t('customers')}>
          <div className={classes.listHead}>
            <input
              type="checkbox"
              aria-label={t('tickAll')}
              checked={areAllOn}
              onChange={() =>
                choice.setOff(
                  sendable.map(({ customer }) => customer.id),
                  areAllOn,
                )
              }
            />
            <span>{t('column.customer')}</span>
            <span>{t('column.ready')}</span>
            <span data-end>{t('column.net')}</span>
          </div>
          <ul className={classes.rows}>
            {customers.map((one) => (
              <CustomerRow
                key={one.customer.id}
                row={one}
                isCurrent={one === current}
                netCents={choice.chosen(one)?.netCents ?? null}
                isOn={!choice.isOff(one.customer.id)}
                isHindered={hindered?.has(one.customer.id) ?? false}
                onTick={() => tick(one)}
                onOpen={() => onCustomer(one.customer.id)}
              />
            ))}
          </ul>
        </section>
        {current === undefined || asked === null ? null : (
          <CustomerOrders
            key={current.customer.id}
            asked={asked}
            customer={current}
            choice={choice}
            isPaper={isPaper}
            onPaper={onPaper}
            onCompany={onCompany}
            onClose={() => onCustomer(null)}
          />
        )}
      </div>
      <footer className={classes.foot}>
        <b>{t('foot.customers', { count: chosen.length, of: customers.length })}</b>
        <span className={classes.dim}>
          {t('foot.orders', { count: orderCount })}
          {blockedCount === 0 ? null : `, ${t('foot.blocked', { count: blockedCount })}`}
        </span>
        {hinderedCount === 0 ? null : (
          <span className={classes.bad}>{t('foot.hindered', { count: hinderedCount })}</span>
        )}
        <span className={classes.grow} />
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('keys.customer')} <KeyHint>{t('keys.space')}</KeyHint>{' '}
          {t('keys.tickShort')} <KeyHint>V</KeyHint> {t('keys.paperShort')}
        </span>
        <span className={classes.sum}>{format.euro(sum)}</span>
        <Button
          variant="filled"
          className={classes.go}
          disabled={chosen.length === 0}
          title={chosen.length === 0 ? t('send.nothing') : undefined}
          onClick={() => setAsking(true)}
        >
          {t('send.count', { count: chosen.length })}
        </Button>
      </footer>
      <ConfirmModal
        isOpen={isAsking}
        tone="primary"
        title={t('send.ask', { count: chosen.length })}
        confirmLabel={t('send.do')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={start.isPending}
        onConfirm={() => start.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t('send.means', { sum: format.euro(sum) })}
        {hinderedCount === 0 ? null : ` ${t('send.hindered', { count: hinderedCount })}`}
      </ConfirmModal>
    </>
  )
}

interface CustomerRowProps {
  row: MonthEndCustomer
  isCurrent: boolean
  isOn: boolean
  /** its invoices would not be sent as they are */
  isHindered: boolean
  /** of what is sent; null: nothing is */
  netCents: number | null
  onTick: () => void
  onOpen: () => void
}

function CustomerRow({
  row: { customer, readyCount, blockedCount },
  isCurrent,
  isOn,
  isHindered,
  netCents,
  onTick,
  onOpen,
}: CustomerRowProps) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const state = readyCount === 0 ? 'none' : blockedCount > 0 ? 'some' : 'all'
  return (
    <li className={classes.row} data-current={isCurrent || undefined} data-state={state}>
      <input
        type="checkbox"
        aria-label={t('tick', { name: customer.title })}
        checked={isOn && readyCount > 0}
        disabled={readyCount === 0}
        onChange={onTick}
      />
      <button type="button" className={classes.open} aria-current={isCurrent || undefined} onClick={onOpen}>
        <span className={classes.name}>
          {isHindered ? (
            <>
              <Light level="stop" label={t('hinders')} />{' '}
            </>
          ) : null}
          {customer.title}
        </span>
        <span className={classes.ready}>{t('readyOf', { ready: readyCount, all: readyCount + blockedCount })}</span>
        <span className={classes.amount}>{netCents === null ? '–' : format.money(netCents)}</span>
      </button>
    </li>
  )
}
