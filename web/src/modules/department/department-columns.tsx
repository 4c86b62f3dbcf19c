import { Link } from '@tanstack/react-router'
import type { Department } from '@waybill/contract/department'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'

/** Where one is opened. */
export const departmentPath = (id: number): string => `/departments/${id}/edit`

/** The card of a phone. */
export const DEPARTMENT_PHONE_GRID = '"abbreviation actions" 28px "company city" 20px / minmax(0, 1fr) auto'

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useDepartmentColumns(onState: (department: Department) => void): readonly ListColumn<Department>[] {
  const { t } = useTranslation('department')
  const format = useFormat()
  const stateColumns = useStateColumns('abbreviation', onState)
  return useMemo(
    () => [
      {
        id: 'abbreviation',
        header: t('fields.abbreviation'),
        meta: { width: 180 },
        cell: (department) => <Link to={departmentPath(department.id)}>{department.abbreviation}</Link>,
      },
      {
        id: 'company',
        header: t('fields.companyId'),
        isSortable: false,
        cell: (department) => <span title={department.company.title}>{department.company.title}</span>,
      },
      {
        id: 'country',
        header: t('fields.countryId'),
        isSortable: false,
        meta: { width: 150, isHiddenOnPhone: true },
        cell: (department) => department.country.title,
      },
      {
        id: 'city',
        header: t('fields.city'),
        meta: { width: 150 },
        cell: (department) => department.city,
      },
      {
        id: 'createdAt',
        header: t('fields.createdAt'),
        meta: { width: 116, isHiddenOnPhone: true },
        cell: (department) => <time dateTime={department.createdAt}>{format.day(department.createdAt)}</time>,
      },
      ...stateColumns,
    ],
    [t, format, stateColumns],
  )
}
