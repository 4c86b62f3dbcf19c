import { countryApi } from '@waybill/contract/country'
import { GENDERS, salutationApi, type Salutation } from '@waybill/contract/salutation'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { SALUTATION_PHONE_GRID, salutationPath, useSalutationColumns } from './salutation-columns.tsx'
import { useSalutationStateQuestion } from './salutation-words.ts'

/** All salutations. */
export function SalutationListPage() {
  const { t } = useTranslation('salutation')
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi },
      {
        kind: 'choices',
        name: 'gender',
        label: t('fields.gender'),
        choices: GENDERS.map((value) => ({ value, label: t(`gender.${value}`) })),
      },
    ],
    [t],
  )
  const list = useList(salutationApi, { filters })
  const { ask, dialog } = useStateOfRows(salutationApi, useSalutationStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/salutations/create', label: t('create') }}
      columns={useSalutationColumns(ask)}
      rowName={(salutation: Salutation) => salutation.title}
      pathOf={salutationPath}
      emptyText={t('empty')}
      phoneGrid={SALUTATION_PHONE_GRID}
    >
      {dialog}
    </ListPage>
  )
}
