import { getEmail, hasNoWords, isTried, type EmailRow } from '@waybill/contract/email'
import { mayCancel, mayResend, mayUndoCancel } from '@waybill/contract/email/may-send'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { EmailFiles, MissingValues, UndoWords } from './email-parts.tsx'
import { EmailPlanInWindow } from './email-plan.tsx'
import { useKeptAddress } from './keep-address-section.tsx'
import { RefusedAddresses } from './refused-address-section.tsx'
import classes from './email-section.module.css'
import { addressesIn, useEmailActions } from './use-email-actions.ts'

interface EmailWindowProps {
  email: EmailRow
  onClose: () => void
}

/** A mail as it left, or as it would be now; and what can still be done with it. */
export function EmailWindow({ email: listed, onClose }: EmailWindowProps) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const isUnsaid = hasNoWords(listed)
  const shown = useQuery({
    queryKey: ['email', listed.id],
    queryFn: ({ signal }) => callApi(getEmail, { params: { id: listed.id }, signal }),
    enabled: isUnsaid || mayUndoCancel(listed) || listed.html === null,
    staleTime: 0,
  })
  const email = shown.data ?? listed
  const typing = useKept<string | null>('emails/to', listed.id, null)
  const typed = typing.values
  const giveUp = () => {
    void typing.forget()
    onClose()
  }
  const to = typed ?? email.to.join(', ')
  const withoutAddress = (isUnsaid && shown.data?.withoutAddress) || null
  const kept = useKeptAddress(withoutAddress, email.customer?.id ?? null, addressesIn(to))
  const { act, busy } = useEmailActions(listed.id, giveUp)
  const undo = shown.data?.undo ?? null
  const isComing = (isUnsaid || listed.html === null) && shown.isPending
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={email.subject || t(`types.${email.type}`)}
      closeLabel={t('close')}
      onSubmit={giveUp}
      footer={
        <>
          {mayCancel(listed) ? (
            <Button variant="subtle" loading={busy === 'cancel'} onClick={() => act('cancel')}>
              {t('cancelMail')}
            </Button>
          ) : null}
          {undo !== null && undo.against === null ? (
            <Button variant="subtle" loading={busy === 'undo'} onClick={() => act('undo')}>
              {t('undoCancel')}
            </Button>
          ) : null}
          {isUnsaid ? (
            <Button
              loading={busy === 'send'}
              disabled={shown.isPending}
              onClick={() => act('send', addressesIn(to), kept.keep)}
            >
              {listed.status === 'planned' ? t('sendNow') : t('sendAnyway')}
            </Button>
          ) : mayResend(listed) ? (
            <Button loading={busy === 'resend'} onClick={() => act('resend')}>
              {t(isTried(listed) ? 'sendAgain' : 'sendAnyway')}
            </Button>
          ) : null}
          <Button type="submit" variant="filled">
            {t('close')}
          </Button>
        </>
      }
    >
      {shown.error ? <LoadError error={shown.error} onRetry={() => void shown.refetch()} /> : null}
      {isComing ? (
        <SkeletonLines lines={6} label={t('loading')} />
      ) : (
        <>
          {shown.data === undefined ? null : <EmailPlanInWindow email={shown.data} />}
          <UndoWords undo={undo} />
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
                <dd>
                  <EmailFiles email={email} />
                </dd>
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
                onChange={(event) => typing.set(event.currentTarget.value)}
              />
              {kept.field}
              <RefusedAddresses addresses={addressesIn(to)} />
              <MissingValues keys={email.missing} />
              <p className={classes.note}>{t('asItWouldBe')}</p>
            </>
          ) : null}
          <iframe className={classes.body} sandbox="" srcDoc={email.html ?? ''} title={email.subject} />
        </>
      )}
    </ModalFrame>
  )
}
