import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listWaitingExtras, type WaitingExtra } from '@waybill/contract/invoice/waiting-extras'
import { decideExtra, type ExtraKind, type ExtraState, type ExtraUnit } from '@waybill/contract/order/extra'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { SectionError } from '../../../kit/api/section-error.tsx'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { Section } from '../../../ui/page/section.tsx'
import classes from './waiting-extras.module.css'

interface WaitingExtrasProps {
  invoiceId: number
  side: 'customer' | 'carrier'
  /** extras that the invoice bills already, though it may not be saved yet */
  billedIds?: readonly number[]
  /** null: lines cannot be added */
  onBill?: ((extra: WaitingExtra) => void) | null
  /** what this carrier is owed may be another sum now */
  onDecided?: () => void
}

const NONE: readonly number[] = []

/** Extras of the invoice's orders that wait to be decided or billed; nothing where there are none. */
export function WaitingExtras({ invoiceId, side, billedIds = NONE, onBill = null, onDecided }: WaitingExtrasProps) {
  const { t } = useTranslation('invoice-extras')
  const client = useQueryClient()
  const queryKey = ['invoices', invoiceId, 'extras']
  const refresh = () => client.invalidateQueries({ queryKey })
  useLiveChanges('order', () => void refresh())
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(listWaitingExtras, { params: { id: invoiceId }, signal }),
    meta: { showsRefusals: true },
  })
  if (error && data === undefined)
    return <SectionError title={t('title')} error={error} onRetry={() => void refetch()} />
  const shown = (data?.items ?? []).filter(({ id, isOpen }) => isOpen || (onBill !== null && !billedIds.includes(id)))
  if (shown.length === 0) return null
  return (
    <Section title={t('title')} summary={t('means')} isFlush>
      <ul className={classes.list}>
        {shown.map((extra) => (
          <Waiting
            key={extra.id}
            extra={extra}
            cents={side === 'customer' ? extra.netPriceCents : extra.netCostCents}
            onBill={onBill === null ? null : () => onBill(extra)}
            onDecided={async () => {
              await refresh()
              onDecided?.()
            }}
          />
        ))}
      </ul>
    </Section>
  )
}

interface WaitingProps {
  extra: WaitingExtra
  cents: number | null
  onBill: (() => void) | null
  onDecided: () => Promise<void>
}

function Waiting({ extra, cents, onBill, onDecided }: WaitingProps) {
  const { t } = useTranslation(['invoice-extras', 'history', 'order-extras'])
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const [isBusy, setBusy] = useState(false)
  const { onOrder, isOpen, note } = extra
  const kind = t(`history:extra.kind.${extra.kind as ExtraKind}`)
  const name = extra.text ?? kind
  const unit = extra.unit as ExtraUnit
  const decide = async (to: ExtraState) => {
    setBusy(true)
    try {
      await callApi(decideExtra, {
        params: { id: onOrder.id, extraId: extra.id },
        body: { to },
        version: extra.version,
        idempotencyKey: newIdempotencyKey(),
      })
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('order-extras:notDone'),
        detail: refusalWords(error).join(' '),
        closeLabel: t('order-extras:close'),
      })
    } finally {
      await onDecided()
      setBusy(false)
    }
  }
  const details = [
    extra.text === null ? null : kind,
    `${format.number(extra.quantity, 0, 3)} ${unit === 'flat' ? '×' : t(`order-extras:short.${unit}`)}`,
    t(isOpen ? 'invoice-extras:open' : 'invoice-extras:approved'),
    note,
  ].filter(Boolean)
  return (
    <li>
      <span className={classes.what}>
        {name}
        <small>
          {hasAccess(ORDER_ACCESS) ? (
            <Link to={`/orders/${onOrder.id}/edit` as string}>{onOrder.title}</Link>
          ) : (
            onOrder.title
          )}
          {' · '}
          {details.join(' · ')}
        </small>
      </span>
      <b className={classes.amount}>{cents === null ? '–' : format.money(cents)}</b>
      <span className={classes.actions}>
        {isOpen ? (
          <>
            <IconButton
              icon="check"
              disabled={isBusy}
              label={t('order-extras:approve', { name })}
              onClick={() => void decide('approved')}
            />
            <IconButton
              icon="close"
              disabled={isBusy}
              label={t('order-extras:refuse', { name })}
              onClick={() => void decide('refused')}
            />
          </>
        ) : onBill === null ? null : (
          <Button
            size="compact-sm"
            leftSection={<Icon name="plus" />}
            aria-label={t('invoice-extras:addNamed', { name })}
            onClick={onBill}
          >
            {t('invoice-extras:add')}
          </Button>
        )}
      </span>
    </li>
  )
}
