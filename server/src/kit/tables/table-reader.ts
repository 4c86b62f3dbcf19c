// The process behind read-table.ts: it reads one table, answers and ends.
import type { Language } from '@waybill/contract/errors'
import { parseTable, RefusedTable, type Table, type TableRefusal } from './parse-table.ts'

export interface TableTask {
  bytes: Uint8Array
  language: Language
}

export type TableAnswer = { table: Table } | { refusal: TableRefusal }

process.on('message', async ({ bytes, language }: TableTask) => {
  let answer: TableAnswer
  try {
    answer = { table: await parseTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), language) }
  } catch (error) {
    if (!(error instanceof RefusedTable)) throw error
    answer = { refusal: error.refusal }
  }
  process.send!(answer, () => process.exit(0))
})

// The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
