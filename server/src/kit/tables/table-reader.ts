// The process behind read-table.ts: it reads one table, answers and ends.
import type { Language } from '@waybill/contract/errors'
import { answerApart } from '../context/answer-apart.ts'
import { parseTable, RefusedTable, type Table, type TableRefusal } from './parse-table.ts'

export interface TableTask {
  bytes: Uint8Array
  language: Language
}

export type TableAnswer = { table: Table } | { refusal: TableRefusal }

answerApart(async ({ bytes, language }: TableTask): Promise<TableAnswer> => {
  try {
    return { table: await parseTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), language) }
  } catch (error) {
    if (!(error instanceof RefusedTable)) throw error
    return { refusal: error.refusal }
  }
})
