import { hasNoWords, type EmailRow } from '@waybill/contract/email'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { isToCome, useEmails } from './email-list-section.ts'
import classes from './email-section.module.css'
import { EMAIL_ICONS, useEmailWords } from './email-words.ts'

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
  const [open, setOpen] = useState<EmailRow | null>(null)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={2} label={t('loading')} />
  if (data.items.length === 0) return <p className={classes.empty}>{t('none')}</p>
  const toCome = data.items.filter(isToCome).toSorted((one, other) => one.notBefore.localeCompare(other.notBefore))
  const done = data.items.filter((email) => !isToCome(email))
  const rows = (emails: readonly EmailRow[]) => (
    <ul className={classes.list} data-narrow={isNarrow || undefined}>
      {emails.map((email) => (
        <EmailLine key={email.id} email={email} onOpen={() => setOpen(email)} />
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
      {done.length > 0 ? rows(done) : null}
      {open === null ? null : <EmailWindow email={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function EmailLine({ email, onOpen }: { email: EmailRow; onOpen: () => void }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const { receiver } = useEmailWords()
  const at =
    email.sentAt ?? (email.status === 'planned' && email.waitsFor === 'time' ? email.notBefore : email.createdAt)
  return (
    <li className={classes.row} data-status={email.status}>
      <span className={classes.mark}>
        <Icon name={EMAIL_ICONS[email.status]} size={13} />
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

function EmailStatus({ email }: { email: EmailRow }) {
  const words = useEmailWords()
  const why = words.why(email)
  return (
    <span className={classes.status} title={email.lastError ?? undefined}>
      {words.state(email)} {why === null ? null : <small className={classes.why}>{why}</small>}
    </span>
  )
}
