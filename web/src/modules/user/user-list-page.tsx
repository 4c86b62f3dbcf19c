import { departmentApi } from '@waybill/contract/department'
import { roleApi, userApi, type User } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { USER_PHONE_GRID, userPath, useUserColumns } from './user-columns.tsx'
import { useUserStateQuestion } from './user-words.ts'

/** Everybody who works here. */
export function UserListPage() {
  const { t } = useTranslation('user')
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'records', name: 'roleId', label: t('fields.roleId'), api: roleApi },
      { kind: 'records', name: 'departmentId', label: t('fields.departmentId'), api: departmentApi },
    ],
    [t],
  )
  const list = useList(userApi, { filters })
  const { ask, dialog } = useStateOfRows(userApi, useUserStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/users/create', label: t('create') }}
      columns={useUserColumns(ask)}
      rowName={(user: User) => user.fullName}
      pathOf={userPath}
      emptyText={t('empty')}
      phoneGrid={USER_PHONE_GRID}
      minWidth={1060}
    >
      {dialog}
    </ListPage>
  )
}
