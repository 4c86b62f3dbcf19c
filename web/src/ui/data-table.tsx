import { memo, useCallback, useEffect, useRef, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import classes from './data-table.module.css'
import { Icon } from './icon.tsx'
import { Skeleton } from './skeleton.tsx'

export interface Column<Row> {
  /** Also the name of its area in `phoneGrid` */
  key: string
  head: ReactNode
  /** The head's full words where it is short */
  headTitle?: string
  /** px; the columns without one share what is left */
  width?: number
  align?: 'start' | 'end' | 'center'
  cell: (row: Row) => ReactNode
  /** Present: the head sorts; the value is the direction in force */
  sort?: 'ascending' | 'descending' | 'none'
  isHiddenOnPhone?: boolean
}

export interface Selection {
  keys: ReadonlySet<number>
  onChange: (keys: ReadonlySet<number>) => void
  /** `Select this page` */
  pageLabel: string
  /** `Select 26-04817` */
  rowLabel: (name: string) => string
}

interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** Null until the first rows are here: skeletons in their place */
  rows: readonly Row[] | null
  rowKey: (row: Row) => number
  /** What the row is called */
  rowName: (row: Row) => string
  selection?: Selection
  /** The row in hand */
  currentKey?: number | null
  onRowClick?: (row: Row) => void
  onSort?: (columnKey: string) => void
  skeletonRows?: number
  /** Rows that belong here no longer, and stay until the person has the list read again */
  paleKeys?: ReadonlySet<number>
  /** Newer rows are on their way; the old ones stay, paler */
  isBusy?: boolean
  /** In place of no rows */
  empty?: ReactNode
  /** Below the last row */
  tail?: ReactNode
  /** `grid-template` of a row on phones; the areas are `select` and the columns' keys */
  phoneGrid?: string
  /** px below which the table scrolls sideways */
  minWidth?: number
}

/** The list's table: sticky head, rows of 28 or 36 px, cards on phones. It holds no state and asks for nothing. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, rowName, selection, currentKey = null, onRowClick, onSort, skeletonRows = 12, isBusy = false, paleKeys, empty, tail, phoneGrid, minWidth } = props
  const region = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (currentKey === null) return
    const row = region.current?.querySelector('tr[data-current]')
    row?.scrollIntoView({ block: 'nearest' })
    // The row in hand is heard, and Enter opens it as any link.
    row?.querySelector('a')?.focus({ preventScroll: true })
  }, [currentKey])

  const toggle = useRowToggle(rows, rowKey, selection)
  const isEmpty = rows !== null && rows.length === 0
  return (
    <div className={classes.region} ref={region} tabIndex={0} role="region" aria-label={label} aria-busy={isBusy || rows === null} data-busy={isBusy || undefined}>
      <table className={classes.table} data-cards={phoneGrid !== undefined || undefined} style={{ minWidth, '--phone-grid': phoneGrid } as CSSProperties}>
        <colgroup>
          {selection === undefined ? null : <col style={{ width: 36 }} />}
          {columns.map((column) => (
            <col key={column.key} style={column.width === undefined ? undefined : { width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection === undefined ? null : (
              <th scope="col" className={classes.pick}>
                <PageCheckbox rows={rows} rowKey={rowKey} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align} title={column.headTitle} aria-sort={column.sort === 'none' ? undefined : column.sort}>
                {column.sort === undefined || onSort === undefined ? (
                  column.head
                ) : (
                  <button type="button" className={classes.sort} onClick={() => onSort(column.key)}>
                    {column.head}
                    {column.sort === 'none' ? null : <Icon name={column.sort === 'ascending' ? 'arrowUp' : 'arrowDown'} size={13} />}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === null
            ? Array.from({ length: skeletonRows }, (_, line) => <SkeletonRow key={line} columns={columns as readonly Column<never>[]} line={line} hasSelection={selection !== undefined} />)
            : rows.map((row) => {
                const key = rowKey(row)
                return (
                  <TableRow
                    key={key}
                    row={row}
                    columns={columns}
                    rowId={key}
                    isCurrent={key === currentKey}
                    isSelected={selection?.keys.has(key) ?? false}
                    isPale={paleKeys?.has(key) ?? false}
                    selectLabel={selection?.rowLabel(rowName(row))}
                    onToggle={toggle}
                    onClick={onRowClick}
                  />
                )
              })}
        </tbody>
      </table>
      {isEmpty ? empty : tail}
    </div>
  )
}

interface TableRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  rowId: number
  isCurrent: boolean
  isSelected: boolean
  isPale: boolean
  selectLabel: string | undefined
  onToggle: (key: number, withRange: boolean) => void
  onClick: ((row: Row) => void) | undefined
}

// A hundred rows of twelve cells: only the rows that changed are drawn again.
const TableRow = memo(function TableRow<Row>({ row, columns, rowId, isCurrent, isSelected, isPale, selectLabel, onToggle, onClick }: TableRowProps<Row>) {
  const click = (event: MouseEvent<HTMLTableRowElement>) => {
    // A click beside a small box was meant for the box.
    if (event.target instanceof Element && event.target.closest(`a, button, input, label, .${classes.pick}`) !== null) return
    onClick?.(row)
  }
  return (
    <tr data-current={isCurrent || undefined} data-selected={isSelected || undefined} data-pale={isPale || undefined} onClick={onClick === undefined ? undefined : click}>
      {selectLabel === undefined ? null : (
        <td className={classes.pick} style={{ gridArea: 'select' }}>
          <input type="checkbox" className={classes.check} aria-label={selectLabel} checked={isSelected} onChange={(event) => onToggle(rowId, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey === true)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} data-align={column.align} data-desk={column.isHiddenOnPhone || undefined} style={{ gridArea: column.key }}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

function SkeletonRow({ columns, line, hasSelection }: { columns: readonly Column<never>[]; line: number; hasSelection: boolean }) {
  return (
    <tr aria-hidden>
      {hasSelection ? <td className={classes.pick} style={{ gridArea: 'select' }} /> : null}
      {columns.map((column, place) => (
        <td key={column.key} data-align={column.align} data-desk={column.isHiddenOnPhone || undefined} style={{ gridArea: column.key }}>
          <Skeleton width={`${55 + ((line * 29 + place * 17) % 40)}%`} />
        </td>
      ))}
    </tr>
  )
}

function PageCheckbox<Row>({ rows, rowKey, selection }: { rows: readonly Row[] | null; rowKey: (row: Row) => number; selection: Selection }) {
  const keys = (rows ?? []).map(rowKey)
  const count = keys.filter((key) => selection.keys.has(key)).length
  const isAll = count > 0 && count === keys.length
  const change = () => selection.onChange(new Set(isAll ? [...selection.keys].filter((key) => !keys.includes(key)) : [...selection.keys, ...keys]))
  return (
    <input
      type="checkbox"
      className={classes.check}
      aria-label={selection.pageLabel}
      checked={isAll}
      disabled={keys.length === 0}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !isAll
      }}
      onChange={change}
    />
  )
}

/** Toggles one row, or with Shift all from the last one toggled; the function stays the same for the memoised rows. */
function useRowToggle<Row>(rows: readonly Row[] | null, rowKey: (row: Row) => number, selection: Selection | undefined) {
  const latest = useRef({ rows, rowKey, selection })
  const last = useRef<number | null>(null)
  useEffect(() => {
    latest.current = { rows, rowKey, selection }
  })
  return useCallback((key: number, withRange: boolean) => {
    const { rows, rowKey, selection } = latest.current
    if (selection === undefined) return
    const keys = (rows ?? []).map(rowKey)
    const from = withRange && last.current !== null ? keys.indexOf(last.current) : -1
    const to = keys.indexOf(key)
    const touched = from === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1)
    const next = new Set(selection.keys)
    const isOn = !selection.keys.has(key)
    for (const one of touched) {
      if (isOn) next.add(one)
      else next.delete(one)
    }
    last.current = key
    selection.onChange(next)
  }, [])
}
