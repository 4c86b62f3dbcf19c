import type { KeyboardEvent, RefObject, SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'

/*
 * Walking a grid of plain inputs. A cell is an element with `data-cell` in a body row; its column is
 * its place among the row's cells.
 */

const cellsIn = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>('[data-cell]')]
const rowsOf = (grid: HTMLElement): HTMLTableRowElement[] => [
  ...grid.querySelectorAll<HTMLTableRowElement>('tbody > tr:has([data-cell])'),
]

/**
 * Where in the grid an event happened, or null outside of its cells. Arrow up and down go to the same column of the
 * next row.
 */
export function moveInGrid(
  grid: RefObject<HTMLElement | null>,
  event: SyntheticEvent,
): { row: number; column: number } | null {
  if (grid.current === null || !(event.target instanceof HTMLElement)) return null
  // What is typed and deleted is the cell's alone, and must not cost a look through the rows.
  const pressed = event.nativeEvent
  if (
    pressed instanceof globalThis.KeyboardEvent &&
    !['Enter', 'ArrowUp', 'ArrowDown'].includes(pressed.key) &&
    !isChord(pressed)
  )
    return null
  const own = event.target.closest('tr')
  const rows = rowsOf(grid.current)
  const row = own === null ? -1 : rows.indexOf(own)
  const column = own === null ? -1 : cellsIn(own).indexOf(event.target)
  if (row === -1 || column === -1) return null
  const { key, altKey } = event.nativeEvent as globalThis.KeyboardEvent
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  // A list below the cell may have taken the arrow for itself.
  if (step !== 0 && !altKey && !event.isDefaultPrevented() && event.target instanceof HTMLInputElement) {
    const target = rows[row + step]
    if (target !== undefined) {
      event.preventDefault()
      cellsIn(target)[column]?.focus()
    }
  }
  return { row, column }
}

const isChord = ({ ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent): boolean => ctrlKey || metaKey || altKey

/** From a cell as many rows down and columns on; at the edge of the grid the cell stays in hand. */
export function walkGrid(cell: HTMLElement, rows: number, columns: number): void {
  const row = cell.closest('tr')
  if (row === null) return
  const column = cellsIn(row).indexOf(cell)
  const all = rowsOf(row.closest('table')!)
  const target = all[all.indexOf(row) + rows]
  if (column !== -1 && target !== undefined) cellsIn(target)[column + columns]?.focus()
}

/** Puts a cell in hand, drawn first where it is new. At once, so that typing on loses no letter. */
export function focusCell(grid: RefObject<HTMLElement | null>, row: number, column: number): void {
  flushSync(() => undefined)
  const target = grid.current === null ? undefined : rowsOf(grid.current)[row]
  const cell = target === undefined ? undefined : cellsIn(target)[column]
  cell?.scrollIntoView({ block: 'nearest' })
  cell?.focus()
}

/** After a value came from above: the cell shows it, not the text that was being typed. */
export function copyFromAbove(event: KeyboardEvent): void {
  const cell = event.target as HTMLElement
  flushSync(() => cell.blur())
  cell.focus()
}

/** On to the next cell of the row, at once: the next letter belongs there. */
export function nextCell(cell: HTMLElement): void {
  const cells = cellsIn(cell.closest('tr')!)
  cells[cells.indexOf(cell) + 1]?.focus()
}

/**
 * On to the next cell that nothing stands in, in this row or in one below; where all are
 * filled the cell stays in hand.
 */
export function nextOpenCell(cell: HTMLElement): void {
  const cells = rowsOf(cell.closest('table')!).flatMap(cellsIn)
  const isOpen = (one: HTMLElement) =>
    (one instanceof HTMLInputElement || one instanceof HTMLSelectElement) && one.value === ''
  cells
    .slice(cells.indexOf(cell) + 1)
    .find(isOpen)
    ?.focus()
}
