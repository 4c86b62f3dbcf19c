import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { previewRetention, type PersonKind, type RetentionPreview } from '@waybill/contract/operations/retention'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './operations-page.module.css'
import { usePeriodText } from './period-text.ts'

interface Asked {
  kind: PersonKind
  months: number
}

/** Who would become anonymous tonight by a period, and who stays and why; nothing is changed by it. */
export function RetentionPreviewWindow({ shown, onClose }: { shown: Asked | null; onClose: () => void }) {
  const { t } = useTranslation('operations')
  const periodText = usePeriodText()
  // While it leaves it shows what it did.
  const [last, setLast] = useState(shown)
  if (shown !== null && shown !== last) setLast(shown)
  return (
    <ModalFrame
      isOpen={shown !== null}
      onClose={onClose}
      title={
        last === null
          ? ''
          : t('retention.previewTitle', { kind: t(`retention.kinds.${last.kind}`), period: periodText(last.months) })
      }
      closeLabel={t('close')}
      footer={
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      {last === null ? null : <Preview asked={last} />}
    </ModalFrame>
  )
}

function Preview({ asked }: { asked: Asked }) {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery({
    queryKey: ['operations', 'retention', asked],
    queryFn: ({ signal }) => callApi(previewRetention, { query: { kind: asked.kind, months: asked.months }, signal }),
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })
  if (data !== undefined) return <Found kind={asked.kind} found={data} />
  return error === null ? (
    <SkeletonLines lines={6} label={t('retention.previewLoading')} />
  ) : (
    <LoadError error={error} onRetry={() => void refetch()} />
  )
}

/** Typed at orders: their order is named, where others have a company. */
const TYPED: readonly PersonKind[] = ['routePerson', 'stopContact']

function Found({ kind, found: { due, dueCount, stays } }: { kind: PersonKind; found: RetentionPreview }) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const number = format.number(dueCount)
  const isTyped = TYPED.includes(kind)
  return (
    <div className={classes.held}>
      <p>{dueCount === 0 ? t('retention.dueNone') : t('retention.due', { count: dueCount, number })}</p>
      {stays.length === 0 ? null : (
        <>
          <p>{t('retention.stays')}</p>
          <ul>
            {stays.map(({ reason, count }) => (
              <li key={reason}>{t(`retention.why.${reason}`, { count, number: format.number(count) })}</li>
            ))}
          </ul>
        </>
      )}
      {due.length === 0 ? null : (
        <table className={classes.found}>
          {dueCount > due.length ? (
            <caption>{t('retention.first', { number: format.number(due.length) })}</caption>
          ) : null}
          <thead>
            <tr>
              <th scope="col">{t('retention.name')}</th>
              <th scope="col">{t(isTyped ? 'retention.order' : 'retention.owner')}</th>
              <th scope="col">{t('retention.lastUsed')}</th>
            </tr>
          </thead>
          <tbody>
            {due.map(({ id, title, owner, lastUsedAt }) => (
              <tr key={id}>
                <td>{title}</td>
                <td data-number={isTyped || undefined}>{owner}</td>
                <td>
                  <time dateTime={lastUsedAt} title={format.dateTime(lastUsedAt)}>
                    {format.date(lastUsedAt.slice(0, 10))}
                  </time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
