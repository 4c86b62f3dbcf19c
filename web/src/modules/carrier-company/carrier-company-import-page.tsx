import { carrierCompanyApi, importCarrierCompanies } from '@waybill/contract/carrier-company'
import { useTranslation } from 'react-i18next'
import { ImportPage } from '../../kit/import/import-page.tsx'

/** Carrier companies from a table. */
export function CarrierCompanyImportPage() {
  const { t } = useTranslation('import')
  return (
    <ImportPage
      endpoint={importCarrierCompanies}
      title={t('title.carrierCompanies')}
      back={{ to: '/carrier-companies', label: t('back.carrierCompanies') }}
      path={carrierCompanyApi.path}
    />
  )
}
