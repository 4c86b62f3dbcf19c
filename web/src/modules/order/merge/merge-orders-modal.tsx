import { sumCents } from '@waybill/contract/kit/money'
import { PAGE_SIZES } from '@waybill/contract/kit/paging'
import { mergeObstacles } from '@waybill/contract/order/merge'
import { mergeOrders } from '@waybill/contract/order/merge-actions'
import { orderApi, type OrderRow } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callRows, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { HeldKeys } from '../../../ui/windows/late-window.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { CarrierCompanySelect } from '../../carrier-company/carrier-company-select.tsx'
import classes from './merge.module.css'
import { orderPath } from '../values/paths.ts'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'

/** What is asked of each order before a merge: what it is called by, its price, and what may stand in the way. */
const ASKED = [
  'id',
  'number',
  'status',
  'state',
  'customer',
  'customerPriceCents',
  'department',
  'isMergeResult',
  'hasRoute',
] as const satisfies readonly (keyof OrderRow)[]
type Asked = Pick<OrderRow, (typeof ASKED)[number]>

/** However many were chosen: in as many calls as they need. */
async function readChosen(orderIds: readonly number[], signal: AbortSignal): Promise<{ items: Asked[] }> {
  const items: Asked[] = []
  const most = PAGE_SIZES.at(-1)!
  for (let from = 0; from < orderIds.length; from += most) {
    const query = { id: orderIds.slice(from, from + most), perPage: most }
    items.push(...(await callRows(orderApi, ASKED, query, signal)).items)
  }
  return { items }
}

interface MergeOrdersModalProps {
  orderIds: readonly number[]
  onClose: () => void
  onMerged: () => void
}

/** The orders as they are now, then the window; keys that are pressed until then are for it. */
export function MergeOrdersModal({ orderIds, ...rest }: MergeOrdersModalProps) {
  const { t } = useTranslation('merge')
  const { data, error, refetch } = useQuery({
    queryKey: [orderApi.path, 'list', 'merging', ...orderIds],
    queryFn: ({ signal }) => readChosen(orderIds, signal),
    gcTime: 0,
    meta: { showsRefusals: true },
  })
  if (data !== undefined) return <MergeWindow chosen={data.items} {...rest} />
  if (error === null) return <HeldKeys />
  return (
    <ModalFrame
      isOpen
      onClose={rest.onClose}
      onSubmit={() => void refetch()}
      title={t('title', { count: orderIds.length })}
      closeLabel={t('close')}
      footer={<Button onClick={rest.onClose}>{t('cancel')}</Button>}
    >
      <LoadError error={error} onRetry={() => void refetch()} />
    </ModalFrame>
  )
}

interface MergeWindowProps extends Omit<MergeOrdersModalProps, 'orderIds'> {
  chosen: readonly Asked[]
}

/** Asks which carrier takes the orders; what stands in the way is named before (spec §4, Merge). */
function MergeWindow({ chosen, onClose, onMerged }: MergeWindowProps) {
  const { t } = useTranslation('merge')
  const format = useFormat()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const [carrierCompanyId, setCarrier] = useState<number | null>(null)
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])

  // However they were chosen: the oldest comes first in what becomes of them.
  const orders = chosen.toSorted((a, b) => a.id - b.id)
  const found = mergeObstacles(orders.map((order) => ({ ...order, departmentId: order.department.id })))
  const obstacles = orders.flatMap(({ id, number }) =>
    (found.get(id) ?? []).map((code) => fieldErrorText(code, { number })),
  )
  const prices = orders.flatMap((order) => order.customerPriceCents ?? [])
  const unpriced = orders.filter((order) => order.customerPriceCents === null).map((order) => order.number)

  const submit = async () => {
    setTried(true)
    if (carrierCompanyId === null || obstacles.length > 0 || isBusy) return
    setBusy(true)
    setRefusals([])
    try {
      const result = await callApi(mergeOrders, {
        body: { orderIds: orders.map(({ id }) => id), carrierCompanyId },
        idempotencyKey: newIdempotencyKey(),
      })
      void queries.invalidateQueries({ queryKey: [orderApi.path] })
      notify({ tone: 'ok', title: t('done'), detail: t('doneText', { number: result.number }), closeLabel: t('close') })
      onMerged()
      onClose()
      void navigate({ to: orderPath(result.id) as string })
    } catch (error) {
      // Somebody was faster: the list shows what the orders are now.
      void queries.invalidateQueries({ queryKey: [orderApi.path, 'list'] })
      setRefusals(refusalWords(error))
      setBusy(false)
    }
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={() => void submit()}
      title={t('title', { count: orders.length })}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={obstacles.length > 0}>
            {t('merge')}
          </Button>
        </>
      }
    >
      <div className={classes.modal}>
        <ul className={classes.orders}>
          {orders.map((order) => (
            <li key={order.id}>
              <b>{order.number}</b> <span>{order.customer?.title}</span>{' '}
              <span>{order.customerPriceCents === null ? '–' : format.euro(order.customerPriceCents)}</span>
            </li>
          ))}
          {prices.length < 2 ? null : (
            <li className={classes.sum}>
              <span /> <span>{t('sum')}</span> <span>{format.euro(sumCents(prices))}</span>
            </li>
          )}
        </ul>
        {obstacles.length > 0 ? (
          <Notice tone="warn">
            <p>{t('obstacles')}</p>
            <ul className={classes.reasons}>
              {obstacles.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </Notice>
        ) : (
          <>
            <p>{t('text')}</p>
            <CarrierCompanySelect
              label={t('carrier')}
              isRequired
              value={carrierCompanyId}
              error={isTried && carrierCompanyId === null ? fieldErrorText('required') : undefined}
              onChange={setCarrier}
              data-autofocus
            />
            {unpriced.length === 0 ? null : (
              <Notice tone="warn">{t('unpriced', { count: unpriced.length, numbers: unpriced.join(', ') })}</Notice>
            )}
          </>
        )}
        <RefusalsNotice refusals={refusals} />
      </div>
    </ModalFrame>
  )
}
