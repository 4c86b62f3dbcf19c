import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { stringify } from 'csv-stringify'
import type { Language } from '@waybill/contract/errors'
import type { ExportFormat } from '@waybill/contract/kit/paging'
import type { Cell, CellKind, SheetOf } from './sheet.ts'

export const TABLE_FILE_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

interface Habits {
  delimiter: ',' | ';'
  decimal: '.' | ','
  /** as spreadsheets write formats: the separators are the reader's own */
  day: string
}

/** How a spreadsheet of that language reads a CSV without asking. */
const HABITS: Readonly<Record<Language, Habits>> = {
  en: { delimiter: ',', decimal: '.', day: 'dd/mm/yyyy' },
  de: { delimiter: ';', decimal: ',', day: 'dd.mm.yyyy' },
  pl: { delimiter: ';', decimal: ',', day: 'dd.mm.yyyy' },
}

const isInHundredths = (kind: CellKind | undefined): boolean => kind === 'euros' || kind === 'percent'

/**
 * The sheet as a file, written while it is read: memory does not grow with the rows. Nothing in a text runs as a
 * formula.
 */
export async function tableFile(
  format: ExportFormat,
  sheet: SheetOf<never>,
  rows: AsyncIterable<Cell[]>,
  language: Language,
): Promise<Readable> {
  return format === 'csv' ? csvFile(sheet, rows, language) : xlsxFile(sheet, rows, language)
}

function csvFile({ columns }: SheetOf<never>, rows: AsyncIterable<Cell[]>, language: Language): Readable {
  const { delimiter, decimal, day } = HABITS[language]
  const writer = stringify({
    bom: true,
    delimiter,
    record_delimiter: 'windows',
    // A leading apostrophe; numbers below zero are none of its business.
    escape_formulas: true,
    header: false,
    cast: {
      number: (value, { index }) =>
        (isInHundredths(columns[index]?.kind) ? value.toFixed(2) : String(value)).replace('.', decimal),
      date: (value, { index }) => dateText(value, day, columns[index]?.kind === 'moment'),
    },
  })
  const lines = Readable.from(
    titledRows(
      columns.map(({ title }) => title[language]),
      rows,
    ),
  )
  // The one that breaks ends the other: a half file must not look whole.
  lines.on('error', (error) => writer.destroy(error))
  writer.on('close', () => lines.destroy())
  return lines.pipe(writer)
}

function dateText(date: Date, shape: string, hasTime: boolean): string {
  const iso = date.toISOString()
  const written = shape.replace('dd', iso.slice(8, 10)).replace('mm', iso.slice(5, 7)).replace('yyyy', iso.slice(0, 4))
  return hasTime ? `${written} ${iso.slice(11, 16)}` : written
}

async function* titledRows(titles: string[], rows: AsyncIterable<Cell[]>): AsyncGenerator<Cell[]> {
  yield titles
  yield* rows
}

async function xlsxFile(
  { title, columns }: SheetOf<never>,
  rows: AsyncIterable<Cell[]>,
  language: Language,
): Promise<Readable> {
  // 17 MB that a start can do without.
  const { writeXlsxStream } = await import('hucre/xlsx')
  const { day } = HABITS[language]
  // Text is marked as such: it stays text when somebody edits it.
  const formats: Record<CellKind, string> = {
    text: '@',
    number: 'General',
    euros: '#,##0.00',
    percent: '0.00',
    day,
    moment: `${day} hh:mm`,
  }
  const widths: Record<CellKind, number> = { text: 24, number: 10, euros: 12, percent: 9, day: 12, moment: 17 }
  const stream = writeXlsxStream(rows, {
    name: title[language],
    columns: columns.map((column) => ({
      header: column.title[language],
      numFmt: formats[column.kind],
      width: widths[column.kind],
    })),
    freezePane: { rows: 1 },
  })
  return Readable.fromWeb(stream as ReadableStream)
}
