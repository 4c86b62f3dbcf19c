import { expiryOf } from '@waybill/contract/kit/expiry'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import classes from './expiry-mark.module.css'

const DAY = 86_400_000

/**
 * How long a document is valid: green, amber from thirty days before its end, red behind it; the words say the same.
 */
export function ExpiryMark({ expiredAt }: { /** local date */ expiredAt: string | null }) {
  const { t } = useTranslation('document')
  const format = useFormat()
  const today = localToday()
  const expiry = expiryOf(expiredAt, today)
  if (expiredAt === null || expiry === null) return null
  const days = Math.round(Math.abs(Date.parse(expiredAt) - Date.parse(today)) / DAY)
  const until = format.date(expiredAt)
  return (
    <span className={classes.mark} data-expiry={expiry}>
      <span className={classes.light} aria-hidden />
      <span>
        {t(expiry === 'expired' ? 'expired' : 'validUntil', { date: until })}
        {expiry === 'expiring' ? <b>{days === 0 ? t('lastDay') : t('daysLeft', { count: days })}</b> : null}
      </span>
    </span>
  )
}
