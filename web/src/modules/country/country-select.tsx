import { countryApi } from '@waybill/contract/country'
import { useTranslation } from 'react-i18next'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'
import { hasAccess } from '../../kit/session/session.ts'

/** Picks a country; for one that is not in the settings it says so, and leads those who may to adding it (spec §5). */
export function CountrySelect(props: ReferenceSelectProps) {
  const { t } = useTranslation('list')
  const notFound = () => (
    <>
      {t('countryNotFound')}{' '}
      {hasAccess(countryApi.create.access) ? (
        // Beside the form: what is typed in it stays where it is.
        <a href="/countries/create" target="_blank" rel="noopener">
          {t('addCountry')}
        </a>
      ) : null}
    </>
  )
  return <ReferenceSelect {...props} api={countryApi} notFound={notFound} />
}
