import type { IntakeMailbox } from '@waybill/contract/intake/intake'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from './intake.module.css'

/** Whether mails still come from the mailbox: one that cannot be read keeps orders from everybody. */
export function MailboxState({
  mailbox: { name, readAt, fault, faultSince, refusedCount, refusedFolder },
}: {
  mailbox: IntakeMailbox
}) {
  const { t } = useTranslation('intake')
  const format = useFormat()
  if (fault !== null)
    return (
      <div className={classes.notice} role="status">
        <Notice tone="danger">
          {t(`mailbox.fault.${fault}`, { name })} {t('mailbox.since', { time: format.dateTime(faultSince!) })}
        </Notice>
      </div>
    )
  return (
    <>
      <p className={classes.mailbox}>
        {readAt === null ? t('mailbox.notYet', { name }) : t('mailbox.readAt', { name, time: format.dateTime(readAt) })}
      </p>
      {refusedCount === 0 ? null : (
        <div className={classes.notice} role="status">
          <Notice tone="warn">{t('mailbox.refused', { count: refusedCount, folder: refusedFolder })}</Notice>
        </div>
      )}
    </>
  )
}
