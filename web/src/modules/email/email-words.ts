import type { EmailRow } from '@waybill/contract/email'
import { useTranslation } from 'react-i18next'
import type { IconName } from '../../ui/marks/icon.tsx'

/** The light of each state, told apart by its shape. */
export const EMAIL_ICONS = {
  planned: 'clock',
  queued: 'clock',
  waiting: 'clock',
  sent: 'check',
  failed: 'alert',
  held: 'alert',
  suppressed: 'close',
} as const satisfies Record<EmailRow['status'], IconName>

/** What is said of mails alike wherever they are shown. */
export function useEmailWords() {
  const { t } = useTranslation('email')
  return {
    /** Who it goes to, as far as that is known */
    receiver: ({ to, customer, type }: Pick<EmailRow, 'to' | 'customer' | 'type'>): string => {
      if (to.length > 0) return to.join(', ')
      return type === 'order_resolved' ? t('disponent') : (customer?.title ?? t('contactPerson'))
    },
    state: ({ status, waitsFor }: Pick<EmailRow, 'status' | 'waitsFor'>): string =>
      t(`status.${status === 'planned' && waitsFor === 'document' ? 'document' : status}`),
    /** Why it has not left; null where nothing is wrong */
    why: ({ status, reason, lastError }: Pick<EmailRow, 'status' | 'reason' | 'lastError'>): string | null =>
      reason !== null ? t(`reasons.${reason}`) : status === 'failed' ? lastError : null,
  }
}
