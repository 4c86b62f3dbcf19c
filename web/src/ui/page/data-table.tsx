import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type UIEvent,
} from 'react'
import classes from './data-table.module.css'
import { Icon } from '../marks/icon.tsx'
import { Skeleton } from '../marks/skeleton.tsx'
import { useRowInView } from './row-in-view.ts'

export interface Column<Row> {
  /** Also the name of its area in `phoneGrid` */
  key: string
  head: ReactNode
  /** The head's full words where it is short */
  headTitle?: string
  /** px; the columns without one share what is left */
  width?: number
  /** It takes what is left, and is `width` wide at least */
  takesRest?: boolean
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
  /**
   * How many columns, from the first, stay at the left while the others scroll sideways;
   * what chooses rows stays with them
   */
  pinnedCount?: number
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
  /** A person has drawn a column's edge: this wide, px */
  onResize?: (columnKey: string, width: number) => void
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
  const {
    label,
    columns,
    rows,
    rowKey,
    rowName,
    selection,
    currentKey = null,
    onRowClick,
    onSort,
    onResize,
    skeletonRows = 12,
    isBusy = false,
    paleKeys,
    empty,
    tail,
    phoneGrid,
    minWidth,
    pinnedCount = 0,
  } = props
  const region = useRef<HTMLDivElement>(null)

  useRowInView(region, currentKey)

  const before = selection === undefined ? 0 : SELECT_WIDTH
  const { lefts, width } = useMemo(() => widthsOf(columns, pinnedCount, before), [columns, pinnedCount, before])
  const widthAt = (column: Column<Row>, place: number) =>
    column.takesRest ? undefined : (column.width ?? (place < pinnedCount ? PINNED_WIDTH : undefined))
  // Nothing else is drawn again for it.
  const markScrolled = (event: UIEvent<HTMLDivElement>) =>
    event.currentTarget.toggleAttribute('data-scrolled', event.currentTarget.scrollLeft > 0)
  const toggle = useRowToggle(rows, rowKey, selection)
  const isEmpty = rows !== null && rows.length === 0
  return (
    <div
      className={classes.region}
      ref={region}
      tabIndex={0}
      role="region"
      aria-label={label}
      aria-busy={isBusy || rows === null}
      data-busy={isBusy || undefined}
      onScroll={markScrolled}
      style={{ scrollPaddingLeft: lefts.at(-1) }}
    >
      <table
        className={classes.table}
        data-cards={phoneGrid !== undefined || undefined}
        style={
          {
            minWidth: pinnedCount > 1 ? width : Math.max(minWidth ?? 0, width),
            '--phone-grid': phoneGrid,
          } as CSSProperties
        }
      >
        <colgroup>
          {selection === undefined ? null : <col style={{ width: SELECT_WIDTH }} />}
          {columns.map((column, place) => (
            <col key={column.key} style={{ width: widthAt(column, place) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection === undefined ? null : (
              <th scope="col" className={classes.pick} {...pinAt(0, pinnedCount > 0)}>
                <PageCheckbox rows={rows} rowKey={rowKey} selection={selection} />
              </th>
            )}
            {columns.map((column, place) => (
              <th
                key={column.key}
                scope="col"
                {...pinAt(lefts[place], place < pinnedCount, place === pinnedCount - 1)}
                data-align={column.align}
                title={column.headTitle}
                aria-sort={column.sort === 'none' ? undefined : column.sort}
              >
                {column.sort === undefined || onSort === undefined ? (
                  column.head
                ) : (
                  <button type="button" className={classes.sort} onClick={() => onSort(column.key)}>
                    {column.head}
                    {column.sort === 'none' ? null : (
                      <Icon name={column.sort === 'ascending' ? 'arrowUp' : 'arrowDown'} size={13} />
                    )}
                  </button>
                )}
                {onResize === undefined ? null : <Edge onEnd={(width) => onResize(column.key, width)} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === null
            ? Array.from({ length: skeletonRows }, (_, line) => (
                <SkeletonRow
                  key={line}
                  columns={columns as readonly Column<never>[]}
                  line={line}
                  hasSelection={selection !== undefined}
                  lefts={lefts}
                />
              ))
            : rows.map((row) => {
                const key = rowKey(row)
                return (
                  <TableRow
                    key={key}
                    row={row}
                    columns={columns}
                    lefts={lefts}
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

const LEAST_DRAWN = 48
const MOST_DRAWN = 600

/**
 * The edge between two heads, to draw with the mouse; the menu of the columns has the same as a number. While it is
 * drawn only the column itself follows.
 */
function Edge({ onEnd }: { onEnd: (width: number) => void }) {
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    const edge = event.currentTarget
    const head = edge.closest('th')!
    const col = head.closest('table')!.querySelectorAll('col').item(head.cellIndex)
    const from = { x: event.clientX, width: head.offsetWidth }
    let width = from.width
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => {
      width = Math.round(Math.min(MOST_DRAWN, Math.max(LEAST_DRAWN, from.width + clientX - from.x)))
      col.style.width = `${width}px`
    }
    edge.addEventListener('pointermove', move)
    edge.addEventListener(
      'lostpointercapture',
      () => {
        edge.removeEventListener('pointermove', move)
        if (width !== from.width) onEnd(width)
      },
      { once: true },
    )
  }
  return <span className={classes.edge} aria-hidden onPointerDown={begin} />
}

// px: what chooses rows; a pinned column that has no width of its own; what such a column must have
// at least where it is not pinned.
const SELECT_WIDTH = 36
const PINNED_WIDTH = 180
const LEAST_WIDTH = 130

/** Where the pinned columns stand, and the width below which the table scrolls sideways. */
function widthsOf<Row>(
  columns: readonly Column<Row>[],
  pinnedCount: number,
  before: number,
): { lefts: readonly number[]; width: number } {
  const lefts = [before]
  for (const { width = PINNED_WIDTH } of columns.slice(0, pinnedCount)) lefts.push(lefts.at(-1)! + width)
  return {
    lefts,
    width: columns.slice(pinnedCount).reduce((sum, { width = LEAST_WIDTH }) => sum + width, lefts.at(-1)!),
  }
}

/**
 * The looks of a cell: pinned at `left` if it is, the last of the pinned ones with an edge; `area` is
 * its place in the phone's card.
 */
const pinAt = (left: number | undefined, isPinned: boolean, isLast = false, area?: string) => ({
  'data-pinned': isPinned ? (isLast ? 'last' : '') : undefined,
  style: { left: isPinned ? left : undefined, gridArea: area },
})

interface TableRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  /** px from the left edge at which the pinned ones stand, one for each; then that where the others begin */
  lefts: readonly number[]
  rowId: number
  isCurrent: boolean
  isSelected: boolean
  isPale: boolean
  selectLabel: string | undefined
  onToggle: (key: number, withRange: boolean) => void
  onClick: ((row: Row) => void) | undefined
}

// A hundred rows of twelve cells: only the rows that changed are drawn again.
const TableRow = memo(function TableRow<Row>({
  row,
  columns,
  lefts,
  rowId,
  isCurrent,
  isSelected,
  isPale,
  selectLabel,
  onToggle,
  onClick,
}: TableRowProps<Row>) {
  const click = (event: MouseEvent<HTMLTableRowElement>) => {
    // A click beside a small box was meant for the box.
    if (event.target instanceof Element && event.target.closest(`a, button, input, label, .${classes.pick}`) !== null)
      return
    onClick?.(row)
  }
  return (
    <tr
      data-current={isCurrent || undefined}
      data-selected={isSelected || undefined}
      data-pale={isPale || undefined}
      onClick={onClick === undefined ? undefined : click}
    >
      {selectLabel === undefined ? null : (
        <td className={classes.pick} {...pinAt(0, lefts.length > 1, false, 'select')}>
          <input
            type="checkbox"
            className={classes.check}
            aria-label={selectLabel}
            checked={isSelected}
            onChange={(event) =>
              onToggle(rowId, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey === true)
            }
          />
        </td>
      )}
      {columns.map((column, place) => (
        <td
          key={column.key}
          {...pinAt(lefts[place], place < lefts.length - 1, place === lefts.length - 2, column.key)}
          data-align={column.align}
          data-desk={column.isHiddenOnPhone || undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

function SkeletonRow({
  columns,
  line,
  hasSelection,
  lefts,
}: {
  columns: readonly Column<never>[]
  line: number
  hasSelection: boolean
  lefts: readonly number[]
}) {
  return (
    <tr aria-hidden>
      {hasSelection ? <td className={classes.pick} {...pinAt(0, lefts.length > 1, false, 'select')} /> : null}
      {columns.map((column, place) => (
        <td
          key={column.key}
          {...pinAt(lefts[place], place < lefts.length - 1, place === lefts.length - 2, column.key)}
          data-align={column.align}
          data-desk={column.isHiddenOnPhone || undefined}
        >
          <Skeleton width={`${55 + ((line * 29 + place * 17) % 40)}%`} />
        </td>
      ))}
    </tr>
  )
}

function PageCheckbox<Row>({
  rows,
  rowKey,
  selection,
}: {
  rows: readonly Row[] | null
  rowKey: (row: Row) => number
  selection: Selection
}) {
  const keys = (rows ?? []).map(rowKey)
  const count = keys.filter((key) => selection.keys.has(key)).length
  const isAll = count > 0 && count === keys.length
  const change = () =>
    selection.onChange(
      new Set(isAll ? [...selection.keys].filter((key) => !keys.includes(key)) : [...selection.keys, ...keys]),
    )
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
function useRowToggle<Row>(
  rows: readonly Row[] | null,
  rowKey: (row: Row) => number,
  selection: Selection | undefined,
) {
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
