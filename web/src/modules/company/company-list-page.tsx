import { companyApi, type Company } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { COMPANY_PHONE_GRID, companyPath, useCompanyColumns } from './company-columns.tsx'
import { useCompanyStateQuestion } from './company-words.ts'

/** All companies. */
export function CompanyListPage() {
  const { t } = useTranslation('company')
  const filters = useMemo(
    (): ListFilter[] => [{ kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi }],
    [t],
  )
  const list = useList(companyApi, { filters })
  const { ask, dialog } = useStateOfRows(companyApi, useCompanyStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/companies/create', label: t('create') }}
      columns={useCompanyColumns(ask)}
      rowName={(company: Company) => company.title}
      pathOf={companyPath}
      emptyText={t('empty')}
      phoneGrid={COMPANY_PHONE_GRID}
      minWidth={900}
    >
      {dialog}
    </ListPage>
  )
}
