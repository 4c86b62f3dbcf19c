import {
  listTrackingLinks,
  renewTrackingLink,
  revokeTrackingLink,
  type TrackingLinks,
} from '@waybill/contract/public/tracking-link'
import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { keptOf } from '../../../kit/api/kept-data.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { CopyButton } from '../../../kit/session/copy-button.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import classes from './tracking-links.module.css'

type Item = TrackingLinks['items'][number]
interface Question {
  kind: 'renew' | 'revoke'
  item: Item
}

/**
 * The links by which the customers of an order follow it. An order that was merged is closed for changes; its links
 * work on, and are renewed and revoked all the same.
 */
export function TrackingLinksOfOrder({ order }: { order: Order }) {
  const { t } = useTranslation('tracking-link')
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [question, setQuestion] = useState<Question | null>(null)
  const [isBusy, setBusy] = useState(false)
  const key = ['orders', order.id, 'tracking-links']
  const { data } = useQuery({
    // Another version may have other customers.
    queryKey: [...key, order.version],
    queryFn: ({ signal }) => callApi(listTrackingLinks, { params: { id: order.id }, signal }),
    placeholderData: keptOf(...key),
    meta: { showsRefusals: true },
  })
  useLiveChanges('order', () => void queries.invalidateQueries({ queryKey: key }))
  const change = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      notify({
        tone: 'danger',
        title: t('notChanged'),
        detail: errorText(failure),
        closeLabel: t('form:close'),
      })
    }
    setBusy(false)
    setQuestion(null)
    void queries.invalidateQueries({ queryKey: key })
  }
  const renew = ({ customer, link }: Item) =>
    change(() =>
      callApi(renewTrackingLink, {
        params: { id: order.id },
        version: order.version,
        body: { customerId: customer.id, linkId: link?.id ?? null },
        idempotencyKey: newIdempotencyKey(),
      }),
    )
  const revoke = ({ customer }: Item) =>
    change(() =>
      callApi(revokeTrackingLink, { params: { id: order.id, customerId: customer.id }, version: order.version }),
    )
  return (
    <section className={classes.links} aria-label={t('title')}>
      {data?.items.map((item) => (
        <Row
          key={item.customer.id}
          order={order}
          item={item}
          isBusy={isBusy}
          onMake={() => void renew(item)}
          onAsk={(kind) => setQuestion({ kind, item })}
        />
      ))}
      <ConfirmModal
        isOpen={question !== null}
        title={t(`ask.${question?.kind ?? 'renew'}.title`)}
        confirmLabel={t(`ask.${question?.kind ?? 'renew'}.confirm`)}
        cancelLabel={t('form:cancel')}
        closeLabel={t('form:close')}
        tone={question?.kind === 'renew' ? 'primary' : 'danger'}
        isBusy={isBusy}
        onCancel={() => setQuestion(null)}
        onConfirm={() => {
          if (question !== null) void (question.kind === 'renew' ? renew(question.item) : revoke(question.item))
        }}
      >
        {t(`ask.${question?.kind ?? 'renew'}.text`, { customer: question?.item.customer.title ?? '' })}
      </ConfirmModal>
    </section>
  )
}

interface RowProps {
  order: Order
  item: Item
  isBusy: boolean
  onMake: () => void
  onAsk: (kind: Question['kind']) => void
}

function Row({ order, item: { customer, link }, isBusy, onMake, onAsk }: RowProps) {
  const { t } = useTranslation('tracking-link')
  const format = useFormat()
  const navigate = useNavigate()
  const write = () =>
    void navigate({
      to: `/orders/${order.id}/edit/other_emails` as string,
      search: { variant: 'tracking', customer: customer.id } as never,
    })
  const said = () => {
    if (link === null) return t('none')
    const until = t('until', { day: format.day(link.expiresAt) })
    return link.sentAt === null ? until : `${t('sent', { time: format.dayTime(link.sentAt) })}, ${until}`
  }
  return (
    <div className={classes.row} role="group" aria-label={`${t('title')}: ${customer.title}`}>
      <Icon name="link" />
      <div className={classes.words}>
        <span>
          <b>{t('title')}</b> {order.customers.length > 1 ? customer.title : null}
        </span>
        <small>
          {link === null ? null : (
            <a href={link.url} target="_blank" rel="noopener noreferrer">
              {link.url.replace(/^https?:\/\//, '')}
            </a>
          )}
          <span>{said()}</span>
        </small>
      </div>
      <span className={classes.buttons}>
        {link === null ? (
          <Button size="compact-sm" loading={isBusy} onClick={onMake}>
            {t('make')}
          </Button>
        ) : (
          <>
            <CopyButton text={link.url} label={t('copy')} />
            {order.mergedIntoId === null ? (
              <Button size="compact-sm" leftSection={<Icon name="mail" />} onClick={write}>
                {t('write')}
              </Button>
            ) : null}
            <Button size="compact-sm" onClick={() => onAsk('renew')}>
              {t('renew')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => onAsk('revoke')}>
              {t('revoke')}
            </Button>
          </>
        )}
      </span>
    </div>
  )
}
