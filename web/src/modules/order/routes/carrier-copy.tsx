import { listCarrierCopies, sendCarrierChange } from '@waybill/contract/email'
import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useChanges } from '../../../kit/form/state/change-store.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import type { OrderForm } from '../values/order-form.ts'
import classes from './routes-section.module.css'

interface CarrierCopyProps {
  form: OrderForm
  order: Order
  routeId: number
}

/** Says where the carrier of a route has an older transport order, and sends it what has changed since. */
export function CarrierCopyNotice({ form, order, routeId }: CarrierCopyProps) {
  const { t } = useTranslation('order-parts')
  const format = useFormat()
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [isSending, setSending] = useState(false)
  const isUnsaved = useChanges(form).length > 0
  // Under the key of the order's mails: that one left changes it as well as a save does.
  const { data } = useQuery({
    queryKey: ['emails', { orderId: order.id }, 'carrier-copies', order.version],
    queryFn: ({ signal }) => callApi(listCarrierCopies, { params: { id: order.id }, signal }),
    placeholderData: keepPreviousData,
  })
  const copy = data?.items.find((one) => one.routeId === routeId)
  if (copy === undefined || (copy.differs.length === 0 && !copy.isPlanned)) return null
  if (copy.isPlanned) return <Notice icon="mail">{t('carrierCopy.planned', { carrier: copy.carrier })}</Notice>
  const send = async () => {
    setSending(true)
    try {
      await callApi(sendCarrierChange, { params: { id: routeId }, idempotencyKey: newIdempotencyKey() })
    } catch (failure) {
      notify({
        tone: 'danger',
        title: t('carrierCopy.notSent'),
        detail: errorText(failure),
        closeLabel: t('form:close'),
      })
    }
    setSending(false)
    void queries.invalidateQueries({ queryKey: ['emails', { orderId: order.id }] })
  }
  return (
    <Notice tone="warn">
      <span className={classes.copy}>
        {t('carrierCopy.older', {
          carrier: copy.carrier,
          when: format.dayTime(copy.toldAt),
          parts: format.list(copy.differs.map((part) => t(`carrierCopy.parts.${part}`))),
        })}
        <Button
          size="compact-sm"
          loading={isSending}
          disabled={isUnsaved}
          title={isUnsaved ? t('carrierCopy.saveFirst') : undefined}
          onClick={() => void send()}
        >
          {t('carrierCopy.send')}
        </Button>
        {isUnsaved ? <small>{t('carrierCopy.saveFirst')}</small> : null}
      </span>
    </Notice>
  )
}
