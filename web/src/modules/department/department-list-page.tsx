import { companyApi } from '@waybill/contract/company'
import { departmentApi, type Department } from '@waybill/contract/department'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { DEPARTMENT_PHONE_GRID, departmentPath, useDepartmentColumns } from './department-columns.tsx'
import { useDepartmentStateQuestion } from './department-words.ts'

/** All departments. */
export function DepartmentListPage() {
  const { t } = useTranslation('department')
  const filters = useMemo(
    (): ListFilter[] => [{ kind: 'records', name: 'companyId', label: t('fields.companyId'), api: companyApi }],
    [t],
  )
  const list = useList(departmentApi, { filters })
  const { ask, dialog } = useStateOfRows(departmentApi, useDepartmentStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/departments/create', label: t('create') }}
      columns={useDepartmentColumns(ask)}
      rowName={(department: Department) => department.abbreviation}
      pathOf={departmentPath}
      emptyText={t('empty')}
      phoneGrid={DEPARTMENT_PHONE_GRID}
    >
      {dialog}
    </ListPage>
  )
}
