import { sumCents } from '@waybill/contract/kit/money'
import { unmergeOrder } from '@waybill/contract/order/merge-actions'
import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useChanges } from '../../../kit/form/state/change-store.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { Section } from '../../../ui/page/section.tsx'
import classes from './merge.module.css'
import type { OrderForm } from '../values/order-form.ts'
import { orderPath } from '../values/paths.ts'

/**
 * Of the result of a merge: which orders it carries, which cargo came from which, what they bring, and the way back.
 */
export function MergeSources({ form, order, onChanged }: { form: OrderForm; order: Order; onChanged: () => void }) {
  const { t } = useTranslation('merge')
  const format = useFormat()
  // Once the merge is undone the cargo alone still says whence it came.
  const past = order.cargo.flatMap(({ sourceOrder, customer }) =>
    sourceOrder === null ? [] : [{ ...sourceOrder, customer, customerPriceCents: null }],
  )
  const sources =
    order.sources.length > 0 ? order.sources : [...new Map(past.map((source) => [source.id, source])).values()]
  const prices = order.sources.flatMap((source) => source.customerPriceCents ?? [])
  const linesOf = (id: number) =>
    order.cargo.flatMap((line, index) =>
      line.sourceOrder?.id === id ? [[index + 1, line.title].filter(Boolean).join(' ')] : [],
    )
  return (
    <Section
      id="sources"
      title={t('sources.title')}
      summary={order.unmergeObstacles === null ? t('sources.undone') : undefined}
    >
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('sources.title')}>
        <table className={classes.sources}>
          <thead>
            <tr>
              <th scope="col">{t('sources.order')}</th>
              <th scope="col">{t('sources.customer')}</th>
              <th scope="col">{t('sources.cargo')}</th>
              <th scope="col" data-end>
                {t('sources.price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <tr key={source.id}>
                <td>
                  <Link to={orderPath(source.id) as string}>{source.title}</Link>
                </td>
                <td>{source.customer?.title}</td>
                <td>{linesOf(source.id).join(', ') || '–'}</td>
                <td data-end>{source.customerPriceCents === null ? '–' : format.euro(source.customerPriceCents)}</td>
              </tr>
            ))}
          </tbody>
          {prices.length === 0 ? null : (
            <tfoot>
              <tr>
                <td colSpan={3}>{t('sum')}</td>
                <td data-end>{format.euro(sumCents(prices))}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {order.unmergeObstacles === null ? null : (
        <Unmerge form={form} order={order} obstacles={order.unmergeObstacles} onChanged={onChanged} />
      )}
    </Section>
  )
}

function Unmerge({
  form,
  order,
  obstacles,
  onChanged,
}: {
  form: OrderForm
  order: Order
  obstacles: NonNullable<Order['unmergeObstacles']>
  onChanged: () => void
}) {
  const { t } = useTranslation('merge')
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const hasChanges = useChanges(form).length > 0
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const reasons = [
    ...obstacles.map((code) => fieldErrorText(code)),
    ...(hasChanges && obstacles.length === 0 ? [t('unmerge.unsaved')] : []),
  ]
  const undo = async () => {
    setBusy(true)
    try {
      form.accept(
        await callApi(unmergeOrder, {
          params: { id: order.id },
          version: order.version,
          idempotencyKey: newIdempotencyKey(),
        }),
      )
      onChanged()
      notify({
        tone: 'ok',
        title: t('unmerge.done'),
        detail: t('unmerge.doneText', { numbers: order.sources.map(({ title }) => title).join(', ') }),
        closeLabel: t('close'),
      })
    } catch (error) {
      const words = refusalWords(error).join(' ')
      if (!form.takeRefusal(error))
        notify({ tone: 'danger', title: t('unmerge.failed'), detail: words, closeLabel: t('close') })
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  return (
    <div className={classes.undo}>
      <Button
        size="compact-sm"
        leftSection={<Icon name="undo" />}
        disabled={reasons.length > 0}
        aria-describedby={reasons.length > 0 ? 'unmerge-why' : undefined}
        onClick={() => setAsking(true)}
      >
        {t('unmerge.button')}
      </Button>
      {reasons.length === 0 ? null : (
        <span id="unmerge-why" className={classes.why}>
          {reasons.join(' · ')}
        </span>
      )}
      <ConfirmModal
        isOpen={isAsking}
        withInfoIcon
        isBusy={isBusy}
        title={t('unmerge.title')}
        confirmLabel={t('unmerge.confirm')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void undo()}
      >
        {t('unmerge.text', { count: order.sources.length, number: order.number })}
      </ConfirmModal>
    </div>
  )
}
