import { describe, expect, it } from 'vitest'
import { hostileTables } from '../../../test/hostile-tables.ts'
import type { AppError } from '../context/errors.ts'
import { readTable } from './read-table.ts'

const refusalOf = async (bytes: Buffer): Promise<string> => {
  const error = await readTable(bytes, 'en').then(
    () => undefined,
    (refused: AppError) => refused,
  )
  return error?.details.fields?.[0]?.code ?? error?.code ?? 'taken'
}

const tableOf = (rows: number): Buffer => Buffer.from(`Name;Land\n${'A GmbH;DE\n'.repeat(rows)}`)

describe('a table made to be heavy', () => {
  // One of each kind of file; all of them take long.
  const DAILY = new Set(['shared strings without end', 'a CSV of lines of commas'])
  for (const [name, make] of Object.entries(hostileTables({ megabytes: 60, million: 1 })))
    it(`${name} is refused`, { tags: DAILY.has(name) ? [] : ['long'] }, async () => {
      expect(await refusalOf(make())).toMatch(
        /^(table_too_heavy|too_many|too_long|unreadable_table|no_rows|file_type_not_allowed)$/,
      )
    })

  it('of another kind is refused, a page or XML under the name of a table too', async () => {
    for (const other of ['\0', 'MZ\u0001', '%PDF-1.7\n\u0002', '<table><tr><td>Name', '\ufeff \n<?xml version="1.0"?>'])
      expect(await refusalOf(Buffer.from(other)), other).toBe('file_type_not_allowed')
    expect(await refusalOf(Buffer.from('Name;Note\nA GmbH;<b>\n'))).toBe('taken')
  })

  it('takes nobody’s turn for good: the next one is read', async () => {
    const { titles, rows } = await readTable(tableOf(2_000), 'de')
    expect([titles, rows.length, rows[0]]).toEqual([['Name', 'Land'], 2_000, { line: 2, cells: ['A GmbH', 'DE'] }])
  })

  it('is not read beside ten others: the eleventh is asked to come again, a small text is read', async () => {
    const tables = Array.from({ length: 11 }, () => refusalOf(tableOf(2_000)))
    expect(await refusalOf(tableOf(1))).toBe('taken')
    expect((await Promise.all(tables)).toSorted()).toEqual([...Array(10).fill('taken'), 'unavailable'])
  })
})
