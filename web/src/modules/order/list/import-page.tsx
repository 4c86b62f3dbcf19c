import { importOrders } from '@waybill/contract/order/import'
import { orderApi } from '@waybill/contract/order/order'
import { useTranslation } from 'react-i18next'
import { ImportPage } from '../../../kit/import/import-page.tsx'

/** Orders from a table. */
export function OrderImportPage() {
  const { t } = useTranslation('import')
  return (
    <ImportPage
      endpoint={importOrders}
      title={t('title.orders')}
      back={{ to: '/orders', label: t('back.orders') }}
      path={orderApi.path}
      asksToTell={{ label: t('tellsCustomers'), description: t('tellsCustomersMeans') }}
    />
  )
}
