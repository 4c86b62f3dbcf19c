import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'
import { typePath, type Type, type TypeList } from './type-lists.ts'

/** The card of a phone. */
export const TYPE_PHONE_GRID = '"title actions" 28px / minmax(0, 1fr) auto'

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useTypeColumns(list: TypeList, onState: (type: Type) => void): readonly ListColumn<Type>[] {
  const { t } = useTranslation(['type-list', 'list'])
  const stateColumns = useStateColumns('title', onState)
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        cell: ({ row: { original: type } }) => <Link to={typePath(list, type.id)}>{type.title}</Link>,
      },
      ...stateColumns,
    ],
    [t, list, stateColumns],
  )
}
