import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  createWebhook,
  replaceWebhook,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '@waybill/contract/webhook/webhook'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import type { Draft, DraftKey } from '../../kit/form/state/draft-store.ts'
import { draftKeyOf } from '../../kit/form/state/use-form-record.ts'
import { useKeptTyping, useUnsaved } from '../../kit/form/state/use-kept-typing.ts'
import { isSame } from '../../kit/form/state/values.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { CopyButton } from '../../kit/session/copy-button.tsx'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './webhook.module.css'

/** Under one heading each: what comes before the dot. */
const SUBJECTS = ['order', 'route', 'invoice', 'document'] as const

interface WebhookFormProps {
  /** null: a new one */
  webhook: Webhook | null
  onSaved: () => void
  onClose: () => void
}

/** What a webhook is called, where it leads and what it is told; of a new one its secret then, this once. */
export function WebhookForm(props: WebhookFormProps) {
  const draftKey = draftKeyOf({ path: 'webhooks' }, props.webhook?.id ?? 'new')
  const unsaved = useUnsaved<TypedWebhook>(draftKey)
  return unsaved === undefined ? null : <Form {...props} draftKey={draftKey} unsaved={unsaved} />
}

interface TypedWebhook {
  title: string
  url: string
  events: readonly WebhookEvent[]
}

interface FormProps extends WebhookFormProps {
  draftKey: DraftKey
  /** What was typed before on this device, and not saved */
  unsaved: Draft<TypedWebhook> | null
}

function Form({ webhook, onSaved, onClose, draftKey, unsaved }: FormProps) {
  const { t } = useTranslation('webhook')
  const refusalWords = useRefusalWords()
  const [first] = useState<TypedWebhook>({
    title: webhook?.title ?? '',
    url: webhook?.url ?? 'https://',
    events: webhook?.events ?? [],
  })
  const [values, setValues] = useState(unsaved?.values ?? first)
  const { title, url, events } = values
  const change = (part: Partial<TypedWebhook>) => setValues({ ...values, ...part })
  // Typed upon an older version it is refused before it writes over what others have saved.
  const version = unsaved?.version ?? webhook?.version ?? null
  const kept = useKeptTyping(draftKey, { values: isSame(values, first) ? null : values, base: first, version })
  const close = () => {
    void kept.forget()
    onClose()
  }
  const save = useMutation({
    mutationFn: async () => {
      const body = { title: title.trim(), url: url.trim(), events: [...events] }
      if (webhook === null) return callApi(createWebhook, { body })
      await callApi(replaceWebhook, { params: { id: webhook.id }, version: version!, body })
      return null
    },
    onSuccess: (made) => {
      void kept.forget()
      onSaved()
      if (made === null) onClose()
    },
  })
  const why =
    title.trim() === ''
      ? t('need.title')
      : !/^https:\/\/./.test(url.trim())
        ? t('need.url')
        : events.length === 0
          ? t('need.events')
          : null
  if (save.data) return <MadeSecret title={save.data.title} secret={save.data.secret} onClose={onClose} />
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={webhook === null ? t('new') : t('editOne', { title: webhook.title })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (why === null && !save.isPending) save.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={save.isPending}
            disabled={why !== null}
            title={why ?? undefined}
          >
            {webhook === null ? t('make') : t('save')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {save.error === null ? null : (
          <Notice tone="danger" isUrgent>
            {[...new Set(refusalWords(save.error))].join('. ')}
          </Notice>
        )}
        <TextField
          data-autofocus
          label={t('field.title')}
          hint={t('field.titleMeans')}
          isRequired
          maxLength={100}
          autoComplete="off"
          value={title}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <TextField
          label={t('field.url')}
          hint={t('field.urlMeans')}
          isRequired
          type="url"
          inputMode="url"
          maxLength={500}
          autoComplete="off"
          value={url}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <EventChoices chosen={events} onChange={(events) => change({ events })} />
      </div>
    </ModalFrame>
  )
}

function EventChoices({
  chosen,
  onChange,
}: {
  chosen: readonly WebhookEvent[]
  onChange: (chosen: readonly WebhookEvent[]) => void
}) {
  const { t } = useTranslation('webhook')
  const isAll = chosen.length === WEBHOOK_EVENTS.length
  return (
    <fieldset className={classes.events}>
      <legend>{t('field.events')}</legend>
      <CheckField
        label={t('allEvents')}
        checked={isAll}
        indeterminate={!isAll && chosen.length > 0}
        onChange={() => onChange(isAll ? [] : WEBHOOK_EVENTS)}
      />
      <div className={classes.subjects}>
        {SUBJECTS.map((subject) => (
          <div role="group" aria-label={t(`subject.${subject}`)} className={classes.subject} key={subject}>
            <span className={classes.subjectTitle}>{t(`subject.${subject}`)}</span>
            {WEBHOOK_EVENTS.filter((event) => event.startsWith(`${subject}.`)).map((event) => (
              <CheckField
                key={event}
                label={t(`events.${event}`)}
                checked={chosen.includes(event)}
                onChange={({ currentTarget }) =>
                  onChange(currentTarget.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
                }
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** The secret itself, told this once. */
export function MadeSecret({
  title,
  secret,
  isChanged = false,
  onClose,
}: {
  title: string
  secret: string
  /** there was one before, which counts for a day beside it */
  isChanged?: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('webhook')
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('made.title', { title })}
      closeLabel={t('close')}
      onSubmit={onClose}
      footer={
        <Button type="submit" variant="filled">
          {t('made.done')}
        </Button>
      }
    >
      <div className={classes.form}>
        <Notice tone="warn" icon="key">
          {t(isChanged ? 'made.changed' : 'made.text')}
        </Notice>
        <p className={classes.secret} aria-label={t('made.secret')} role="group" tabIndex={0} data-autofocus>
          {secret}
        </p>
        <span className={classes.copy}>
          <CopyButton text={secret} label={t('made.copy')} />
        </span>
      </div>
    </ModalFrame>
  )
}
