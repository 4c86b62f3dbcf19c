import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { countryApi } from '@waybill/contract/country'
import { customerApi } from '@waybill/contract/customer'
import { userApi } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { CUSTOMER_PHONE_GRID, customerPath, useCustomerColumns, type CustomerRow } from './customer-columns.tsx'
import { useCustomerStateQuestion } from './customer-words.ts'

const CREATE = '/customer/create' as string

/** All customers. */
export function CustomerListPage() {
  const { t } = useTranslation('customer')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi },
      { kind: 'records', name: 'responsibleUserId', label: t('fields.responsibleUserId'), api: userApi },
    ],
    [t],
  )
  const list = useList(customerApi, { filters })
  const { ask, dialog } = useStateChange<typeof customerApi, CustomerRow>({ api: customerApi, question: useCustomerStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [customerApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        importTo="/customer/import"
        actions={<CreateButton />}
        columns={useCustomerColumns(ask)}
        rowName={(customer: CustomerRow) => customer.title}
        onOpen={(customer) => void navigate({ to: customerPath(customer.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={CUSTOMER_PHONE_GRID}
        minWidth={1040}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('customer')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
