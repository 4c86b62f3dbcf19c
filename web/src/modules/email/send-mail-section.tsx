import { Button } from '@mantine/core'
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
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
  title: string
  sendLabel: string
  /** the mail as it would go */
  mail: Pick<UseQueryResult<ShownMail>, 'data' | 'error' | 'refetch'>
  /** sends it to an address */
  send: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>
  /** below the address, where one is known */
  hint?: string
  /** between the subject and the mail */
  children?: ReactNode
  onClose: () => void
}

/** A mail as its receiver will read it; sending it is the confirmation. */
export function SendMailSection({ title, sendLabel, mail, send, hint, children, onClose }: SendMailProps) {
  const { t } = useTranslation('send-mail')
  const refusalWords = useRefusalWords()
  const { data, error, refetch } = mail
  const [typed, setTyped] = useState<string | null>(null)
  const to = (typed ?? data?.to ?? '').trim()
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      title={title}
      closeLabel={t('close')}
      onSubmit={() => {
        if (to !== '' && data !== undefined && !send.isPending) send.mutate(to)
      }}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
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
            onChange={(event) => setTyped(event.currentTarget.value)}
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
