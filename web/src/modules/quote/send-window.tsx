import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { previewQuote, sendQuote, type Quote } from '@waybill/contract/quote/quote'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import { PaperButton } from './paper-button.tsx'
import classes from './quote.module.css'

interface SendWindowProps {
  quote: Quote
  onSent: (quote: Quote) => void
  onClose: () => void
}

/** A quote as its customer will read it; sending it is the confirmation. */
export function SendWindow({ quote, onSent, onClose }: SendWindowProps) {
  const { t } = useTranslation('quote')
  const refusalWords = useRefusalWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['quotes', quote.id, 'mail', quote.version],
    queryFn: ({ signal }) => callApi(previewQuote, { params: { id: quote.id }, signal }),
    meta: { showsRefusals: true },
    gcTime: 0,
  })
  const [typed, setTyped] = useState<string | null>(null)
  const to = (typed ?? data?.to ?? '').trim()
  const key = useRef({ of: '', key: '' })
  const send = useMutation({
    mutationFn: () => {
      // One key for one intention: pressed again after a lost answer it is the same mail.
      if (key.current.of !== to) key.current = { of: to, key: newIdempotencyKey() }
      const { id, version } = quote
      return callApi(sendQuote, { params: { id }, version, body: { to }, idempotencyKey: key.current.key })
    },
    onSuccess: onSent,
  })
  const title = t('send.title', { number: quote.number })
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      title={title}
      closeLabel={t('close')}
      onSubmit={() => {
        if (to !== '' && data !== undefined && !send.isPending) send.mutate()
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
            title={to === '' ? t('need.address') : undefined}
          >
            {t('send.send')}
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
            label={t('send.to')}
            hint={data.to === null ? t('send.noAddress') : t('send.means')}
            isRequired
            type="email"
            maxLength={250}
            autoComplete="off"
            value={typed ?? data.to ?? ''}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <RefusedAddresses addresses={[to]} />
          <p className={classes.subject}>
            <span className={classes.dim}>{t('send.subject')}</span> <b>{data.subject}</b>
          </p>
          <p className={classes.subject}>
            <span className={classes.dim}>{t('send.paper')}</span> <PaperButton quote={quote} isSmall />
          </p>
          <iframe className={classes.frame} sandbox="" srcDoc={data.html} title={data.subject} />
        </>
      )}
    </ModalFrame>
  )
}
