import { useMemo } from 'react'
import type { ListColumn } from './list-table.tsx'
import { useChangePreferences, usePreferences } from './preferences.ts'

/**
 * The columns of a list as this person chose them (domain, People and rights). The first one leads to the record and always stays;
 * a column that no longer exists is left out.
 */
export function useChosenColumns<Item extends { id: number }>(list: string, columns: readonly ListColumn<Item>[]) {
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const chosen = preferences?.columns[list]
  const known = useMemo(() => {
    const [first, ...others] = columns
    const shown = chosen === undefined ? others : chosen.flatMap((id) => others.find((column) => column.id === id) ?? [])
    return {
      columns: first === undefined ? [] : [first, ...shown],
      shown: shown.map(idOf),
      offered: others.map((column) => ({ id: idOf(column), label: column.meta?.headTitle ?? (typeof column.header === 'string' ? column.header : idOf(column)) })),
    }
  }, [columns, chosen])
  return { ...known, choose: (shown: readonly string[] | null) => change({ columns: { [list]: shown === null ? null : [...shown] } }) }
}

const idOf = (column: { id?: string | undefined }): string => column.id ?? ''
