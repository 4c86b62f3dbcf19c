import { countryApi, type Country } from '@waybill/contract/country'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { COUNTRY_PHONE_GRID, countryPath, useCountryColumns } from './country-columns.tsx'
import { useCountryStateQuestion } from './country-words.ts'

/** All countries. */
export function CountryListPage() {
  const { t } = useTranslation('country')
  const filters = useMemo((): ListFilter[] => [{ kind: 'flag', name: 'isEu', label: t('filter.isEu') }], [t])
  const list = useList(countryApi, { filters })
  const { ask, dialog } = useStateOfRows(countryApi, useCountryStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/countries/create', label: t('create') }}
      columns={useCountryColumns(ask)}
      rowName={(country: Country) => country.title}
      pathOf={countryPath}
      emptyText={t('empty')}
      phoneGrid={COUNTRY_PHONE_GRID}
    >
      {dialog}
    </ListPage>
  )
}
