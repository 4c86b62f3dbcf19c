import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { TYPE_PHONE_GRID, useTypeColumns } from './type-columns.tsx'
import { typePath, useTypeList, type Type, type TypeList } from './type-lists.ts'
import { useTypeStateQuestion } from './type-words.ts'

/** The entries of one of the lists. */
export function TypeListPage() {
  const typeList = useTypeList()
  const { api, words } = typeList
  const { t } = useTranslation('type-list')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const list = useList(api, { filters: [] })
  const { ask, dialog } = useStateChange({ api, question: useTypeStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [api.path] }) })
  useShortcut({ key: 'n', label: t(`${words}.create`), run: () => void navigate({ to: createPath(typeList) }) })
  return (
    <>
      <ListPage
        list={list}
        title={t(`${words}.title`)}
        actions={<CreateButton typeList={typeList} />}
        columns={useTypeColumns(typeList, ask)}
        rowName={(type: Type) => type.title}
        onOpen={(type) => void navigate({ to: typePath(typeList, type.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton typeList={typeList} />}
        phoneGrid={TYPE_PHONE_GRID}
      />
      {dialog}
    </>
  )
}

const createPath = ({ api }: TypeList): string => `/${api.path}/create`

function CreateButton({ typeList }: { typeList: TypeList }) {
  const { words } = typeList
  const { t } = useTranslation('type-list')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={createPath(typeList)} {...props} />}>
      {t(`${words}.create`)}
    </Button>
  )
}
