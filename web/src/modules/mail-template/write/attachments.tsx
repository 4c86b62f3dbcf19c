import { Button, Checkbox } from '@mantine/core'
import { generateOrderPaper } from '@waybill/contract/document'
import type { FormErrorCode } from '@waybill/contract/errors'
import { MAX_ATTACHED_MB, type MailPage } from '@waybill/contract/email/by-hand'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { Section } from '../../../ui/page/section.tsx'
import classes from './write.module.css'

interface AttachmentsProps {
  page: MailPage
  chosen: readonly number[]
  error?: string | undefined
  onChange: (documentIds: number[]) => void
  /** Papers were made: the page is to be read anew */
  onMade: (documentIds: number[]) => void
}

const MB = 1024 * 1024

/** The files of the order: what goes with the mail, what cannot and why, and what can still be made. */
export function Attachments({ page, chosen, error, onChange, onMade }: AttachmentsProps) {
  const { t } = useTranslation('email-write')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const size = (bytes: number) =>
    bytes < MB ? `${format.number(Math.max(1, Math.round(bytes / 1024)))} kB` : `${format.number(bytes / MB, 1, 1)} MB`
  const ticked = page.documents.filter(({ documentId }) => chosen.includes(documentId))
  const sum = ticked.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  const files =
    ticked.length === 0
      ? null
      : t('files', { count: ticked.length, size: size(sum), most: format.number(MAX_ATTACHED_MB) })
  // The invoice goes with it, though it has neither number nor size before it is sent.
  const summary = [page.paper?.title, files].filter(Boolean).join(' + ') || t('noFiles')
  return (
    <Section title={t('attachments')} summary={summary} isFlush>
      {error === undefined ? null : <p className={classes.error}>{error}</p>}
      {page.documents.length + page.makeable.length === 0 && page.paper === null ? (
        <p className={classes.none}>{t('nothingToAttach')}</p>
      ) : null}
      <ul className={classes.files}>
        {page.paper === null ? null : (
          <li>
            <Checkbox disabled checked readOnly label={page.paper.title} description={t('attachedAtSending')} />
          </li>
        )}
        {page.documents.map(({ documentId, documentType, title, sizeBytes, refusedFor, state, sentAt }) => (
          <li key={documentId} data-off={refusedFor !== null || undefined}>
            <Checkbox
              label={title}
              description={
                refusedFor === null
                  ? [
                      t(`documentType.${documentType}` as 'documentType.CMR_NOTE'),
                      state === null || state === 'current' ? null : t(`state.${state}`),
                      sentAt === null ? null : t('sentAt', { at: format.dayTime(sentAt) }),
                    ]
                      .filter(Boolean)
                      .join(' · ')
                  : fieldErrorText(refusedFor)
              }
              checked={chosen.includes(documentId)}
              disabled={refusedFor !== null}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, documentId] : chosen.filter((one) => one !== documentId))
              }
            />
            <span className={classes.size}>{size(sizeBytes)}</span>
          </li>
        ))}
        {page.makeable.map((paper) => (
          <Makeable
            key={`${paper.documentType} ${paper.routeId} ${paper.wish?.dropOffId}`}
            page={page}
            paper={paper}
            onMade={onMade}
          />
        ))}
      </ul>
    </Section>
  )
}

function Makeable({
  page,
  paper: { documentType, routeId, wish, hindrance },
  onMade,
}: Pick<AttachmentsProps, 'page' | 'onMade'> & { paper: MailPage['makeable'][number] }) {
  const { t } = useTranslation('email-write')
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      const { items } = await callApi(generateOrderPaper, {
        params: { id: page.record.id },
        body: wish === undefined ? { documentType, routeId } : (wish as z.input<typeof generateOrderPaper.body>),
        version: page.record.version,
        idempotencyKey: newIdempotencyKey(),
      })
      onMade(items.map(({ id }) => id))
    } catch (error) {
      notify({ tone: 'danger', title: t('notMade'), detail: refusalWords(error).join(' '), closeLabel: t('close') })
    }
    setBusy(false)
  }
  const route = page.routes.find(({ id }) => id === routeId)
  return (
    <li>
      <Checkbox
        disabled
        checked={false}
        readOnly
        label={[t(`documentType.${documentType}`), route?.title].filter(Boolean).join(', ')}
        description={hindrance === undefined ? t('notMadeYet') : fieldErrorText(hindrance as FormErrorCode)}
      />
      {hindrance === undefined ? (
        <Button size="compact-sm" loading={isBusy} onClick={() => void make()}>
          {t('generate')}
        </Button>
      ) : null}
    </li>
  )
}
