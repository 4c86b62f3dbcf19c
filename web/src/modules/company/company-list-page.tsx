import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { companyApi, type Company } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { COMPANY_PHONE_GRID, companyPath, useCompanyColumns } from './company-columns.tsx'
import { useCompanyStateQuestion } from './company-words.ts'

const CREATE = '/companies/create' as string

/** All companies. */
export function CompanyListPage() {
  const { t } = useTranslation('company')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo((): ListFilter[] => [{ kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi }], [t])
  const list = useList(companyApi, { filters })
  const { ask, dialog } = useStateChange({ api: companyApi, question: useCompanyStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [companyApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        columns={useCompanyColumns(ask)}
        rowName={(company: Company) => company.title}
        onOpen={(company) => void navigate({ to: companyPath(company.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={COMPANY_PHONE_GRID}
        minWidth={900}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('company')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
