import { roleApi } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { ROLE_PHONE_GRID, rolePath, useRoleColumns } from './user-role-columns.tsx'
import type { Role } from './user-role-rules.ts'
import { useRoleStateQuestion } from './user-role-words.ts'

/** All roles, and what each opens. */
export function UserRoleListPage() {
  const { t } = useTranslation('user-role')
  const filters = useMemo((): ListFilter[] => [{ kind: 'flag', name: 'isEnabled', label: t('filter.isEnabled') }], [t])
  const list = useList(roleApi, { filters })
  const { ask, dialog } = useStateOfRows(roleApi, useRoleStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/user-roles/create', label: t('create') }}
      columns={useRoleColumns(ask)}
      rowName={(role: Role) => role.shownTitle}
      pathOf={rolePath}
      emptyText={t('empty')}
      phoneGrid={ROLE_PHONE_GRID}
      minWidth={820}
    >
      {dialog}
    </ListPage>
  )
}
