import {
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Row,
  type RowData,
} from '@tanstack/react-table'
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

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, columnMeta: {} as ColumnLook })

/**
 * A column as data. Its `id` names its area in the phone's card; where it can be sorted,
 * also the contract's sort field.
 */
export type ListColumn<Item extends RowData> = ColumnDef<typeof features, Item>

interface ListTableProps<Item extends RowData & { id: number }> {
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

const NO_ITEMS: never[] = []

/**
 * The list's rows by TanStack Table: which columns, in which order, sorted how; drawn by
 * ui/DataTable. Sorting is the server's.
 */
export function ListTable<Item extends RowData & { id: number }>({
  columns,
  rows,
  rowName,
  sort,
  onSort,
  currentId,
  onOpen,
  ...shown
}: ListTableProps<Item>) {
  const sorted = sort.replace(/^-/, '')
  const isDescending = sort.startsWith('-')
  const sorting = useMemo(() => [{ id: sorted, desc: isDescending }], [sorted, isDescending])
  const table = useTable({
    features,
    columns: columns as ListColumn<Item>[],
    data: (rows ?? NO_ITEMS) as Item[],
    getRowId: (item) => String(item.id),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting },
    onSortingChange: (updated) => {
      const [next] = typeof updated === 'function' ? updated(sorting) : updated
      if (next !== undefined) onSort(`${next.desc ? '-' : ''}${next.id}`)
    },
  })
  const leaves = table.getVisibleLeafColumns()
  const drawn = useMemo(
    () =>
      leaves.map((column): Column<Row<typeof features, Item>> => {
        const { header, cell, meta = {}, enableSorting = true } = column.columnDef
        const direction = column.id !== sorted ? 'none' : isDescending ? 'descending' : 'ascending'
        return {
          ...meta,
          key: column.id,
          head: typeof header === 'string' ? header : null,
          cell: (row) =>
            typeof cell === 'function' ? cell(row.getAllCellsByColumnId()[column.id]!.getContext() as never) : null,
          ...(enableSorting ? { sort: direction } : {}),
        }
      }),
    [leaves, sorted, isDescending],
  )
  return (
    <DataTable
      {...shown}
      columns={drawn}
      rows={rows === null ? null : table.getRowModel().rows}
      rowKey={keyOf}
      rowName={(row) => rowName(row.original)}
      currentKey={currentId}
      onRowClick={(row) => onOpen(row.original)}
      onSort={(id) => table.getColumn(id)?.toggleSorting()}
    />
  )
}

const keyOf = (row: { original: { id: number } }): number => row.original.id
