import { useMemo, type ReactNode } from 'react'
import { DataTable, type Column, type Selection } from '../../../ui/page/data-table.tsx'

interface ColumnLook {
  /** px; the columns without one share what is left */
  width?: number
  /** It takes what is left, and is `width` wide at least */
  takesRest?: boolean
  align?: 'start' | 'end' | 'center'
  /** The head's full words where it is short */
  headTitle?: string
  isHiddenOnPhone?: boolean
  /** Shown to those who choose it, and to nobody else */
  isExtra?: boolean
  /** What of a row it shows, where a list reads no more of its rows than is shown */
  fields?: readonly string[]
}

/**
 * A column as data. Its `id` names its area in the phone's card; where it can be sorted,
 * also the contract's sort field.
 */
export interface ListColumn<Item> {
  id: string
  header: string
  /** False: it cannot be sorted */
  isSortable?: boolean
  meta?: ColumnLook
  cell: (item: Item) => ReactNode
}

interface ListTableProps<Item extends { id: number }> {
  label: string
  columns: readonly ListColumn<Item>[]
  /** How many of them, from the first, stay at the left */
  pinnedCount: number
  rows: readonly Item[] | null
  rowName: (item: Item) => string
  selection?: Selection
  /** `-createdAt` is descending (api, Lists) */
  sort: string
  onSort: (sort: string) => void
  currentId: number | null
  onOpen: (item: Item) => void
  /** A person made a column this wide, px */
  onResize: (column: string, width: number) => void
  isBusy: boolean
  /** Rows that belong here no longer */
  paleKeys?: ReadonlySet<number>
  skeletonRows: number
  /** In place of no rows */
  empty: ReactNode
  /** Below the last row */
  tail: ReactNode
  phoneGrid: string
  minWidth?: number
}

/** Days and figures begin with the newest and the most, names with A; told by the ends of the contract's names. */
const BEGINS_WITH_MOST = /(?:At|On|From|Date|Cents|Bp)$|^number$/

/** How a list is sorted by a column that was clicked. */
function nextSort(id: string, { sorted, isDescending }: { sorted: string; isDescending: boolean }): string {
  const isNextDescending = id === sorted ? !isDescending : BEGINS_WITH_MOST.test(id)
  return isNextDescending ? `-${id}` : id
}

/** The list's rows: which columns, in which order, sorted how; drawn by ui/DataTable. Sorting is the server's. */
export function ListTable<Item extends { id: number }>({
  columns,
  sort,
  onSort,
  currentId,
  onOpen,
  ...shown
}: ListTableProps<Item>) {
  const sorted = sort.replace(/^-/, '')
  const isDescending = sort.startsWith('-')
  const drawn = useMemo(
    () =>
      columns.map(({ id, header, isSortable = true, meta, cell }): Column<Item> => {
        const direction = id !== sorted ? 'none' : isDescending ? 'descending' : 'ascending'
        return { ...meta, key: id, head: header, cell, ...(isSortable ? { sort: direction } : {}) }
      }),
    [columns, sorted, isDescending],
  )
  return (
    <DataTable
      {...shown}
      columns={drawn}
      rowKey={keyOf}
      currentKey={currentId}
      onRowClick={onOpen}
      onSort={(id) => onSort(nextSort(id, { sorted, isDescending }))}
    />
  )
}

const keyOf = (row: { id: number }): number => row.id
