import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from './ksef-standing.module.css'
import { useKsefStanding } from './use-standing.ts'

/** Above the invoices: what KSeF has rejected, what is late there, and certificates that end. Nothing else is told. */
export function KsefNotice() {
  const { t } = useTranslation('ksef')
  const { data } = useKsefStanding()
  if (data === undefined) return null
  const late = data.waiting.filter(({ isLate }) => isLate).length
  const counts = [
    ['rejected', data.rejected.length],
    ['late', late],
    ['certificates', data.certificates.length],
  ] as const
  const told = counts.filter(([, count]) => count > 0)
  if (told.length === 0) return null
  return (
    <div className={classes.notice}>
      <Notice tone={data.rejected.length + late > 0 ? 'danger' : 'warn'}>
        {told.map(([what, count]) => t(`notice.${what}`, { count })).join(' · ')}{' '}
        <Link to={'/invoices/ksef' as string}>{t('notice.open')}</Link>
      </Notice>
    </div>
  )
}
