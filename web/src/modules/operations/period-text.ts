import { useTranslation } from 'react-i18next'

/** `5 years`, `18 months` */
export function usePeriodText(): (months: number) => string {
  const { t } = useTranslation('operations')
  return (months) =>
    months % 12 === 0 ? t('retention.years', { count: months / 12 }) : t('retention.months', { count: months })
}
