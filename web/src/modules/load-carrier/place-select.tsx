import { loadCarrierPlaceApi } from '@waybill/contract/load-carrier/place'
import { useTranslation } from 'react-i18next'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks a place that has an account; one that is not there yet is made beside. */
export function LoadCarrierPlaceSelect(props: ReferenceSelectProps) {
  const { t } = useTranslation('load-carrier')
  const notFound = () => (
    <>
      {t('place.notFound')}{' '}
      <a href="/load-carrier-places/create" target="_blank" rel="noopener">
        {t('place.add')}
      </a>
    </>
  )
  return <ReferenceSelect {...props} api={loadCarrierPlaceApi} notFound={notFound} />
}
