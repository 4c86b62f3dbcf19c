import { Button, VisuallyHidden } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  DELIVERY_STATES,
  listWebhookDeliveries,
  sendAgain,
  type DeliveryState,
  type WebhookDelivery,
} from '@waybill/contract/webhook/delivery'
import type { Webhook } from '@waybill/contract/webhook/webhook'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import classes from './webhook.module.css'

const PHONE_GRID = '"event state" auto "record record" auto "time again" auto / minmax(0, 1fr) auto'

const SCREENS: Readonly<Partial<Record<WebhookDelivery['record']['kind'], string>>> = {
  order: '/orders',
  invoice: '/invoices',
  customer: '/customer',
  carrierCompany: '/carrier-companies',
}

interface DeliveryLogProps {
  webhooks: readonly Webhook[]
  lookAgainMs: number
  onSent: () => void
}

/** What was sent in 30 days and what waits, by webhook and by how it stands. */
export function DeliveryLog({ webhooks, lookAgainMs, onSent }: DeliveryLogProps) {
  const { t } = useTranslation('webhook')
  const errorText = useErrorText()
  const [state, setState] = useState<DeliveryState | 'all'>('all')
  const [webhookId, setWebhookId] = useState<number | null>(null)
  const log = useInfiniteQuery({
    queryKey: ['webhook-deliveries', state, webhookId],
    queryFn: ({ pageParam, signal }) =>
      callApi(listWebhookDeliveries, {
        query: {
          ...(state !== 'all' && { state }),
          ...(webhookId !== null && { webhookId }),
          ...(pageParam !== null && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
    meta: { showsRefusals: true },
  })
  const again = async ({ id, version }: WebhookDelivery) => {
    try {
      await callApi(sendAgain, { params: { id }, version })
    } catch (refused) {
      notify({ tone: 'danger', title: t('log.notSent'), detail: errorText(refused), closeLabel: t('close') })
    }
    onSent()
  }
  const columns = useColumns(webhooks, (delivery) => void again(delivery))
  const rows = log.data?.pages.flatMap(({ items }) => items) ?? null
  return (
    <section className={classes.log} aria-labelledby="delivery-log">
      <h2 className={classes.logTitle} id="delivery-log">
        {t('log.title')}
      </h2>
      <div className={classes.filter}>
        <Segmented
          label={t('log.state')}
          value={state}
          onChange={setState}
          options={[
            { value: 'all', label: t('log.all') },
            ...DELIVERY_STATES.map((value) => ({ value, label: t(`log.states.${value}`) })),
          ]}
        />
        <SelectField
          label={t('log.webhook')}
          placeholder={t('log.allWebhooks')}
          clearable
          data={webhooks.map(({ id, title }) => ({ value: String(id), label: title }))}
          value={webhookId === null ? null : String(webhookId)}
          onChange={(value) => setWebhookId(value === null ? null : Number(value))}
        />
      </div>
      {log.error !== null && rows === null ? (
        <LoadError error={log.error} onRetry={() => void log.refetch()} />
      ) : (
        <DataTable<WebhookDelivery>
          label={t('log.title')}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowName={({ type, record }) => `${t(`events.${type}`)} ${record.title ?? ''}`}
          skeletonRows={6}
          empty={
            <EmptyState icon="history" title={t('log.empty')}>
              {t('log.emptyMeans')}
            </EmptyState>
          }
          phoneGrid={PHONE_GRID}
          minWidth={1000}
        />
      )}
      {log.hasNextPage ? (
        <div className={classes.end}>
          <Button
            size="compact-sm"
            variant="subtle"
            loading={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            {t('log.older')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function useColumns(
  webhooks: readonly Webhook[],
  onAgain: (delivery: WebhookDelivery) => void,
): readonly Column<WebhookDelivery>[] {
  const { t } = useTranslation('webhook')
  const format = useFormat()
  return useMemo((): readonly Column<WebhookDelivery>[] => {
    const isActive = (one: WebhookDelivery['webhook']) =>
      webhooks.some(({ id, state }) => id === one.id && state === 'active')
    return [
      {
        key: 'time',
        head: t('log.column.time'),
        width: 150,
        cell: ({ occurredAt }) => (
          <time dateTime={occurredAt} className={classes.dim}>
            {format.dateTime(occurredAt)}
          </time>
        ),
      },
      {
        key: 'event',
        head: t('log.column.event'),
        cell: ({ type, eventId }) => (
          <span className={classes.words} title={eventId}>
            {t(`events.${type}`)}
          </span>
        ),
      },
      { key: 'record', head: t('log.column.record'), width: 170, cell: ({ record }) => <RecordLink record={record} /> },
      {
        key: 'webhook',
        head: t('log.column.webhook'),
        width: 150,
        isHiddenOnPhone: true,
        cell: ({ webhook }) => (
          <span className={classes.words} title={webhook.title}>
            {webhook.title}
          </span>
        ),
      },
      { key: 'state', head: t('log.column.state'), width: 210, cell: (delivery) => <Standing delivery={delivery} /> },
      {
        key: 'tried',
        head: t('log.column.tried'),
        width: 150,
        isHiddenOnPhone: true,
        cell: ({ lastTryAt, durationMs, tries }) =>
          lastTryAt === null ? (
            <span className={classes.dim}>{t('log.notYet')}</span>
          ) : (
            <span className={classes.words} title={t('log.tries', { count: tries, time: format.dateTime(lastTryAt) })}>
              {format.dayTime(lastTryAt)}
              {durationMs === null ? null : <span className={classes.dim}> {t('log.took', { ms: durationMs })}</span>}
            </span>
          ),
      },
      {
        key: 'next',
        head: t('log.column.next'),
        width: 116,
        isHiddenOnPhone: true,
        // What stands still has no time: it leaves when the webhook is resumed, or after what stands before it.
        cell: ({ nextTryAt, isBehind, webhook }) =>
          nextTryAt === null || isBehind || !isActive(webhook) ? null : (
            <span title={format.dateTime(nextTryAt)}>{format.dayTime(nextTryAt)}</span>
          ),
      },
      {
        key: 'again',
        head: <VisuallyHidden>{t('log.column.again')}</VisuallyHidden>,
        width: 130,
        align: 'end',
        cell: (delivery) => (
          <Button
            size="compact-sm"
            disabled={!isActive(delivery.webhook)}
            title={isActive(delivery.webhook) ? undefined : t('log.notActive')}
            aria-label={t('log.againOne', {
              event: t(`events.${delivery.type}`),
              title: delivery.record.title ?? delivery.record.id,
            })}
            onClick={() => onAgain(delivery)}
          >
            {t('log.again')}
          </Button>
        ),
      },
    ]
  }, [t, format, webhooks, onAgain])
}

function RecordLink({ record: { kind, id, title } }: Pick<WebhookDelivery, 'record'>) {
  const { t } = useTranslation('webhook')
  const screen = SCREENS[kind]
  if (screen === undefined) return null
  if (title === null) return <span className={classes.dim}>{t('log.gone', { id })}</span>
  return (
    <Link className={classes.words} to={`${screen}/${id}/edit` as string} title={title}>
      {title}
    </Link>
  )
}

/** How a message stands, and what was said of the last try. */
function Standing({ delivery: { state, isBehind, tries, status, fault } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhook')
  const said =
    fault === null ? (status === null ? null : String(status)) : t(`log.faults.${fault}`, { status: status ?? '' })
  const label = isBehind
    ? t('log.behind')
    : state === 'waiting' && tries > 0
      ? t('log.retrying')
      : t(`log.states.${state}`)
  return (
    <span className={classes.standing}>
      <Mark level={state === 'givenUp' ? 3 : state === 'waiting' && tries > 0 ? 2 : 1}>{label}</Mark>
      {said === null ? null : (
        <span className={classes.said} title={said}>
          {said}
        </span>
      )}
    </span>
  )
}
