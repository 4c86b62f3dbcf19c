import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { departmentApi } from '@waybill/contract/department'
import { roleApi, userApi, type User } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { USER_PHONE_GRID, userPath, useUserColumns } from './user-columns.tsx'
import { useUserStateQuestion } from './user-words.ts'

const CREATE = '/users/create' as string

/** Everybody who works here. */
export function UserListPage() {
  const { t } = useTranslation('user')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'records', name: 'roleId', label: t('fields.roleId'), api: roleApi },
      { kind: 'records', name: 'departmentId', label: t('fields.departmentId'), api: departmentApi },
    ],
    [t],
  )
  const list = useList(userApi, { filters })
  const { ask, dialog } = useStateChange({ api: userApi, question: useUserStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [userApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        columns={useUserColumns(ask)}
        rowName={(user: User) => user.fullName}
        onOpen={(user) => void navigate({ to: userPath(user.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={USER_PHONE_GRID}
        minWidth={1060}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('user')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
