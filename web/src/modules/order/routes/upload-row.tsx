import {
  getRouteUploadLink,
  renewRouteUploadLink,
  revokeRouteUploadLink,
  type RouteUploadLink,
} from '@waybill/contract/public/upload-link'
import type { Order } from '@waybill/contract/order/order'
import { isCanceled } from '@waybill/contract/order/status'
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
import classes from './upload-row.module.css'

interface UploadRowProps {
  order: Order
  routeId: number
  isReadOnly: boolean
}

type Link = NonNullable<RouteUploadLink['link']>
type Question = 'renew' | 'revoke' | null

/** The link by which the carrier of a route hands in its papers, and how far that is. */
export function UploadRow({ order, routeId, isReadOnly }: UploadRowProps) {
  const { t } = useTranslation('order-parts')
  const errorText = useErrorText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [question, setQuestion] = useState<Question>(null)
  const [isBusy, setBusy] = useState(false)
  // Another version may mean another carrier.
  const key = ['orders', order.id, 'upload-link', routeId]
  const { data } = useQuery({
    queryKey: [...key, order.version],
    queryFn: ({ signal }) => callApi(getRouteUploadLink, { params: { id: routeId }, signal }),
    placeholderData: keptOf(...key),
    meta: { showsRefusals: true },
  })
  useLiveChanges('order', () => void queries.invalidateQueries({ queryKey: key }))
  if (data?.carrier === null) return null
  const { link, carrier } = data ?? { link: null, carrier: '' }
  const change = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      notify({
        tone: 'danger',
        title: t('uploadLink.notChanged'),
        detail: errorText(failure),
        closeLabel: t('form:close'),
      })
    }
    setBusy(false)
    setQuestion(null)
    void queries.invalidateQueries({ queryKey: key })
  }
  const call = { params: { id: routeId }, version: order.version }
  const renew = () =>
    change(() =>
      callApi(renewRouteUploadLink, {
        ...call,
        body: { linkId: link?.id ?? null },
        idempotencyKey: newIdempotencyKey(),
      }),
    )
  const revoke = () => change(() => callApi(revokeRouteUploadLink, call))
  const route = order.routes.find(({ id }) => id === routeId)
  // With the transport order, whose mail carries the link; it can be changed and goes to whom is named there.
  const isMailed = order.mergedIntoId === null && route !== undefined && !isCanceled(route.status)
  const write = () =>
    void navigate({ to: `/orders/${order.id}/edit/order_resolved` as string, search: { route: routeId } as never })
  return (
    <section className={classes.row} aria-label={t('uploadLink.title')}>
      <div className={classes.head}>
        <Icon name="link" />
        <b>{t('uploadLink.title')}</b>
        {link === null ? (
          <span className={classes.address}>{data && t('uploadLink.none', { carrier })}</span>
        ) : (
          <span className={classes.address} title={link.url}>
            {link.url.replace(/^https?:\/\//, '')}
          </span>
        )}
        <span className={classes.buttons}>
          {link === null ? (
            <Button
              size="compact-sm"
              loading={isBusy}
              disabled={isReadOnly || data === undefined}
              onClick={() => void renew()}
            >
              {t('uploadLink.make')}
            </Button>
          ) : (
            <>
              <CopyButton text={link.url} label={t('uploadLink.copy')} />
              {isMailed ? (
                <Button size="compact-sm" disabled={isReadOnly} onClick={write}>
                  {t(link.sentAt === null ? 'uploadLink.send' : 'uploadLink.sendAgain')}
                </Button>
              ) : null}
              <Button size="compact-sm" disabled={isReadOnly} onClick={() => setQuestion('renew')}>
                {t('uploadLink.renew')}
              </Button>
              <Button size="compact-sm" variant="subtle" disabled={isReadOnly} onClick={() => setQuestion('revoke')}>
                {t('uploadLink.revoke')}
              </Button>
            </>
          )}
        </span>
      </div>
      <Steps link={link} />
      <ConfirmModal
        isOpen={question !== null}
        title={t(`uploadLink.ask.${question ?? 'renew'}.title`)}
        confirmLabel={t(`uploadLink.ask.${question ?? 'renew'}.confirm`)}
        cancelLabel={t('form:cancel')}
        closeLabel={t('form:close')}
        tone={question === 'renew' ? 'primary' : 'danger'}
        isBusy={isBusy}
        onCancel={() => setQuestion(null)}
        onConfirm={() => void (question === 'renew' ? renew() : revoke())}
      >
        {t(`uploadLink.ask.${question ?? 'renew'}.text`, { carrier })}
      </ConfirmModal>
    </section>
  )
}

/** Without a link nothing has happened; the steps have their place all the same, so that nothing moves below. */
const NO_STEPS = { sentAt: null, openedLastAt: null, openedCount: 0, podArrivedAt: null, invoiceArrivedAt: null }

/** Sent, opened, proof of delivery, invoice: what has happened, and when. */
function Steps({ link }: { link: Link | null }) {
  const { t } = useTranslation('order-parts')
  const format = useFormat()
  const { sentAt, openedLastAt, openedCount, podArrivedAt, invoiceArrivedAt } = link ?? NO_STEPS
  const steps = [
    { name: 'sent', at: sentAt, words: t('uploadLink.steps.sent') },
    {
      name: 'opened',
      at: openedLastAt,
      words:
        openedCount === 0 ? t('uploadLink.steps.opened') : t('uploadLink.steps.openedTimes', { count: openedCount }),
    },
    { name: 'pod', at: podArrivedAt, words: t('uploadLink.steps.pod') },
    {
      name: 'invoice',
      at: invoiceArrivedAt,
      words:
        link === null || link.state === 'open'
          ? t('uploadLink.steps.invoice')
          : t(`uploadLink.steps.invoice_${link.state}`),
    },
  ]
  return (
    <ol className={classes.steps}>
      {steps.map(({ name, at, words }) => (
        <li key={name} data-done={at !== null || undefined}>
          <span className={classes.mark}>{at === null ? null : <Icon name="check" size={10} />}</span>
          <span>
            <span className={classes.step}>{words}</span>
            <small>{at === null ? t('uploadLink.steps.notYet') : format.dayTime(at)}</small>
          </span>
        </li>
      ))}
    </ol>
  )
}
