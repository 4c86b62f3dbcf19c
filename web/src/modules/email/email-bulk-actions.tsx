import { Button } from '@mantine/core'
import { MOST_IDS } from '@waybill/contract/kit/paging'
import { resendEmails, type EmailRow } from '@waybill/contract/email'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import type { RowSelection } from '../../kit/list/page/row-selection.ts'
import type { List } from '../../kit/list/page/use-list.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './email-list-page.module.css'
import { useEmailWords } from './email-words.ts'

interface Left {
  email: EmailRow
  why: 'not_found' | 'forbidden' | 'conflict' | 'validation'
}

/** Sends the chosen mails again; which stayed as they were is told one by one, and those stay chosen. */
export function EmailBulkActions({ selection, list }: { selection: RowSelection<EmailRow>; list: List<EmailRow> }) {
  const { t } = useTranslation('email')
  const errorText = useErrorText()
  const { receiver } = useEmailWords()
  const [isBusy, setBusy] = useState(false)
  const [left, setLeft] = useState<readonly Left[]>([])
  const { rows } = selection
  const isTooMany = rows.length > MOST_IDS
  const send = async () => {
    setBusy(true)
    try {
      const { items } = await callApi(resendEmails, {
        body: { ids: rows.map(({ id }) => id) },
        idempotencyKey: newIdempotencyKey(),
      })
      const count = items.filter(({ copyId }) => copyId !== null).length
      const stayed = items.flatMap(({ id, code }): Left[] => {
        const email = rows.find((row) => row.id === id)
        return code === null || email === undefined ? [] : [{ email, why: code }]
      })
      if (count > 0) notify({ tone: 'ok', title: t('resend.done', { count }), closeLabel: t('close') })
      setLeft(stayed)
      selection.choose(new Set(stayed.map(({ email }) => email.id)))
      list.retry()
    } catch (failure) {
      notify({ tone: 'danger', title: t('notQueued'), detail: errorText(failure), closeLabel: t('close') })
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        size="compact-sm"
        leftSection={<Icon name="send" />}
        loading={isBusy}
        disabled={isTooMany}
        title={isTooMany ? t('resend.tooMany', { max: MOST_IDS }) : undefined}
        onClick={() => void send()}
      >
        {t('resend.button')}
      </Button>
      <ModalFrame
        isOpen={left.length > 0}
        onClose={() => setLeft([])}
        onSubmit={() => setLeft([])}
        title={t('resend.leftTitle')}
        closeLabel={t('close')}
        footer={
          <Button type="submit" variant="filled">
            {t('close')}
          </Button>
        }
      >
        {t('resend.left')}
        <ul className={classes.left}>
          {left.map(({ email, why }) => (
            <li key={email.id}>
              <b>{t(`types.${email.type}`)}</b> {receiver(email)}: {t(`resend.why.${why}`)}
            </li>
          ))}
        </ul>
      </ModalFrame>
    </>
  )
}
