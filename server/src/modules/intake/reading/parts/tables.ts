import { long } from '../text/long.ts'
import { findQuantities, unitOf } from '../find/goods.ts'
import { numberOf, type Found } from '../find/found.ts'
import { linesOf } from '../text/zones.ts'
import type { CargoLine } from './cargo.ts'
import { leaf } from './draft.ts'

type Column = 'title' | 'unit' | 'quantity' | 'weight' | 'net' | 'stop' | 'number' | 'other'

interface Cell extends Found {
  text: string
}

export interface Row extends Found {
  cells: Cell[]
}

export interface Table extends Found {
  heading: Row
  columns: Column[]
  /** the unit that a heading names: `Paletten`, `Palety` */
  units: (string | null)[]
  rows: Row[]
}

const HEADINGS: readonly (readonly [Column, RegExp])[] = [
  ['net', /\b(?:netto|net)\b/],
  ['weight', /gewicht|weight|brutto|gross|\bkg\b|waga|masa/],
  [
    'quantity',
    new RegExp(long`
      ^(?:menge|anzahl|qty|quantity|ilosc|pcs|stuck|liczba|kolli|colli|packstucke|palety|paletten|pallets|szt\.?
      |pal\.?|no\. of|count)\b
    `),
  ],
  ['unit', /verpackung|packaging|einheit|unit|opakowan|jednostka|packing|\btype\b|\bart\b/],
  ['title', /ware|produkt|product|goods|bezeichnung|description|artikel|item|towar|commodity|inhalt|material|opis/],
  [
    'number',
    new RegExp(long`
      ^(?:nr\.?|auftrag|order|no\.?|referenz|ref\.?|zlecenie|sendung|shipment|nummer|numer|lp\.?|bestellung|po
      |auftragsnr\.?)\b
    `),
  ],
  [
    'stop',
    new RegExp(long`
      empfanger|consignee|receiver|odbiorca|adres|anschrift|address|ort|town|city|miasto|stop|punkt|firma|company
      |miejsce
    `),
  ],
]

const columnOf = (heading: string): Column => HEADINGS.find(([, pattern]) => pattern.test(heading))?.[0] ?? 'other'

function cellsOf(text: string, from: number, to: number): Cell[] {
  const line = text.slice(from, Math.min(to, from + 1_500))
  const separator = line.includes('\t') ? /\t+/g : /\S.{0,1400}\|/.test(line) ? /\s{0,4}\|\s{0,4}/g : /\s{2,}/g
  const cells: Cell[] = []
  let at = 0
  const put = (until: number) => {
    const piece = line.slice(at, until)
    const lead = piece.length - piece.trimStart().length
    const body = piece.trim()
    if (body !== '') cells.push({ from: from + at + lead, to: from + at + lead + body.length, text: body })
  }
  for (const match of line.matchAll(separator)) {
    put(match.index)
    at = match.index + match[0].length
  }
  put(line.length)
  return cells
}

const MOST_ROWS = 200

/** Tables of columns under headings: tabs, bars or two spaces between the cells. */
export function findTables(text: string, low: string): Table[] {
  const lines = linesOf(low, 0, low.length)
  const tables: Table[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index]!
    index += 1
    if (line.to - line.from < 12 || line.to - line.from > 1_500 || !/\t|\||\S {2,}\S/.test(line.low)) continue
    const heading = { from: line.from, to: line.to, cells: cellsOf(text, line.from, line.to) }
    if (heading.cells.length < 3 || heading.cells.some(({ text: cell }) => /:$|\d{3}/.test(cell) || cell.length > 40))
      continue
    const names = heading.cells.map((cell) => low.slice(cell.from, cell.to))
    const columns = names.map(columnOf)
    if (columns.filter((column) => column !== 'other').length < 2) continue
    const rows: Row[] = []
    while (index < lines.length && rows.length < MOST_ROWS) {
      const next = lines[index]!
      const cells = cellsOf(text, next.from, next.to)
      if (/^[\s|+:=-]{3,}$/.test(next.low)) {
        index += 1
        // A rule below the rows: what follows is their sum.
        if (rows.length > 0 && !/\|/.test(next.low)) break
        continue
      }
      if (cells.length < 2 || cells.length < heading.cells.length - 3) break
      rows.push({ from: next.from, to: next.to, cells })
      index += 1
    }
    if (rows.length === 0) continue
    const units = names.map((name) => unitOf(name.split(/[\s(]/)[0]!))
    tables.push({ from: heading.from, to: rows.at(-1)!.to, heading, columns, units, rows })
  }
  return tables
}

/** The cell of each column: by its place in the row, where the row has all, else by what stands below the heading. */
function cellIn(table: Table, row: Row, column: Column): { cell: Cell; at: number } | null {
  const at = table.columns.indexOf(column)
  if (at < 0) return null
  if (row.cells.length === table.columns.length) return { cell: row.cells[at]!, at }
  // Counted from the end where a cell before it is empty.
  const fromEnd = row.cells[row.cells.length - (table.columns.length - at)]
  return fromEnd === undefined ? null : { cell: fromEnd, at }
}

const FIGURE = /^\d{1,3}(?:[ .,']\d{3})*(?:[.,]\d{1,2})?(?:\s?kg)?$|^\d{1,6}(?:[.,]\d{1,2})?(?:\s?kg)?$/

/** Lines of cargo from columns of bare figures: what a number is, its heading says. */
export function rowsOfCargo(table: Table, low: string, generalUnit: string | null): CargoLine[] {
  return table.rows.flatMap((row): CargoLine[] => {
    const quantity = cellIn(table, row, 'quantity')
    const weight = cellIn(table, row, 'weight')
    const title = cellIn(table, row, 'title')
    const unit = cellIn(table, row, 'unit')
    const isCount = quantity !== null && /^\d{1,5}$/.test(quantity.cell.text)
    const written =
      quantity === null || isCount ? null : findQuantities(low.slice(quantity.cell.from, quantity.cell.to))[0]
    const isWeight = weight !== null && FIGURE.test(weight.cell.text)
    if (!isCount && written === null) return []
    if (!isCount && !isWeight) return []
    if (/^(?:summe|total|gesamt|razem|suma)/i.test(row.cells[0]!.text)) return []
    const unitWord = unit === null ? null : unitOf(low.slice(unit.cell.from, unit.cell.to).split(/[\s(/]/)[0]!)
    const headingUnit = quantity === null ? null : table.units[quantity.at]
    const unitTitle =
      unitWord ?? (headingUnit === 'Pallet' ? (generalUnit ?? headingUnit) : (headingUnit ?? generalUnit))
    const kg = isWeight ? numberOf(weight.cell.text.replace(/\s?kg$/, ''), true) : null
    return [
      {
        from: row.from,
        to: row.to,
        quantity: written ? leaf(written.quantity, quantity!.cell) : leaf(Number(quantity!.cell.text), quantity!.cell),
        unit: written
          ? leaf(written.unit, quantity!.cell)
          : unitTitle === null
            ? null
            : leaf(unitTitle, unitWord !== null ? unit!.cell : quantity!.cell),
        weight:
          kg === null
            ? null
            : {
                from: weight!.cell.from,
                to: weight!.cell.to,
                kg,
                isEach: false,
                isTotal: false,
                isNet: false,
                isGross: true,
              },
        title: title === null ? null : leaf(title.cell.text, title.cell),
        dimensions: null,
      },
    ]
  })
}
