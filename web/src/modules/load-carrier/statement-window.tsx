import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  getStatementLetter,
  previewStatement,
  sendStatement,
  type HolderKind,
} from '@waybill/contract/load-carrier/account'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { openFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText, useRefusalWords } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import classes from './load-carrier.module.css'

interface StatementWindowProps {
  holder: { kind: HolderKind; id: number }
  title: string
  onSent: () => void
  onClose: () => void
}

/** The statement of an account as its holder will read it; sending it is the confirmation. */
export function StatementWindow({ holder, title, onSent, onClose }: StatementWindowProps) {
  const { t } = useTranslation('load-carrier')
  const refusalWords = useRefusalWords()
  const errorText = useErrorText()
  const { data, error, refetch } = useQuery({
    queryKey: ['load-carriers', 'statement', holder],
    queryFn: ({ signal }) => callApi(previewStatement, { query: { holder: holder.kind, holderId: holder.id }, signal }),
    meta: { showsRefusals: true },
    gcTime: 0,
  })
  const [typed, setTyped] = useState<string | null>(null)
  const to = (typed ?? data?.to ?? '').trim()
  const key = useRef({ of: '', key: '' })
  const send = useMutation({
    mutationFn: () => {
      const body = { holder, to, balances: data!.balances }
      // One key for one intention: pressed again after a lost answer it is the same mail.
      const text = JSON.stringify(body)
      if (key.current.of !== text) key.current = { of: text, key: newIdempotencyKey() }
      return callApi(sendStatement, { body, idempotencyKey: key.current.key })
    },
    onSuccess: () => {
      notify({ tone: 'ok', title: t('statement.sent', { to }), closeLabel: t('close') })
      onSent()
      onClose()
    },
    // The balance may have moved meanwhile: what is shown is what would be sent now.
    onError: () => void refetch(),
  })
  const letter = useMutation({
    mutationFn: () => callFile(getStatementLetter, { query: { holder: holder.kind, holderId: holder.id } }),
    onSuccess: ({ blob, fileName }) => openFile(blob, fileName),
    onError: (fault) =>
      notify({ tone: 'danger', title: t('statement.noLetter'), detail: errorText(fault), closeLabel: t('close') }),
  })
  const why = to === '' ? t('need.address') : null
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      title={t('statement.title', { title })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (why === null && data !== undefined && !send.isPending) send.mutate()
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
            disabled={why !== null || data === undefined}
            title={why ?? undefined}
          >
            {t('statement.send')}
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
        <SkeletonLines lines={8} label={t('statement.title', { title })} />
      ) : (
        <>
          <TextField
            label={t('statement.to')}
            hint={data.to === null ? t('statement.noAddress') : undefined}
            isRequired
            type="email"
            maxLength={250}
            autoComplete="off"
            value={typed ?? data.to ?? ''}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <RefusedAddresses addresses={[to]} />
          <p className={classes.subject}>
            <span className={classes.dim}>{t('statement.subject')}</span> <b>{data.subject}</b>
          </p>
          <p className={classes.subject}>
            <span className={classes.dim}>{t('statement.letterMeans')}</span>{' '}
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Icon name="file" />}
              loading={letter.isPending}
              onClick={() => letter.mutate()}
            >
              {t('statement.letter')}
            </Button>
          </p>
          <iframe className={classes.frame} sandbox="" srcDoc={data.html} title={data.subject} />
        </>
      )}
    </ModalFrame>
  )
}
