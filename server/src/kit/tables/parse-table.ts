import { inflateRawSync } from 'node:zlib'
import { parse, type Info } from 'csv-parse/sync'
import { LANGUAGES, type FieldErrorCode, type Language } from '@waybill/contract/errors'

/** A table as it stands in a file: every cell is text. */
export interface Table {
  titles: string[]
  rows: { line: number; cells: string[] }[]
}

/** Why a file is no table that is taken: the code of a field's error, or that it is no table at all. */
export interface TableRefusal {
  code: FieldErrorCode | 'file_type_not_allowed'
  params?: Record<string, number>
}

/** A file that is refused; it crosses the border between two processes as `refusal`. */
export class RefusedTable extends Error {
  readonly refusal: TableRefusal
  constructor(code: TableRefusal['code'], params?: Record<string, number>) {
    super(code)
    this.refusal = { code, ...(params === undefined ? {} : { params }) }
  }
}

const MAX_ROWS = 10_000
const MAX_COLUMNS = 200
// What a spreadsheet takes, and a table of 10,000 rows needs.
const MAX_CELL_CHARACTERS = 32_767
const MAX_UNPACKED_BYTES = 50_000_000
const MAX_UNPACKED_FILES = 1_000
// Titles, rows, and one too many; blank ones between them cost little.
const MAX_LINES = MAX_ROWS * 2
// An apostrophe keeps a spreadsheet from reading text as a formula; it is not part of the text.
const GUARDED = /^'(?=[=+\-@\t\r])/

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))

// A page or XML, which old programs write under the names of tables; a mark of UTF-8 may stand before it.
const IS_MARKUP = /^(?:\u00ef\u00bb\u00bf)?\s*</

/** Signs that stand in no text: those below the blank, but for ends of lines and pages, tabs and escapes. */
const isNoText = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)

/** Throws `RefusedTable` of bytes that can be neither a workbook nor a CSV, which takes no time to tell. */
export function refuseOtherKinds(bytes: Buffer): void {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  if (isUtf16 || isZip(bytes)) return
  if (bytes.some(isNoText) || IS_MARKUP.test(bytes.toString('latin1'))) throw new RefusedTable('file_type_not_allowed')
}

// Within these, no text takes longer than it takes to start a process; most of a parser's time goes by the line.
const SMALL_BYTES = 32_000
const SMALL_LINES = 1_000

/** A text so small that `parseTable` is done with it in some milliseconds, whatever stands in it. */
export const isSmallText = (bytes: Buffer): boolean =>
  bytes.length <= SMALL_BYTES &&
  !isZip(bytes) &&
  bytes.reduce((breaks, byte) => (byte === 10 || byte === 13 ? breaks + 1 : breaks), 0) <= SMALL_LINES

/**
 * Reads a CSV or XLSX file by its bytes: encoding and separator are found out. Rejects with `RefusedTable`. What is
 * made to be heavy is refused before it is taken apart; time and memory are limited by the process that this runs in,
 * unless it is a small text.
 */
export async function parseTable(bytes: Buffer, language: Language): Promise<Table> {
  refuseOtherKinds(bytes)
  const lines = isZip(bytes) ? await xlsxLines(bytes) : csvLines(textOf(bytes, language))
  const [head, ...rows] = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (!head || rows.length === 0) throw new RefusedTable('no_rows')
  if (rows.length > MAX_ROWS) throw new RefusedTable('too_many_rows', { max: MAX_ROWS })
  const width = lines.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  return { titles: Array.from({ length: width }, (_, column) => head.cells[column] ?? ''), rows }
}

async function xlsxLines(bytes: Buffer): Promise<Table['rows']> {
  refuseHeavyArchive(bytes)
  const { streamXlsxRows } = await import('hucre/xlsx')
  const lines: Table['rows'] = []
  try {
    for await (const { index, values } of streamXlsxRows(bytes, { maxRows: MAX_LINES }))
      lines.push({ line: index + 1, cells: limited(values.map(cellText)) })
  } catch (error) {
    throw error instanceof RefusedTable ? error : new RefusedTable('unreadable_table')
  }
  return lines
}

/**
 * Unpacks each file of a ZIP archive once, and no further than to the limit: what the archive says of its own sizes
 * may be a lie (PKWARE APPNOTE 6.3.10, 4.3.12 and 4.3.16). Larger archives with 64-bit sizes are no spreadsheets.
 */
function refuseHeavyArchive(bytes: Buffer): void {
  try {
    const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
    if (end === -1) throw new RefusedTable('unreadable_table')
    const files = bytes.readUInt16LE(end + 10)
    let entry = bytes.readUInt32LE(end + 16)
    if (files > MAX_UNPACKED_FILES) throw new RefusedTable('table_too_heavy')
    let left = MAX_UNPACKED_BYTES
    for (let file = 0; file < files; file++) {
      if (bytes.readUInt32LE(entry) !== 0x02014b50) throw new RefusedTable('unreadable_table')
      const method = bytes.readUInt16LE(entry + 10)
      const packed = bytes.readUInt32LE(entry + 20)
      const local = bytes.readUInt32LE(entry + 42)
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const content = bytes.subarray(start, start + packed)
      left -= method === 0 ? content.length : inflatedLength(content, left)
      if (left < 0) throw new RefusedTable('table_too_heavy')
      entry += 46 + bytes.readUInt16LE(entry + 28) + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32)
    }
  } catch (error) {
    throw error instanceof RefusedTable ? error : new RefusedTable('unreadable_table')
  }
}

function inflatedLength(packed: Buffer, most: number): number {
  try {
    return inflateRawSync(packed, { maxOutputLength: most + 1 }).length
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new RefusedTable('table_too_heavy')
    throw error
  }
}

function cellText(value: string | number | boolean | Date | null): string {
  if (value === null) return ''
  // A time without a day lies on the sheet's first one.
  if (value instanceof Date)
    return value.getUTCFullYear() < 1901 ? value.toISOString().slice(11, 16) : value.toISOString().slice(0, 10)
  // A sheet's own number has a point before its decimals: `1.234` would be taken for a thousand, `1.2340` cannot be.
  if (typeof value === 'number') return String(value).replace(/^-?\d{1,3}\.\d{3}$/, '$&0')
  return String(value).trim().replace(GUARDED, '')
}

/** The cells of a row, if there are no more of them and no longer ones than a table has. */
function limited(cells: string[]): string[] {
  const last = cells.findLastIndex((cell) => cell !== '')
  if (last >= MAX_COLUMNS) throw new RefusedTable('too_many', { max: MAX_COLUMNS })
  if (cells.some((cell) => cell.length > MAX_CELL_CHARACTERS))
    throw new RefusedTable('too_long', { max: MAX_CELL_CHARACTERS })
  return cells.slice(0, last + 1)
}

function csvLines(given: string): Table['rows'] {
  // One kind of line break: the parser counts a double one inside of quotes twice.
  const text = given.replace(/\r\n?/g, '\n')
  const delimiter = separatorOf(text)
  refuseWideLines(text, delimiter)
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_COLUMNS * MAX_CELL_CHARACTERS,
      to: MAX_LINES,
    }) as unknown as { record: string[]; info: Info }[]
    // The parser counts the line on which a record ends; people look for the one on which it begins.
    return records.map(({ record, info }) => ({
      line: info.lines - record.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0),
      cells: limited(record.map(cellText)),
    }))
  } catch (error) {
    throw error instanceof RefusedTable ? error : new RefusedTable('unreadable_table')
  }
}

// Twice the columns on one line, in quotes or not: rows of texts with many commas are fewer than that.
const MAX_SEPARATORS = 20 * MAX_COLUMNS

/** A line of a million separators is refused before it becomes a million cells. */
function refuseWideLines(text: string, delimiter: string): void {
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') found = 0
    else if (character === delimiter && ++found > MAX_SEPARATORS)
      throw new RefusedTable('too_many', { max: MAX_COLUMNS })
  }
}

/** What separates most in the titles, outside of quotes. */
function separatorOf(text: string): string {
  const titles = text.replace(/"[^"]*"/g, '').split('\n', 1)[0]!
  const [best] = [';', ',', '\t', '|'].toSorted((a, b) => titles.split(b).length - titles.split(a).length)
  return best!
}

/** UTF-8 if it can be, else what Windows writes west or east of the Oder. */
function textOf(bytes: Buffer, language: Language): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const western = new TextDecoder('windows-1252').decode(bytes)
    // Read as western, Ł, ą, ł and ż are signs that stand in no word: £, ¹, ³, ¿.
    const isEastern = /\p{L}[¹³¿Ÿ]|[£¯¿³][\p{L}]/u.test(western) || language === LANGUAGES[2]
    return isEastern ? new TextDecoder('windows-1250').decode(bytes) : western
  }
}
