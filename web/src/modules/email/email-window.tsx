import { cancelEmail, getEmail, resendEmail, sendEmailNow, type Email } from '@waybill/contract/email'
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { hasNoWords } from './email-list-section.ts'
import classes from './email-section.module.css'

interface EmailWindowProps {
  email: Email
  owner: Readonly<Record<string, number>>
  onClose: () => void
}

/** A mail as it left, or as it would be now; and what can still be done with it. */
export function EmailWindow({ email: listed, owner, onClose }: EmailWindowProps) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const isUnsaid = hasNoWords(listed)
  const shown = useQuery({
    queryKey: ['email', listed.id],
    queryFn: ({ signal }) => callApi(getEmail, { params: { id: listed.id }, signal }),
    enabled: isUnsaid,
    staleTime: 0,
  })
  const email = shown.data ?? listed
  const [typed, setTyped] = useState<string | null>(null)
  const to = typed ?? email.to.join(', ')
  const { act, busy } = useActions(listed, owner, onClose)
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={email.subject || t(`types.${email.type}`)}
      closeLabel={t('close')}
      onSubmit={onClose}
      footer={
        <>
          {isUnsaid ? (
            <>
              {listed.status === 'suppressed' ? null : (
                <Button variant="subtle" loading={busy === 'cancel'} onClick={() => act('cancel')}>
                  {t('cancelMail')}
                </Button>
              )}
              <Button loading={busy === 'send'} disabled={shown.isPending} onClick={() => act('send', addresses(to))}>
                {listed.status === 'planned' ? t('sendNow') : t('sendAnyway')}
              </Button>
            </>
          ) : (
            <Button loading={busy === 'resend'} onClick={() => act('resend')}>
              {t('sendAgain')}
            </Button>
          )}
          <Button type="submit" variant="filled">
            {t('close')}
          </Button>
        </>
      }
    >
      {shown.error ? <LoadError error={shown.error} onRetry={() => void shown.refetch()} /> : null}
      {isUnsaid && shown.isPending ? (
        <SkeletonLines lines={6} label={t('loading')} />
      ) : (
        <>
          <dl className={classes.facts}>
            {isUnsaid ? null : (
              <>
                <dt>{t('to')}</dt>
                <dd>{[...email.to, ...email.cc].join(', ')}</dd>
              </>
            )}
            <dt>{t('written')}</dt>
            <dd>{format.dateTime(email.createdAt)}</dd>
            {email.attachments.length > 0 ? (
              <>
                <dt>{t('attachments')}</dt>
                <dd>{email.attachments.map(({ title }) => title).join(', ')}</dd>
              </>
            ) : null}
            {email.lastError === null ? null : (
              <>
                <dt>{t('lastError')}</dt>
                <dd className={classes.error}>{email.lastError}</dd>
              </>
            )}
          </dl>
          {isUnsaid ? (
            <>
              <TextInput
                label={t('receiver')}
                value={to}
                type="text"
                inputMode="email"
                data-autofocus
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <MissingValues keys={email.missing} />
              <p className={classes.note}>{t('asItWouldBe')}</p>
            </>
          ) : null}
          <iframe className={classes.body} sandbox="" srcDoc={email.html} title={email.subject} />
        </>
      )}
    </ModalFrame>
  )
}

const addresses = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean)

/** What has no value yet, by the names of the catalogue, which nothing else of an order's form needs. */
function MissingValues({ keys }: { keys: readonly string[] }) {
  const { t, i18n } = useTranslation('email')
  const catalogue = useQuery({
    queryKey: ['email-variables'],
    queryFn: () => import('@waybill/contract/email/variables').then(({ VARIABLES }) => VARIABLES),
    enabled: keys.length > 0,
    staleTime: Infinity,
  })
  if (keys.length === 0) return null
  const nameOf = (key: string): string => {
    const found = (catalogue.data as Record<string, { name: Record<string, string> }> | undefined)?.[key]
    return found?.name[i18n.language] ?? key
  }
  return <p className={classes.error}>{t('missing', { names: keys.map(nameOf).join(', ') })}</p>
}

type Action = 'cancel' | 'send' | 'resend'

function useActions({ id }: Email, owner: Readonly<Record<string, number>>, onDone: () => void) {
  const { t } = useTranslation('email')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [busy, setBusy] = useState<Action | null>(null)
  const call = (action: Action, to: string[]) => {
    const params = { id }
    if (action === 'cancel') return callApi(cancelEmail, { params, idempotencyKey: newIdempotencyKey() })
    if (action === 'resend') return callApi(resendEmail, { params, body: {}, idempotencyKey: newIdempotencyKey() })
    return callApi(sendEmailNow, { params, body: to.length > 0 ? { to } : {}, idempotencyKey: newIdempotencyKey() })
  }
  const act = async (action: Action, to: string[] = []) => {
    setBusy(action)
    try {
      await call(action, to)
      const said = action === 'cancel' ? 'canceled' : action === 'resend' ? 'queuedAgain' : 'sent'
      notify({ tone: 'ok', title: t(said), closeLabel: t('close') })
      onDone()
    } catch (failure) {
      const title = action === 'resend' ? t('notQueued') : t('failedAction')
      notify({ tone: 'danger', title, detail: errorText(failure), closeLabel: t('close') })
    }
    setBusy(null)
    void queries.invalidateQueries({ queryKey: ['emails', owner] })
  }
  return { act: (action: Action, to?: string[]) => void act(action, to), busy }
}
