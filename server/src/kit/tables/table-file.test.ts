import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { Language } from '@waybill/contract/errors'
import { cellsOf, day, euros, moment, number, percent, text, type SheetOf } from './sheet.ts'
import { tableFile } from './table-file.ts'

interface Row {
  name: string | null
  cents: number | null
  bp: number
  count: number
  date: string | null
  at: string
}

const SHEET: SheetOf<Row> = {
  title: { en: 'Things', de: 'Dinge', pl: 'Rzeczy' },
  columns: [
    text({ en: 'Name', de: 'Name', pl: 'Nazwa' }, (row) => row.name),
    euros({ en: 'Price €', de: 'Preis €', pl: 'Cena €' }, (row) => row.cents),
    percent({ en: 'Rate %', de: 'Satz %', pl: 'Stawka %' }, (row) => row.bp),
    number({ en: 'Count', de: 'Anzahl', pl: 'Liczba' }, (row) => row.count),
    day({ en: 'Day', de: 'Tag', pl: 'Dzień' }, (row) => row.date),
    moment({ en: 'Moment', de: 'Zeitpunkt', pl: 'Chwila' }, (row) => row.at),
  ],
}
const ROWS: Row[] = [
  { name: '=1+1', cents: -123_456, bp: 1900, count: -7, date: '2026-11-30', at: '2026-11-30T07:05:00Z' },
  { name: 'Łódź; "Süd"\r\n2', cents: null, bp: 550, count: 2.5, date: null, at: '2026-07-01T22:30:00Z' },
]

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}
const written = (format: 'csv' | 'xlsx', language: Language, rows: AsyncIterable<Row> = each(ROWS)) =>
  tableFile(format, SHEET as SheetOf<never>, cellsOf(SHEET, rows, language, 'Europe/Berlin'), language).then(buffer)

describe('a list as CSV', () => {
  it('opens in a German or Polish spreadsheet as it is: mark, semicolons, decimal commas, days and times', async () => {
    const bytes = await written('csv', 'de')
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(parse(bytes, { bom: true, delimiter: ';' })).toEqual([
      ['Name', 'Preis €', 'Satz %', 'Anzahl', 'Tag', 'Zeitpunkt'],
      [`'=1+1`, '-1234,56', '19,00', '-7', '30.11.2026', '30.11.2026 08:05'],
      ['Łódź; "Süd"\r\n2', '', '5,50', '2,5', '', '02.07.2026 00:30'],
    ])
  })

  it('opens in an English one with commas and points', async () => {
    expect(parse(await written('csv', 'en'), { bom: true })[1]).toEqual([
      `'=1+1`,
      '-1234.56',
      '19.00',
      '-7',
      '30/11/2026',
      '30/11/2026 08:05',
    ])
  })

  it.each(['=cmd', '+49 40 1', '-1+1', '@SUM(A1)', '\tx'])('lets no text become a formula: %j', async (name) => {
    expect(parse(await written('csv', 'en', each([{ ...ROWS[0]!, name }])), { bom: true })[1]![0]).toBe(`'${name}`)
  })
})

describe('a list as XLSX', () => {
  it('holds numbers as numbers, days as days and every text as text', async () => {
    const { sheets } = await readXlsx(await written('xlsx', 'pl'))
    expect(sheets[0]!.name).toBe('Rzeczy')
    expect(sheets[0]!.rows.slice(0, 2)).toEqual([
      ['Nazwa', 'Cena €', 'Stawka %', 'Liczba', 'Dzień', 'Chwila'],
      ['=1+1', -1234.56, 19, -7, new Date('2026-11-30T00:00:00Z'), new Date('2026-11-30T08:05:00Z')],
    ])
  })
})

describe('a list that breaks on the way', () => {
  async function* broken(): AsyncGenerator<Row> {
    yield ROWS[0]!
    throw new Error('the database is gone')
  }

  it.each(['csv', 'xlsx'] as const)('breaks the %s file, which must not look whole', async (format) => {
    await expect(written(format, 'en', broken())).rejects.toThrow('the database is gone')
  })
})
