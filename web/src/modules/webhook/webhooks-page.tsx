import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  deleteWebhook,
  listWebhooks,
  MOST_WEBHOOKS,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from '@waybill/contract/webhook/webhook'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { EmptyState, Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { DataTable } from '../../ui/page/data-table.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { MadeSecret, WebhookForm } from './webhook-form.tsx'
import { useWebhookColumns, type WebhookAct } from './webhook-columns.tsx'
import classes from './webhook.module.css'

const KEYS = ['webhooks']
const PHONE_GRID = '"title state" auto "events events" auto "arrived do" auto / minmax(0, 1fr) auto'
// What was sent goes its way by itself; who looks on sees it arrive.
const LOOK_AGAIN_MS = 10_000

type Asked = { act: 'rotate' | 'delete'; webhook: Webhook }

/** The addresses of other systems that are told what happens, and what was sent to them. */
export function WebhooksPage() {
  const { t } = useTranslation('webhook')
  const format = useFormat()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => callApi(listWebhooks, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
    meta: { showsRefusals: true },
  })
  const [form, setForm] = useState<Webhook | 'new' | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState<{ title: string; secret: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: KEYS })
    await client.invalidateQueries({ queryKey: ['webhook-deliveries'] })
  }

  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (refused) {
      notify({ tone: 'danger', title: t('notDone'), detail: errorText(refused), closeLabel: t('close') })
    }
    setBusy(false)
    setAsked(null)
    await refresh()
  }
  const act = (what: WebhookAct, webhook: Webhook) => {
    const call = { params: { id: webhook.id }, version: webhook.version }
    if (what === 'edit') return setForm(webhook)
    if (what === 'rotate' || what === 'delete') return setAsked({ act: what, webhook })
    if (what === 'pause') return void attempt(() => callApi(pauseWebhook, call))
    if (what === 'resume') return void attempt(() => callApi(resumeWebhook, call))
    return void attempt(async () => {
      await callApi(testWebhook, { params: { id: webhook.id } })
      notify({ tone: 'ok', title: t('testSent', { title: webhook.title }), closeLabel: t('close') })
    })
  }
  const confirm = ({ act: what, webhook }: Asked) =>
    attempt(async () => {
      const call = { params: { id: webhook.id }, version: webhook.version }
      if (what === 'delete') await callApi(deleteWebhook, call)
      else setShown(await callApi(rotateWebhookSecret, call))
    })
  const columns = useWebhookColumns(act)
  const failing = data?.items.filter(({ state }) => state === 'failing') ?? []
  const isFull = (data?.items.length ?? 0) >= MOST_WEBHOOKS

  const add = (
    <Button
      variant="filled"
      leftSection={<Icon name="plus" />}
      disabled={isFull}
      title={isFull ? t('full', { count: MOST_WEBHOOKS }) : undefined}
      onClick={() => setForm('new')}
    >
      {t('new')}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHead title={t('title')} actions={add} />
      <p className={classes.means}>{t('means')}</p>
      {failing.map(({ id, title, stateSince }) => (
        <div className={classes.notice} key={id}>
          <Notice tone="danger">{t('failing', { title, time: format.dateTime(stateSince) })}</Notice>
        </div>
      ))}
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable<Webhook>
          label={t('title')}
          columns={columns}
          rows={data?.items ?? null}
          rowKey={({ id }) => id}
          rowName={({ title }) => title}
          skeletonRows={2}
          empty={
            <EmptyState icon="send" title={t('empty')}>
              {t('emptyMeans')}
            </EmptyState>
          }
          phoneGrid={PHONE_GRID}
          minWidth={900}
        />
      )}
      {data === undefined || data.items.length === 0 ? null : (
        <DeliveryLog webhooks={data.items} lookAgainMs={LOOK_AGAIN_MS} onSent={() => void refresh()} />
      )}
      {form === null ? null : (
        <WebhookForm
          webhook={form === 'new' ? null : form}
          onSaved={() => void refresh()}
          onClose={() => setForm(null)}
        />
      )}
      {shown === null ? null : <MadeSecret {...shown} isChanged onClose={() => setShown(null)} />}
      <ConfirmModal
        isOpen={asked !== null}
        withInfoIcon
        title={t(asked?.act === 'rotate' ? 'rotateTitle' : 'deleteTitle', { title: asked?.webhook.title })}
        tone={asked?.act === 'rotate' ? 'primary' : 'danger'}
        confirmLabel={t(asked?.act === 'rotate' ? 'rotate' : 'delete')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && void confirm(asked)}
      >
        {t(asked?.act === 'rotate' ? 'rotateText' : 'deleteText')}
      </ConfirmModal>
    </div>
  )
}
