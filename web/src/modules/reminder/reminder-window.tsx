import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { previewReminder, previewReminderLetter, type DueReminder } from '@waybill/contract/reminder/reminder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { bytesOf, openFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import classes from './reminder.module.css'
import { whoseOf } from './use-reminders.ts'

interface ReminderWindowProps {
  reminders: readonly DueReminder[]
  sending: { done: number; of: number } | null
  onLeaveOut: (reminder: DueReminder) => void
  onSend: () => void
  onClose: () => void
}

/** The reminders one after the other as they would be sent, to look at, to leave out, and to send. */
export function ReminderWindow({ reminders, sending, onLeaveOut, onSend, onClose }: ReminderWindowProps) {
  const { t } = useTranslation('reminder')
  const [place, setPlace] = useState(0)
  const at = Math.min(place, reminders.length - 1)
  const shown = reminders[at]
  const isBusy = sending !== null
  const step = (by: 1 | -1) => setPlace(Math.max(0, Math.min(reminders.length - 1, at + by)))
  const leaveOut = () => {
    if (shown === undefined) return
    if (reminders.length === 1) onClose()
    onLeaveOut(shown)
  }
  const keys = { isEverywhere: true }
  useShortcut({ key: 'j', label: t('keys.next'), run: () => step(1), ...keys }, !isBusy)
  useShortcut({ key: 'k', label: t('keys.previous'), run: () => step(-1), ...keys }, !isBusy)
  useShortcut({ key: 'x', label: t('keys.leaveOut'), run: leaveOut, ...keys }, !isBusy)
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={
        <span className={classes.title}>
          {t('windowTitle', { number: at + 1, count: reminders.length })}
          {shown === undefined ? null : (
            <span className={classes.dim}>
              {shown.to === null
                ? t('levelOf', { level: shown.level })
                : t('levelTo', { level: shown.level, to: shown.to })}
            </span>
          )}
        </span>
      }
      closeLabel={t('close')}
      onSubmit={onSend}
      footer={
        <>
          <span className={classes.keys}>
            <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('keys.next')} <KeyHint>X</KeyHint> {t('keys.leaveOut')}
          </span>
          <Button disabled={isBusy} onClick={leaveOut}>
            {t('doLeaveOut')}
          </Button>
          <Button type="submit" variant="filled" disabled={shown === undefined || isBusy} data-autofocus>
            {sending === null
              ? t('send', { count: reminders.length })
              : t('sending', { done: sending.done, count: sending.of })}
          </Button>
        </>
      }
    >
      <div className={classes.walk}>
        <span className={classes.walkName}>
          {shown?.customer.title} <span className={classes.dim}>{shown?.company.title}</span>
        </span>
        <IconButton icon="chevronLeft" label={t('keys.previous')} disabled={at === 0} onClick={() => step(-1)} />
        <IconButton
          icon="chevronRight"
          label={t('keys.next')}
          disabled={at >= reminders.length - 1}
          onClick={() => step(1)}
        />
      </div>
      <RefusedAddresses addresses={[shown?.to]} />
      {shown?.to === null ? <Notice tone="warn">{t('holds')}</Notice> : null}
      {shown === undefined ? null : <Shown reminder={shown} />}
    </ModalFrame>
  )
}

function Shown({ reminder }: { reminder: DueReminder }) {
  const { t } = useTranslation('reminder')
  const format = useFormat()
  const errorText = useErrorText()
  const whose = whoseOf(reminder)
  const { data, error, refetch } = useQuery({
    queryKey: ['reminders', 'preview', whose, reminder.totalCents],
    queryFn: ({ signal }) => callApi(previewReminder, { body: whose, signal }),
    meta: { showsRefusals: true },
  })
  const letter = useMutation({
    mutationFn: () => callApi(previewReminderLetter, { body: whose }),
    onSuccess: ({ pdf, title }) => openFile(new Blob([bytesOf(pdf)], { type: 'application/pdf' }), title),
    onError: (fault) =>
      notify({ tone: 'danger', title: t('noLetter'), detail: errorText(fault), closeLabel: t('close') }),
  })
  return (
    <>
      {reminder.isRateOld ? <Notice tone="warn">{t('rateOld')}</Notice> : null}
      {data !== undefined && data.holes.length > 0 ? <Notice tone="danger">{t('holes')}</Notice> : null}
      <div className={classes.mail}>
        <p className={classes.subject}>
          <span className={classes.dim}>{t('subject')}</span> <b>{data?.subject}</b>
        </p>
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonLines lines={8} label={t('loading')} />
        ) : (
          <iframe className={classes.frame} sandbox="" srcDoc={data.html} title={data.subject} />
        )}
      </div>
      <table className={classes.claims}>
        <tbody>
          {reminder.items.map((item) => (
            <tr key={item.invoice.id}>
              <th scope="row">
                {item.invoice.title}{' '}
                <span className={classes.dim}>
                  {t('lateAtLevel', { late: t('daysLate', { count: item.daysLate }), level: item.level })}
                </span>
              </th>
              <td>{format.money(item.openCents)}</td>
            </tr>
          ))}
          {reminder.items.map((item) =>
            item.interestCents === 0 || item.rateBp === null ? null : (
              <tr key={item.invoice.id}>
                <th scope="row" className={classes.dim}>
                  {t('interest', { number: item.invoice.title, rate: format.percent(item.rateBp) })}
                </th>
                <td>{format.money(item.interestCents)}</td>
              </tr>
            ),
          )}
          {reminder.feeCents === 0 ? null : (
            <tr>
              <th scope="row" className={classes.dim}>
                {t('fee')}
              </th>
              <td>{format.money(reminder.feeCents)}</td>
            </tr>
          )}
          <tr className={classes.total}>
            <th scope="row">{t('toPay', { date: format.date(reminder.payUntil) })}</th>
            <td>{format.euro(reminder.totalCents)}</td>
          </tr>
        </tbody>
      </table>
      {data === undefined ? null : (
        <div className={classes.files}>
          {t('attached', { count: data.attachments.length })}
          <ul className={classes.dim}>
            {data.attachments.map(({ documentId, title }) => (
              <li key={title}>
                {documentId === null ? (
                  <button
                    type="button"
                    className={classes.link}
                    disabled={letter.isPending}
                    onClick={() => letter.mutate()}
                  >
                    {title}
                  </button>
                ) : (
                  title
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
