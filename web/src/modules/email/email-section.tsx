import type { Email } from '@waybill/contract/email'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon, type IconName } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { hasNoWords, isToCome, useEmails } from './email-list-section.ts'
import classes from './email-section.module.css'

const EmailWindow = lateWindow(() => import('./email-window.tsx').then((file) => file.EmailWindow))

/** The mails of a record on one line of time: what is to come, then what was, and why one did not go. */
export function EmailsSection({
  owner,
  isNarrow = false,
}: {
  owner: Readonly<Record<string, number>>
  /** Beside a form: each in lines below each other */
  isNarrow?: boolean
}) {
  const { t } = useTranslation('email')
  const { data, error, refetch } = useEmails(owner)
  const [open, setOpen] = useState<Email | null>(null)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={2} label={t('loading')} />
  if (data.items.length === 0) return <p className={classes.empty}>{t('none')}</p>
  const toCome = data.items.filter(isToCome).toSorted((one, other) => one.notBefore.localeCompare(other.notBefore))
  const done = data.items.filter((email) => !isToCome(email))
  const rows = (emails: readonly Email[]) => (
    <ul className={classes.list} data-narrow={isNarrow || undefined}>
      {emails.map((email) => (
        <EmailRow key={email.id} email={email} onOpen={() => setOpen(email)} />
      ))}
    </ul>
  )
  return (
    <>
      {toCome.length > 0 ? (
        <>
          <h4 className={classes.group}>{t('toCome')}</h4>
          {rows(toCome)}
        </>
      ) : null}
      {toCome.length > 0 && done.length > 0 ? <h4 className={classes.group}>{t('done')}</h4> : null}
      {rows(done)}
      {open === null ? null : <EmailWindow email={open} owner={owner} onClose={() => setOpen(null)} />}
    </>
  )
}

const ICONS = {
  planned: 'clock',
  queued: 'clock',
  waiting: 'clock',
  sent: 'check',
  failed: 'alert',
  held: 'alert',
  suppressed: 'close',
} as const satisfies Record<Email['status'], IconName>

/** Who it goes to, as far as that is known. */
function useReceiver() {
  const { t } = useTranslation('email')
  return ({ to, customer, type }: Email): string => {
    if (to.length > 0) return to.join(', ')
    return type === 'order_resolved' ? t('disponent') : (customer?.title ?? t('contactPerson'))
  }
}

function EmailRow({ email, onOpen }: { email: Email; onOpen: () => void }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const receiver = useReceiver()
  const at =
    email.sentAt ?? (email.status === 'planned' && email.waitsFor === 'time' ? email.notBefore : email.createdAt)
  return (
    <li className={classes.row} data-status={email.status}>
      <span className={classes.mark}>
        <Icon name={ICONS[email.status]} size={13} />
      </span>
      <time className={classes.when} dateTime={at}>
        {format.dayTime(at)}
      </time>
      <span className={classes.type}>
        {t(`types.${email.type}`)}
        {email.route === null ? null : <i className={classes.route}>/{email.route.title.split('/').at(-1)}</i>}
      </span>
      <span className={classes.to}>{receiver(email)}</span>
      <EmailStatus email={email} />
      <Button size="compact-sm" variant="subtle" onClick={onOpen}>
        {hasNoWords(email) ? t('preview') : t('read')}
      </Button>
    </li>
  )
}

function EmailStatus({ email }: { email: Email }) {
  const { t } = useTranslation('email')
  const { status, waitsFor, reason, lastError } = email
  const word = t(`status.${status === 'planned' && waitsFor === 'document' ? 'document' : status}`)
  const why = reason !== null ? t(`reasons.${reason}`) : status === 'failed' ? lastError : null
  return (
    <span className={classes.status} title={lastError ?? undefined}>
      {word} {why === null ? null : <small className={classes.why}>{why}</small>}
    </span>
  )
}
