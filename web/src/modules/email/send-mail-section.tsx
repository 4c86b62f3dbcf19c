import { Button } from '@mantine/core'
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { RefusedAddresses } from './refused-address-section.tsx'
import classes from './send-mail-section.module.css'

interface ShownMail {
  to: string | null
  subject: string
  html: string
}

interface SendMailProps {
  /** Of what it is, and of which one: an address that is typed is kept under this name until it is sent or given up */
  of: { path: string; id: number }
  title: string
  sendLabel: string
  /** the mail as it would go */
  mail: Pick<UseQueryResult<ShownMail>, 'data' | 'error' | 'refetch'>
  /** sends it to an address */
  send: Pick<UseMutationResult<unknown, Error, string>, 'mutateAsync' | 'isPending' | 'error'>
  /** below the address, where one is known */
  hint?: string
  /** between the subject and the mail */
  children?: ReactNode
  onClose: () => void
}

/** A mail as its receiver will read it; sending it is the confirmation. */
export function SendMailSection({ of, title, sendLabel, mail, send, hint, children, onClose }: SendMailProps) {
  const { t } = useTranslation('send-mail')
  const refusalWords = useRefusalWords()
  const { data, error, refetch } = mail
  const kept = useKept<string | null>(of.path, of.id, null)
  const typed = kept.values
  const to = (typed ?? data?.to ?? '').trim()
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={giveUp}
      title={title}
      closeLabel={t('close')}
      onSubmit={() => {
        // What is refused stands above the mail.
        if (to !== '' && data !== undefined && !send.isPending) send.mutateAsync(to).then(kept.forget, () => undefined)
      }}
      footer={
        <>
          <Button variant="default" onClick={giveUp}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={send.isPending}
            disabled={to === '' || data === undefined}
            title={to === '' ? t('needAddress') : undefined}
          >
            {sendLabel}
          </Button>
        </>
      }
    >
      {send.error === null ? null : (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(send.error))].join('. ')}
        </Notice>
      )}
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={8} label={title} />
      ) : (
        <>
          <TextField
            label={t('to')}
            hint={data.to === null ? t('noAddress') : hint}
            isRequired
            type="email"
            maxLength={250}
            autoComplete="off"
            value={typed ?? data.to ?? ''}
            onChange={(event) => kept.set(event.currentTarget.value)}
          />
          <RefusedAddresses addresses={[to]} />
          <p className={classes.subject}>
            <span className={classes.dim}>{t('subject')}</span> <b>{data.subject}</b>
          </p>
          {children}
          <iframe className={classes.frame} sandbox="" srcDoc={data.html} title={data.subject} />
        </>
      )}
    </ModalFrame>
  )
}
