import { Button } from '@mantine/core'
import type { Document } from '@waybill/contract/document'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import classes from './pod-line.module.css'

interface PodLineProps {
  document: Document
  isReadOnly: boolean
  onAccept: () => void
  onRefuse: () => void
}

/** Below a proof of delivery that does not count yet: why not, and what can be done. */
export function PodLine({ document, isReadOnly, onAccept, onRefuse }: PodLineProps) {
  const { t } = useTranslation('document')
  const format = useFormat()
  const { title, acceptance, refusalReason, checkedBy, checkedAt } = document
  const isRefused = acceptance === 'refused'
  if (acceptance === null || acceptance === 'accepted' || (isReadOnly && !isRefused)) return null
  return (
    <span className={classes.line}>
      {isRefused ? (
        <span className={classes.reason}>
          “{refusalReason}”{' '}
          <span className={classes.by}>
            {[checkedBy?.title, checkedAt === null ? null : format.dayTime(checkedAt)].filter(Boolean).join(', ')}
          </span>
        </span>
      ) : null}
      {isReadOnly ? null : (
        <>
          <Button size="compact-sm" aria-label={t('pod.acceptOne', { title })} onClick={onAccept}>
            {t('pod.accept')}
          </Button>
          {isRefused ? null : (
            <Button size="compact-sm" aria-label={t('pod.refuseOne', { title })} onClick={onRefuse}>
              {t('pod.refuseAsk')}
            </Button>
          )}
        </>
      )}
    </span>
  )
}
