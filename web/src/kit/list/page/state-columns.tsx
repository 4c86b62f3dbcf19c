import type { State } from '@waybill/contract/kit/fields'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import type { ListColumn } from './list-table.tsx'

/** Deactivates a row, or activates it; `onClick` asks first. */
export function StateButton({ state, name, onClick }: { state: State; name: string; onClick: () => void }) {
  const { t } = useTranslation('list')
  return (
    <IconButton
      isSmall
      icon={state === 'active' ? 'lock' : 'refresh'}
      label={t(state === 'active' ? 'deactivateOne' : 'activateOne', { name })}
      onClick={onClick}
    />
  )
}

/**
 * The last two columns of a list whose rows can be deactivated. `nameField` says what a row is called, for
 * the ear; `onState` asks first.
 */
export function useStateColumns<Item extends { id: number; state: State } & Record<Name, string>, Name extends string>(
  nameField: Name,
  onState: (row: Item) => void,
): readonly [ListColumn<Item>, ListColumn<Item>] {
  const { t } = useTranslation('list')
  return useMemo(
    () => [
      {
        id: 'state',
        header: t('state.label'),
        isSortable: false,
        meta: { width: 84, isHiddenOnPhone: true },
        cell: (row) => t(`state.${row.state}`),
      },
      {
        id: 'actions',
        header: '',
        isSortable: false,
        meta: { width: 56, align: 'end' },
        cell: (row) => <StateButton state={row.state} name={row[nameField]} onClick={() => onState(row)} />,
      },
    ],
    [t, nameField, onState],
  )
}
