import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { ErrorPanel } from '../../ui/notices/notice.tsx'
import { useErrorText } from '../i18n/error-text.ts'
import { ApiError, hasCode } from './api-error.ts'

/** What could not be loaded, in the person's language, with a way to try again. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('errors')
  const errorText = useErrorText()
  const isOffline = hasCode(error, 'offline')
  return (
    <ErrorPanel
      icon={isOffline ? 'offline' : 'alert'}
      title={isOffline ? t('offline.title') : t('failed')}
      reference={
        error instanceof ApiError && error.requestId !== null ? t('reference', { id: error.requestId }) : undefined
      }
      action={
        <Button size="compact-sm" leftSection={<Icon name="refresh" />} onClick={onRetry}>
          {t('retry')}
        </Button>
      }
    >
      {errorText(error)}
    </ErrorPanel>
  )
}
