import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../ui/notices/notice.tsx'
import { useFormat } from '../../i18n/i18n.ts'
import classes from './form-messages.module.css'

interface UnsavedNoticeProps {
  /** RFC 3339 */
  keptAt: string
  onDiscard: () => void
}

/** What was typed here before and not saved is back; it can be given up. */
export function UnsavedNotice({ keptAt, onDiscard }: UnsavedNoticeProps) {
  const { t } = useTranslation('form')
  const format = useFormat()
  return (
    <Notice icon="history">
      <div className={classes.row}>
        <span>{t('draft.restored', { time: format.dayTime(keptAt) })}</span>
        <Button size="compact-sm" onClick={onDiscard}>
          {t('draft.discard')}
        </Button>
      </div>
    </Notice>
  )
}
