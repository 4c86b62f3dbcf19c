import { parse, type Info } from 'csv-parse/sync'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { MAX_IMPORT_ROWS } from '@waybill/contract/kit/import'
import { AppError, fieldError } from '../context/errors.ts'

/** A table as it stands in a file: every cell is text. */
export interface Table {
  titles: string[]
  rows: { line: number; cells: string[] }[]
}

const MAX_COLUMNS = 200
// An apostrophe keeps a spreadsheet from reading text as a formula; it is not part of the text.
const GUARDED = /^'(?=[=+\-@\t\r])/

/**
 * Reads a CSV or XLSX file by its bytes: encoding and separator are found out. Errors: `file_type_not_allowed`,
 * `validation` at `file`.
 */
export async function readTable(bytes: Buffer, language: Language): Promise<Table> {
  const isZip = bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))
  const lines = isZip ? await xlsxLines(bytes) : csvLines(textOf(bytes, language))
  const [head, ...rows] = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (!head || rows.length === 0) throw fieldError('file', 'no_rows')
  if (rows.length > MAX_IMPORT_ROWS) throw fieldError('file', 'too_many_rows', { max: MAX_IMPORT_ROWS })
  const width = Math.max(...lines.map(({ cells }) => cells.length))
  if (width > MAX_COLUMNS) throw fieldError('file', 'too_many', { max: MAX_COLUMNS })
  return { titles: Array.from({ length: width }, (_, column) => head.cells[column] ?? ''), rows }
}

async function xlsxLines(bytes: Buffer): Promise<Table['rows']> {
  const { streamXlsxRows } = await import('hucre/xlsx')
  const lines: Table['rows'] = []
  try {
    // Title, rows, and one too many; blank ones between them cost nothing.
    for await (const { index, values } of streamXlsxRows(bytes, { maxRows: MAX_IMPORT_ROWS * 2 }))
      lines.push({ line: index + 1, cells: values.map(cellText) })
  } catch {
    throw fieldError('file', 'unreadable_table')
  }
  return lines
}

function cellText(value: string | number | boolean | Date | null): string {
  if (value === null) return ''
  // A time without a day lies on the sheet's first one.
  if (value instanceof Date)
    return value.getUTCFullYear() < 1901 ? value.toISOString().slice(11, 16) : value.toISOString().slice(0, 10)
  return String(value).trim().replace(GUARDED, '')
}

function csvLines(given: string): Table['rows'] {
  // One kind of line break: the parser counts a double one inside of quotes twice.
  const text = given.replace(/\r\n?/g, '\n')
  try {
    const records = parse(text, {
      delimiter: separatorOf(text),
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_IMPORT_ROWS * 2,
    }) as unknown as { record: string[]; info: Info }[]
    // The parser counts the line on which a record ends; people look for the one on which it begins.
    return records.map(({ record, info }) => ({
      line: info.lines - record.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0),
      cells: record.map(cellText),
    }))
  } catch {
    throw fieldError('file', 'unreadable_table')
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
  // oxlint-disable-next-line no-control-regex -- what no text holds is what is looked for
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(bytes.toString('latin1')))
    throw new AppError('file_type_not_allowed')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const western = new TextDecoder('windows-1252').decode(bytes)
    // Read as western, Ł, ą, ł and ż are signs that stand in no word: £, ¹, ³, ¿.
    const isEastern = /\p{L}[¹³¿Ÿ]|[£¯¿³][\p{L}]/u.test(western) || language === LANGUAGES[2]
    return isEastern ? new TextDecoder('windows-1250').decode(bytes) : western
  }
}
