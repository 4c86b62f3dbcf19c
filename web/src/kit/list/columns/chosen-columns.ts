import { useMemo } from 'react'
import type { ListColumn } from '../page/list-table.tsx'
import { useChangePreferences, usePreferences } from './preferences.ts'

/** Columns by their ids. */
export interface ColumnChoice {
  /** Those shown, in their order, the pinned ones first */
  shown: readonly string[]
  /** Those of them that stay at the left */
  pinned: readonly string[]
}

/** What this person chose for a list; undefined: its standard columns. Null gives these back. */
export function useColumnChoice(list: string): {
  chosen: ColumnChoice | undefined
  choose: (choice: ColumnChoice | null) => void
} {
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const shown = preferences?.columns[list]
  const pinned = preferences?.pinned?.[list]
  const chosen = useMemo(() => (shown === undefined ? undefined : { shown, pinned: pinned ?? [] }), [shown, pinned])
  return {
    chosen,
    choose: (choice) =>
      change({
        columns: { [list]: choice === null ? null : [...choice.shown] },
        pinned: { [list]: choice === null ? null : [...choice.pinned] },
      }),
  }
}

/**
 * The columns of a list as this person chose them (domain, People and rights). The first one leads to the record,
 * always stays and is pinned; a column that no longer exists is left out.
 */
export function useChosenColumns<Item extends { id: number }>(list: string, columns: readonly ListColumn<Item>[]) {
  const { chosen, choose } = useColumnChoice(list)
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const widths = preferences?.widths?.[list] ?? AS_MEANT
  const setWidths = (wanted: Readonly<Record<string, number>>) =>
    change({ widths: { [list]: Object.keys(wanted).length === 0 ? null : { ...wanted } } })
  const known = useMemo(() => {
    const [first, ...others] = columns
    const found =
      chosen === undefined
        ? others.filter(({ meta }) => meta?.isExtra !== true)
        : chosen.shown.flatMap((id) => others.find((column) => column.id === id) ?? [])
    const isPinned = (column: ListColumn<Item>) => chosen?.pinned.includes(column.id) ?? false
    const pinned = found.filter(isPinned)
    const shown = [...pinned, ...found.filter((column) => !isPinned(column))]
    const wide = (column: ListColumn<Item>): ListColumn<Item> => {
      const width = widths[column.id]
      return width === undefined ? column : { ...column, meta: { ...column.meta, width } }
    }
    const pinnedCount = 1 + pinned.length
    return {
      columns: first === undefined ? [] : withRest([first, ...shown].map(wide), pinnedCount, widths),
      pinnedCount,
      choice: { shown: shown.map(({ id }) => id), pinned: pinned.map(({ id }) => id) },
      offered: others.map((column) => ({
        id: column.id,
        label: column.meta?.headTitle ?? column.header,
      })),
    }
  }, [columns, chosen, widths])
  return { ...known, choose, widths, setWidths }
}

/**
 * Where a person's width was that of the last column that takes what is left, the last one whose width nobody chose
 * takes it: spread over all of them, none would be as wide as it was made.
 */
function withRest<Item extends { id: number }>(
  columns: readonly ListColumn<Item>[],
  pinnedCount: number,
  widths: Readonly<Record<string, number>>,
): readonly ListColumn<Item>[] {
  const takesRest = columns.some(({ meta }, place) => place >= pinnedCount && meta?.width === undefined)
  const place = columns.findLastIndex((column, at) => at >= pinnedCount && widths[column.id] === undefined)
  const column = columns[place]
  if (takesRest || column === undefined || Object.keys(widths).length === 0) return columns
  return columns.with(place, { ...column, meta: { ...column.meta, takesRest: true } })
}

const AS_MEANT: Readonly<Record<string, number>> = {}
