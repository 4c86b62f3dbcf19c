import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { countryApi, type Country } from '@waybill/contract/country'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { COUNTRY_PHONE_GRID, countryPath, useCountryColumns } from './country-columns.tsx'
import { useCountryStateQuestion } from './country-words.ts'

const CREATE = '/countries/create' as string

/** All countries. */
export function CountryListPage() {
  const { t } = useTranslation('country')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo((): ListFilter[] => [{ kind: 'flag', name: 'isEu', label: t('filter.isEu') }], [t])
  const list = useList(countryApi, { filters })
  const { ask, dialog } = useStateChange({ api: countryApi, question: useCountryStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [countryApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        columns={useCountryColumns(ask)}
        rowName={(country: Country) => country.title}
        onOpen={(country) => void navigate({ to: countryPath(country.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={COUNTRY_PHONE_GRID}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('country')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
