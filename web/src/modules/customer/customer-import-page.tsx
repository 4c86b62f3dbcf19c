import { customerApi, importCustomers } from '@waybill/contract/customer'
import { useTranslation } from 'react-i18next'
import { ImportPage } from '../../kit/import/import-page.tsx'

/** Customers from a table. */
export function CustomerImportPage() {
  const { t } = useTranslation('import')
  return (
    <ImportPage
      endpoint={importCustomers}
      title={t('title.customers')}
      back={{ to: '/customer', label: t('back.customers') }}
      path={customerApi.path}
    />
  )
}
