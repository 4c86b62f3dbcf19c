import { countryApi } from '@waybill/contract/country'
import { customerApi } from '@waybill/contract/customer'
import { userApi } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { CUSTOMER_PHONE_GRID, customerPath, useCustomerColumns, type CustomerRow } from './customer-columns.tsx'
import { useCustomerStateQuestion } from './customer-words.ts'

/** All customers. */
export function CustomerListPage() {
  const { t } = useTranslation('customer')
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi },
      { kind: 'records', name: 'responsibleUserId', label: t('fields.responsibleUserId'), api: userApi },
    ],
    [t],
  )
  const list = useList(customerApi, { filters })
  const { ask, dialog } = useStateOfRows<CustomerRow>(customerApi, useCustomerStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      importTo="/customer/import"
      create={{ to: '/customer/create', label: t('create') }}
      columns={useCustomerColumns(ask)}
      rowName={(customer: CustomerRow) => customer.title}
      pathOf={customerPath}
      emptyText={t('empty')}
      phoneGrid={CUSTOMER_PHONE_GRID}
      minWidth={1040}
    >
      {dialog}
    </ListPage>
  )
}
