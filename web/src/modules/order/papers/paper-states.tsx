import { Button } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { generateOrderPaper, listOrderPapers, type OrderPaperState } from '@waybill/contract/document'
import type { Order } from '@waybill/contract/order/order'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import type { OrderForm } from '../values/order-form.ts'
import classes from './papers.module.css'

interface PaperStateProps {
  form: OrderForm
  order: Order
  documentId: number
  onMade: () => void
}

/** Of a file that was made of the order: from which version, whether it still says the same, and when it was sent. */
export function PaperState({ form, order, documentId, onMade }: PaperStateProps) {
  const { t } = useTranslation('order-papers')
  const format = useFormat()
  const { data } = useQuery({
    // A save may outdate a paper.
    queryKey: ['documents', { orderId: order.id }, 'papers', order.version],
    queryFn: ({ signal }) => callApi(listOrderPapers, { params: { id: order.id }, signal }),
    placeholderData: keepPreviousData,
  })
  const paper = data?.items.find((one) => one.documentId === documentId)
  if (paper === undefined) return null
  const isOld = paper.state === 'outdated'
  return (
    <span className={classes.state} data-state={paper.state ?? undefined}>
      {isOld ? <Icon name="alert" size={13} /> : null}
      <span>
        {[
          paper.state === null || paper.state === 'current' ? null : t(`state.${paper.state}`),
          paper.orderVersion === null ? null : t('ofVersion', { version: paper.orderVersion }),
          paper.sentAt === null ? null : t('sentAt', { at: format.dayTime(paper.sentAt) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {isOld && paper.wish !== null && !form.context.isReadOnly ? (
        <MakeAnew form={form} order={order} wish={paper.wish} onMade={onMade} />
      ) : null}
    </span>
  )
}

interface MakeAnewProps extends Omit<PaperStateProps, 'documentId'> {
  wish: NonNullable<OrderPaperState['wish']>
}

function MakeAnew({ form, order, wish, onMade }: MakeAnewProps) {
  const { t } = useTranslation('order-papers')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      // Papers are made of what is seen: what is typed is saved before.
      const saved = form.changes().length > 0 ? await form.save(true) : order
      if (saved === null) return
      await callApi(generateOrderPaper, {
        params: { id: saved.id },
        body: wish,
        version: saved.version,
        idempotencyKey: newIdempotencyKey(),
      })
      void queries.invalidateQueries({ queryKey: ['documents', { orderId: order.id }] })
      onMade()
    } catch (error) {
      if (hasCode(error, 'stale_version')) form.takeRefusal(error)
      else
        notify({ tone: 'danger', title: t('notMade'), detail: refusalWords(error).join(' '), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="compact-sm" loading={isBusy} onClick={() => void make()}>
      {t('makeAnew')}
    </Button>
  )
}
