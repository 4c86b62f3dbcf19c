import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { companyApi } from '@waybill/contract/company'
import { departmentApi, type Department } from '@waybill/contract/department'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { DEPARTMENT_PHONE_GRID, departmentPath, useDepartmentColumns } from './department-columns.tsx'
import { useDepartmentStateQuestion } from './department-words.ts'

const CREATE = '/departments/create' as string

/** All departments. */
export function DepartmentListPage() {
  const { t } = useTranslation('department')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo((): ListFilter[] => [{ kind: 'records', name: 'companyId', label: t('fields.companyId'), api: companyApi }], [t])
  const list = useList(departmentApi, { filters })
  const { ask, dialog } = useStateChange({ api: departmentApi, question: useDepartmentStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [departmentApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        columns={useDepartmentColumns(ask)}
        rowName={(department: Department) => department.abbreviation}
        onOpen={(department) => void navigate({ to: departmentPath(department.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={DEPARTMENT_PHONE_GRID}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('department')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
