import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { roleApi } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { ROLE_PHONE_GRID, rolePath, useRoleColumns } from './user-role-columns.tsx'
import type { Role } from './user-role-rules.ts'
import { useRoleStateQuestion } from './user-role-words.ts'

const CREATE = '/user-roles/create' as string

/** All roles, and what each opens. */
export function UserRoleListPage() {
  const { t } = useTranslation('user-role')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo((): ListFilter[] => [{ kind: 'flag', name: 'isEnabled', label: t('filter.isEnabled') }], [t])
  const list = useList(roleApi, { filters })
  const { ask, dialog } = useStateChange({ api: roleApi, question: useRoleStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [roleApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        columns={useRoleColumns(ask)}
        rowName={(role: Role) => role.title}
        onOpen={(role) => void navigate({ to: rolePath(role.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={ROLE_PHONE_GRID}
        minWidth={820}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('user-role')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
