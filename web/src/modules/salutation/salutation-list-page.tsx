import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { countryApi } from '@waybill/contract/country'
import { GENDERS, salutationApi, type Salutation } from '@waybill/contract/salutation'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { SALUTATION_PHONE_GRID, salutationPath, useSalutationColumns } from './salutation-columns.tsx'
import { useSalutationStateQuestion } from './salutation-words.ts'

const CREATE = '/salutations/create' as string

/** All salutations. */
export function SalutationListPage() {
  const { t } = useTranslation('salutation')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi },
      { kind: 'choices', name: 'gender', label: t('fields.gender'), choices: GENDERS.map((value) => ({ value, label: t(`gender.${value}`) })) },
    ],
    [t],
  )
  const list = useList(salutationApi, { filters })
  const { ask, dialog } = useStateChange({ api: salutationApi, question: useSalutationStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [salutationApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        columns={useSalutationColumns(ask)}
        rowName={(salutation: Salutation) => salutation.title}
        onOpen={(salutation) => void navigate({ to: salutationPath(salutation.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={SALUTATION_PHONE_GRID}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('salutation')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
