import { Button } from '@mantine/core'
import { DISPOSITIONS, isCanceled, type OrderMove } from '@waybill/contract/order/status'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { TextAreaField } from '../../../ui/fields/field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { UserSelect } from '../../user/user-select.tsx'
import { InstantInput } from '../stops/instant-input.tsx'
import { isInstant, thisMinute } from '../values/instant-words.ts'
import classes from './bulk.module.css'
import type { ListedOrder } from './rows.ts'

type Disposition = (typeof DISPOSITIONS)[number]

/** What is done with each of several orders. */
export type BulkDeed = { kind: 'caseWorker' } | { kind: 'disposition' } | { kind: 'move'; move: OrderMove }

/** What was said for all of them. */
export interface BulkGiven {
  caseWorkerId?: number
  disposition?: Disposition | null
  reason?: string
  at?: string
}

/** An order that stayed as it was, and why. */
export interface Refused {
  order: ListedOrder
  why: string
}

interface OrderBulkModalProps {
  deed: BulkDeed
  /** How many orders it is for */
  count: number
  /** Chosen ones from where no step leads there */
  left: readonly ListedOrder[]
  /** Those that something keeps back, and what; null until that is known */
  blocked: readonly Refused[] | null
  /** How many are behind it, while it runs */
  done: number | null
  refused: readonly Refused[]
  onSubmit: (given: BulkGiven) => void
  onClose: () => void
}

/** Asks what is to be set, and says afterwards which orders stayed as they were, and why. */
export function OrderBulkModal({ deed, count, left, blocked, done, refused, onSubmit, onClose }: OrderBulkModalProps) {
  const { t } = useTranslation(['order-bulk', 'order-list', 'order-columns'])
  const fieldErrorText = useFieldErrorText()
  const [caseWorkerId, setCaseWorker] = useState<number | null>(null)
  const [disposition, setDisposition] = useState<Disposition | null>(null)
  const [reason, setReason] = useState('')
  const [at, setAt] = useState<string | null>(thisMinute)
  const [isTried, setTried] = useState(false)
  const move = deed.kind === 'move' ? deed.move : null
  const isCancel = move !== null && isCanceled(move.to)
  const asks = move?.asks ?? null
  const asksTime = asks !== null && asks !== 'podOrWaiver'
  const needsReason = move?.needsReason === true
  const isMissing = deed.kind === 'caseWorker' ? caseWorkerId === null : needsReason && reason.trim() === ''
  const error = isTried && isMissing ? fieldErrorText('required') : undefined
  const submit = () => {
    setTried(true)
    if (isMissing || (asksTime && at !== null && !isInstant(at)) || done !== null || count === 0 || blocked === null)
      return
    onSubmit({
      ...(caseWorkerId === null ? {} : { caseWorkerId }),
      ...(deed.kind === 'disposition' ? { disposition } : {}),
      ...(needsReason ? { reason: reason.trim() } : {}),
      ...(asksTime && at !== null ? { at } : {}),
    })
  }
  const status = move === null ? '' : t(`order-list:status.${move.to}`)
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={submit}
      title={
        move === null
          ? t(deed.kind === 'caseWorker' ? 'caseWorkerTitle' : 'dispositionTitle', { count })
          : isCancel
            ? t('cancelTitle', { count })
            : t('statusTitle', { count, status })
      }
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={onClose} disabled={done !== null}>
            {refused.length > 0 ? t('close') : isCancel ? t('keep', { count }) : t('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            color={move?.kind === 'out' ? 'red' : 'petrol'}
            loading={done !== null || blocked === null}
            disabled={count === 0}
          >
            {move === null
              ? t(deed.kind === 'caseWorker' ? 'setCaseWorker' : 'setDisposition')
              : isCancel
                ? t('cancelOrders', { count })
                : t('setStatus', { status })}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {deed.kind === 'disposition' ? (
          <SelectField
            label={t('disposition')}
            placeholder={t('noDisposition')}
            clearable
            data={DISPOSITIONS.map((value) => ({ value, label: t(`order-list:disposition.${value}`) }))}
            value={disposition}
            onChange={(value) => setDisposition(DISPOSITIONS.find((one) => one === value) ?? null)}
            data-autofocus
          />
        ) : null}
        {deed.kind === 'caseWorker' ? (
          <UserSelect
            label={t('order-columns:column.caseWorker')}
            isRequired
            value={caseWorkerId}
            error={error}
            onChange={setCaseWorker}
            data-autofocus
          />
        ) : null}
        {asksTime ? (
          <InstantInput
            label={t(`time.${asks}`)}
            hint={t('timeHint')}
            note={zoneHere()}
            value={at}
            onChange={setAt}
            zone={zoneHere()}
            error={isTried && at !== null && !isInstant(at) ? fieldErrorText('invalid_date') : undefined}
            isFirst
          />
        ) : null}
        {asks === 'podOrWaiver' ? <Notice>{t('needsPod')}</Notice> : null}
        {move?.kind === 'back' ? <Notice>{t('takenBack')}</Notice> : null}
        {needsReason ? (
          <TextAreaField
            label={t('reason')}
            isRequired
            value={reason}
            error={error}
            maxLength={2000}
            data-autofocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : null}
        {left.length === 0 ? null : (
          <Notice>
            {t('left', { count: left.length })}{' '}
            {left.map(({ id, number }, place) => (
              <Fragment key={id}>
                {place === 0 ? null : ', '}
                <span className={classes.number}>{number}</span>
              </Fragment>
            ))}
          </Notice>
        )}
        {blocked === null || blocked.length === 0 || refused.length > 0 ? null : (
          <Notice tone="warn">
            {t('blocked', { count: blocked.length })}
            <Reasons of={blocked} />
          </Notice>
        )}
        <div role="status" className={classes.running}>
          {blocked === null ? t('checking') : done === null ? null : t('running', { done: done + 1, count })}
        </div>
        {refused.length === 0 ? null : (
          <Notice tone="warn" isUrgent>
            {t('refused', { count: refused.length })}
            <Reasons of={refused} />
          </Notice>
        )}
      </div>
    </ModalFrame>
  )
}

/** Stops may lie in several zones: the time is the one on the person's own clock. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const Reasons = ({ of }: { of: readonly Refused[] }) => (
  <ul className={classes.refused}>
    {of.map(({ order, why }) => (
      <li key={order.id}>
        <b>{order.number}</b> <span>{why}</span>
      </li>
    ))}
  </ul>
)
