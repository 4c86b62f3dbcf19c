import { resendEmail, type Email } from '@waybill/contract/email'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { useEmails } from './email-list-section.ts'
import classes from './email-section.module.css'

/** The mails of a record: to whom, and whether they left. */
export function EmailsSection({
  owner,
  isNarrow = false,
}: {
  owner: Readonly<Record<string, number>>
  /** Beside a form: each in lines below each other */
  isNarrow?: boolean
}) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const { data, error, refetch } = useEmails(owner)
  const [read, setRead] = useState<Email | null>(null)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={2} label={t('loading')} />
  if (data.items.length === 0) return <p className={classes.empty}>{t('none')}</p>
  return (
    <>
      <ul className={classes.list} data-narrow={isNarrow || undefined}>
        {data.items.map((email) => (
          <li key={email.id} className={classes.row} data-status={email.status}>
            <span className={classes.type}>{t(`types.${email.type}`)}</span>
            <span className={classes.to}>{email.to.join(', ')}</span>
            <EmailStatus email={email} />
            <Button size="compact-sm" variant="subtle" onClick={() => setRead(email)}>
              {t('read')}
            </Button>
          </li>
        ))}
      </ul>
      {read === null ? null : (
        <EmailModal email={read} owner={owner} onClose={() => setRead(null)} when={format.dateTime(read.createdAt)} />
      )}
    </>
  )
}

const ICONS = {
  planned: 'clock',
  queued: 'clock',
  waiting: 'clock',
  sent: 'check',
  failed: 'alert',
} as const satisfies Record<Email['status'], string>

function EmailStatus({ email }: { email: Email }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const words =
    email.sentAt === null ? t(`status.${email.status}`) : t('sentAt', { time: format.dayTime(email.sentAt) })
  return (
    <span className={classes.status} title={email.lastError ?? undefined}>
      <Icon name={ICONS[email.status]} size={13} /> {words}
    </span>
  )
}

/** A mail as it is or was sent. Its HTML is shown in a frame without scripts or rights. */
function EmailModal({
  email,
  owner,
  onClose,
  when,
}: {
  email: Email
  owner: Readonly<Record<string, number>>
  onClose: () => void
  when: string
}) {
  const { t } = useTranslation('email')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    try {
      await callApi(resendEmail, { params: { id: email.id }, body: {}, idempotencyKey: newIdempotencyKey() })
      notify({ tone: 'ok', title: t('queuedAgain'), closeLabel: t('close') })
      onClose()
    } catch (failure) {
      notify({ tone: 'danger', title: t('notQueued'), detail: errorText(failure), closeLabel: t('close') })
    }
    setBusy(false)
    void queries.invalidateQueries({ queryKey: ['emails', owner] })
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={email.subject}
      closeLabel={t('close')}
      onSubmit={onClose}
      footer={
        <>
          <Button loading={isBusy} onClick={() => void resend()}>
            {t('sendAgain')}
          </Button>
          <Button type="submit" variant="filled">
            {t('close')}
          </Button>
        </>
      }
    >
      <dl className={classes.facts}>
        <dt>{t('to')}</dt>
        <dd>{[...email.to, ...email.cc].join(', ')}</dd>
        <dt>{t('written')}</dt>
        <dd>{when}</dd>
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
      <iframe className={classes.body} sandbox="" srcDoc={email.html} title={email.subject} />
    </ModalFrame>
  )
}
