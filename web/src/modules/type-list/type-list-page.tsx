import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { TYPE_PHONE_GRID, useTypeColumns } from './type-columns.tsx'
import { typePath, useTypeList, type Type } from './type-lists.ts'
import { useTypeStateQuestion } from './type-words.ts'

/** The entries of one of the lists. */
export function TypeListPage() {
  const typeList = useTypeList()
  const { api, words } = typeList
  const { t } = useTranslation('type-list')
  const list = useList(api, { filters: [] })
  const { ask, dialog } = useStateOfRows(api, useTypeStateQuestion())
  return (
    <ListPage
      list={list}
      title={t(`${words}.title`)}
      create={{ to: `/${api.path}/create`, label: t(`${words}.create`) }}
      columns={useTypeColumns(typeList, ask)}
      rowName={(type: Type) => type.title}
      pathOf={(id) => typePath(typeList, id)}
      emptyText={t('empty')}
      phoneGrid={TYPE_PHONE_GRID}
    >
      {dialog}
    </ListPage>
  )
}
